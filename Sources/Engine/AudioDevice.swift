/// An open device: a clock that says when to render, samples in, samples out.
///
/// One thread at a time has it: the keeper opens it, hands it to the audio thread, gets it back
/// (stopped or lost) and closes it. `deinit` may close as well, but the engine always calls `close`.
/// What the audio thread calls never allocates, locks, logs, opens or frees.
public protocol AudioDevice: AnyObject {
  /// What was opened. Keeper thread.
  var description: DeviceDescription { get }

  // MARK: Audio thread

  /// Prefills playback with silence and starts both directions.
  ///
  /// Answers `ready` (with any number of frames) or `lost`.
  func start() -> DeviceStep

  /// Blocks until frames can be read and written, `wake` is readable, or the device failed.
  ///
  /// Must always block in between, even on a device that claims to be ready for ever, and must
  /// come back within about 200 ms: no progress for that long is `restarted`, and again and again
  /// without any progress (about 1 s) is `lost`. Leaves the wake descriptor unread.
  /// Samples that were lost are recovered from here (or in `read` and `write`) and answered with
  /// `restarted`, at once, so that the engine sees its wake-up between two attempts.
  func wait(wake: Int32) -> DeviceStep

  /// Reads the frames that `wait` announced into the input rows, converted and finite.
  ///
  /// Inputs that the device does not have are set to 0.
  func read(frames: Int, into rows: AudioRows) -> DeviceStep

  /// Writes as many frames from the output rows, saturated.
  ///
  /// Channels that the matrix does not have are set to 0.
  func write(frames: Int, from rows: AudioRows) -> DeviceStep

  /// Stops both directions at once; playback is cut off where it is.
  func halt()

  // MARK: Keeper thread

  /// One sentence that says why the device was lost; asked for after it answered `lost`.
  func lossSentence() -> String

  /// Closes everything; nothing is called after it.
  func close()
}
