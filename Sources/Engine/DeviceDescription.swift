/// What an open device is.
public struct DeviceDescription: Equatable, Sendable {
  /// The name that people know it by.
  public var name: String
  /// Frames per second; the request's, or `open` would have thrown.
  public var rate: Int
  /// The granted period in frames.
  public var periodFrames: Int
  /// How many frames lie between rendering a frame and hearing it, as far as the device knows.
  ///
  /// On the way out the engine renders so many silent frames after its fade, so that the fade is
  /// heard and not cut off.
  public var outputLatencyFrames: Int
  /// The device's own number of capture channels, 0 when it has none.
  public var captureChannels: Int
  /// The device's own number of playback channels, 0 when it has none.
  public var playbackChannels: Int
  /// Sentences that the user should read once, for example that the card cannot link directions.
  public var warnings: [String]

  /// Makes a description.
  public init(
    name: String, rate: Int, periodFrames: Int, outputLatencyFrames: Int, captureChannels: Int,
    playbackChannels: Int, warnings: [String] = []
  ) {
    self.name = name
    self.rate = rate
    self.periodFrames = periodFrames
    self.outputLatencyFrames = outputLatencyFrames
    self.captureChannels = captureChannels
    self.playbackChannels = playbackChannels
    self.warnings = warnings
  }
}
