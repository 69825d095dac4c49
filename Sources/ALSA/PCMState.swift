/// What a device is doing; the raw values are alsa-lib's.
public enum PCMState: Int32, Sendable {
  /// Opened, and nothing more.
  case open = 0
  /// Configured, not prepared.
  case setup = 1
  /// Ready to be started.
  case prepared = 2
  /// Samples are moving.
  case running = 3
  /// Stopped, because samples were not read or written in time.
  case xrun = 4
  /// Playing what is left.
  case draining = 5
  /// Stopped for a while.
  case paused = 6
  /// Stopped, because the machine slept.
  case suspended = 7
  /// Pulled out.
  case disconnected = 8
  /// A state that this program does not know.
  case unknown = 1024

  @_noLocks @_noAllocation
  init(code: Int32) {
    switch code {
    case 0: self = .open
    case 1: self = .setup
    case 2: self = .prepared
    case 3: self = .running
    case 4: self = .xrun
    case 5: self = .draining
    case 6: self = .paused
    case 7: self = .suspended
    case 8: self = .disconnected
    default: self = .unknown
    }
  }
}
