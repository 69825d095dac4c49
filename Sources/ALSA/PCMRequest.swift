/// What is asked of a device.
public struct PCMRequest: Equatable, Sendable {
  /// Frames per second; granted exactly, or refused.
  public var rate: Int
  /// How many channels are wanted; a device with a count of its own may grant more, or fewer.
  public var channels: Int
  /// The wanted period in frames.
  public var periodFrames: Int
  /// The wanted buffer in frames.
  public var bufferFrames: Int

  /// Makes a request.
  public init(rate: Int, channels: Int, periodFrames: Int, bufferFrames: Int) {
    self.rate = rate
    self.channels = channels
    self.periodFrames = periodFrames
    self.bufferFrames = bufferFrames
  }
}
