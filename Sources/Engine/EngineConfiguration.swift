import MatrixCore

/// What stays as it is for as long as an engine lives.
public struct EngineConfiguration: Equatable, Sendable {
  /// Inputs and outputs.
  public var shape: MatrixShape
  /// Frames per second, the same for every device.
  public var rate: Int
  /// The time constant of the glide, in seconds.
  public var tauSeconds: Double
  /// The wanted period in frames.
  public var periodFrames: Int
  /// The wanted number of periods in a card's playback buffer.
  public var periods: Int
  /// The most frames of one render call.
  public var maximumFrames: Int
  /// Whether a device may have fewer channels than there are outputs; the rest is not heard then.
  public var mayDropOutputs = false

  /// Makes a configuration; a render call may have 4096 frames, or a period if that is more.
  public init(
    shape: MatrixShape, rate: Int = 48_000, tauSeconds: Double = 0.005, periodFrames: Int = 256,
    periods: Int = 2
  ) {
    self.shape = shape
    self.rate = rate
    self.tauSeconds = tauSeconds
    self.periodFrames = periodFrames
    self.periods = periods
    maximumFrames = max(4096, periodFrames)
  }

  /// What a device is asked for.
  public var deviceRequest: DeviceRequest {
    var request = DeviceRequest(
      inputs: shape.inputs, outputs: shape.outputs, rate: rate, periodFrames: periodFrames,
      periods: periods, maximumFrames: maximumFrames)
    request.mayDropOutputs = mayDropOutputs
    return request
  }
}
