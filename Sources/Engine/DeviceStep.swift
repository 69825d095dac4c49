/// What came of waiting for a device, reading from it or writing to it.
public enum DeviceStep: Equatable, Sendable {
  /// After `wait`: so many frames (1...maximumFrames, usually one period) can be read and written
  /// at once. After `read` and `write`: it was done.
  case ready(frames: Int)
  /// After `wait` only: the wake descriptor became readable; nothing else happened.
  case woken
  /// Samples were lost (or the device slept) and both directions run again from the start; the
  /// cycle is void: wait again. The engine counts it and locks its clock anew.
  case restarted
  /// There is no more to come, as at the end of a file.
  case finished
  /// The device is gone, or could not be restarted: it is given back to the keeper.
  case lost
}
