import CALSA

/// What the audio thread may call: nothing here allocates, locks or blocks, but for `poll`.
///
/// Answers are the library's: a count, or a negative error number.
extension PCM {
  /// What the device is doing.
  public var state: PCMState {
    @_noLocks @_noAllocation get { PCMState(code: calsa_state(handle)) }
  }

  /// How many frames can be read or written now, or an error; may be more than the buffer holds.
  public var availableFrames: Int {
    @_noLocks @_noAllocation get { calsa_available(handle) }
  }

  /// Reads up to so many interleaved frames; answers how many, which may be fewer, or an error.
  @_noLocks @_noAllocation
  public func read(into buffer: UnsafeMutableRawPointer, frames: Int) -> Int {
    calsa_read(handle, buffer, UInt(frames))
  }

  /// Writes up to so many interleaved frames; answers how many, which may be fewer, or an error.
  @_noLocks @_noAllocation
  public func write(from buffer: UnsafeRawPointer, frames: Int) -> Int {
    calsa_write(handle, buffer, UInt(frames))
  }

  /// Makes the device, and those linked to it, ready to be started.
  @_noLocks @_noAllocation
  public func prepare() -> Int32 { calsa_prepare(handle) }

  /// Starts the device, and those linked to it.
  @_noLocks @_noAllocation
  public func start() -> Int32 { calsa_start(handle) }

  /// Stops the device, and those linked to it, at once.
  @_noLocks @_noAllocation
  public func drop() -> Int32 { calsa_drop(handle) }

  /// Wakes the device after the machine slept; `-EAGAIN` until the card is back.
  @_noLocks @_noAllocation
  public func resume() -> Int32 { calsa_resume(handle) }

  /// What a poll found, translated by the library; `POLLNVAL` when it cannot tell.
  @_noLocks @_noAllocation
  public func events(
    _ descriptors: UnsafeMutablePointer<pollfd>, count: Int
  ) -> Int32 {
    var events: UInt16 = 0
    guard calsa_revents(handle, descriptors, UInt32(count), &events) >= 0 else { return POLLNVAL }
    return Int32(events)
  }

  /// Waits for descriptors; answers how many have something to tell, or an error.
  @_noLocks @_noAllocation
  public static func poll(
    _ descriptors: UnsafeMutablePointer<pollfd>, count: Int, milliseconds: Int32
  ) -> Int32 {
    calsa_poll(descriptors, UInt(count), milliseconds)
  }
}
