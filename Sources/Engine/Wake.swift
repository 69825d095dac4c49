import CPlatform

/// A descriptor that one thread makes readable and another one polls.
///
/// Any thread may signal; the thread that polls clears.
struct Wake: ~Copyable, Sendable {
  let descriptor: Int32

  /// Opens one; throws when the process has no descriptors left.
  init() throws(DeviceError) {
    descriptor = crosspoint_wake_open()
    guard descriptor >= 0 else {
      throw DeviceError(
        "The system has no file descriptor left for the engine; raise the limit (ulimit -n).",
        isPermanent: true)
    }
  }

  deinit {
    crosspoint_close(descriptor)
  }

  func signal() {
    crosspoint_wake_signal(descriptor)
  }

  func clear() {
    _ = crosspoint_wake_clear(descriptor)
  }

  /// Blocks until it is readable, or so long; clears it.
  func wait(milliseconds: Int32) {
    if crosspoint_poll(descriptor, -1, milliseconds) != 0 { clear() }
  }
}
