/// What a device granted.
public struct PCMGrant: Equatable, Sendable {
  /// Frames per second.
  public var rate: Int
  /// The number of channels in a frame.
  public var channels: Int
  /// How a sample is laid out.
  public var format: PCMFormat
  /// The period in frames.
  public var periodFrames: Int
  /// The buffer in frames; not always a whole number of periods.
  public var bufferFrames: Int

  /// The size of a frame in bytes.
  public var frameBytes: Int { channels * format.bytes }

  /// Makes a grant.
  public init(rate: Int, channels: Int, format: PCMFormat, periodFrames: Int, bufferFrames: Int) {
    self.rate = rate
    self.channels = channels
    self.format = format
    self.periodFrames = periodFrames
    self.bufferFrames = bufferFrames
  }
}
