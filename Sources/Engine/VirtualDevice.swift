import CPlatform
import MatrixCore

/// A device without hardware: a clock that never drifts, signals in, nothing out.
///
/// Periods are due at absolute times of the monotonic clock. A program that is held up catches up
/// as long as a card's buffer would have lasted; after that a cycle is lost, as it would be on a
/// card.
public final class VirtualDevice: AudioDevice {
  private let request: DeviceRequest
  private let constant: Float
  private let tones: ToneBank?
  private let player: FilePlayer?
  // The same for the audio thread, which must not count references.
  private let unretainedTones: Unmanaged<ToneBank>?
  private let unretainedPlayer: Unmanaged<FilePlayer>?
  private let timer: Int32
  private let state: UnsafeMutablePointer<State>

  private struct State {
    /// The monotonic time at which the stream began, in nanoseconds.
    var origin: Int64 = 0
    /// The frames that are due before the next period.
    var frames: Int64 = 0
  }

  /// Makes a device; throws when its file cannot be played or the process has no descriptors left.
  init(_ request: DeviceRequest, signal: InputSignal) throws(DeviceError) {
    var constant: Float = 0
    var tones: ToneBank?
    var player: FilePlayer?
    switch signal {
    case .tones: tones = ToneBank(channels: request.inputs, rate: Double(request.rate))
    case .silence: break
    case .constant(let value): constant = value
    case .file(let path, let isRepeated):
      player = try FilePlayer(
        path: path, rate: request.rate, channels: request.inputs, isRepeated: isRepeated)
    }
    timer = crosspoint_timer_open()
    guard timer >= 0 else {
      throw DeviceError(
        "The system has no file descriptor left for a timer; raise the limit (ulimit -n).")
    }
    self.request = request
    self.constant = constant
    self.tones = tones
    self.player = player
    unretainedTones = tones.map(Unmanaged.passUnretained)
    unretainedPlayer = player.map(Unmanaged.passUnretained)
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  deinit {
    crosspoint_close(timer)
    state.deallocate()
  }

  /// What the engine asked for, granted.
  public var description: DeviceDescription {
    DeviceDescription(
      name: "virtual", rate: request.rate, periodFrames: request.periodFrames,
      outputLatencyFrames: 0, captureChannels: request.inputs,
      playbackChannels: request.outputs)
  }

  /// Starts the clock.
  @_noLocks @_noAllocation
  public func start() -> DeviceStep {
    restart(at: crosspoint_monotonic_ns())
    return .ready(frames: request.periodFrames)
  }

  /// Waits until the next period is due.
  @_noLocks @_noAllocation
  public func wait(wake: Int32) -> DeviceStep {
    let period = Int64(request.periodFrames)
    while true {
      let due = deadline(ofFrame: state.pointee.frames &+ period)
      let now = crosspoint_monotonic_ns()
      if now &- due >= nanoseconds(ofFrames: Int64(request.periods) &* period) {
        restart(at: now)
        return .restarted
      }
      _ = crosspoint_timer_arm(timer, due)
      let ready = crosspoint_poll(timer, wake, 200)
      if ready & 2 != 0 { return .woken }
      // The time limit of a long period is no reason to stop waiting for it.
      if ready & 1 == 0 || crosspoint_monotonic_ns() < due { continue }
      state.pointee.frames &+= period
      return .ready(frames: request.periodFrames)
    }
  }

  /// Makes the input signal.
  @_noLocks @_noAllocation
  public func read(frames: Int, into rows: AudioRows) -> DeviceStep {
    if let unretainedTones {
      let inputs = rows.inputs
      unretainedTones._withUnsafeGuaranteedRef { $0.read(frames: frames, into: inputs) }
    } else if let unretainedPlayer {
      let inputs = rows.inputs
      let inputCount = rows.inputCount
      let isPlaying = unretainedPlayer._withUnsafeGuaranteedRef {
        $0.read(frames: frames, into: inputs, rowCount: inputCount)
      }
      if !isPlaying { return .finished }
    } else {
      var input = 0
      while input < rows.inputCount {
        rows.inputs[input].update(repeating: constant, count: frames)
        input &+= 1
      }
    }
    return .ready(frames: frames)
  }

  /// Drops the output; nothing is converted, and so nothing is saturated or counted.
  @_noLocks @_noAllocation
  public func write(frames: Int, from rows: AudioRows) -> DeviceStep {
    .ready(frames: frames)
  }

  /// Stops the clock.
  public func halt() {}

  /// Never lost.
  public func lossSentence() -> String { "The virtual device has stopped." }

  /// Nothing to close before `deinit`.
  public func close() {}

  @_noLocks @_noAllocation
  private func restart(at now: Int64) {
    state.pointee = State(origin: now, frames: 0)
  }

  @_noLocks @_noAllocation
  private func deadline(ofFrame frame: Int64) -> Int64 {
    state.pointee.origin &+ nanoseconds(ofFrames: frame)
  }

  /// Exact for 6 years at any rate: whole seconds and the rest apart.
  @_noLocks @_noAllocation
  private func nanoseconds(ofFrames frames: Int64) -> Int64 {
    let rate = Int64(request.rate)
    return frames / rate &* 1_000_000_000 &+ frames % rate &* 1_000_000_000 / rate
  }
}

/// Opens virtual devices.
public struct VirtualDeviceSource: AudioDeviceSource {
  /// What comes in.
  public var signal: InputSignal

  /// Makes a source.
  public init(signal: InputSignal = .tones) {
    self.signal = signal
  }

  /// `virtual`.
  public var name: String { "virtual" }

  /// Opens a virtual device with the requested period.
  public func open(_ request: DeviceRequest) throws(DeviceError) -> any AudioDevice {
    try VirtualDevice(request, signal: signal)
  }
}
