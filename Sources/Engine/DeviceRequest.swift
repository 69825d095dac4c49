/// What the engine asks of a device.
public struct DeviceRequest: Equatable, Sendable {
  /// Inputs of the matrix; a device with fewer leaves the rest silent.
  public var inputs: Int
  /// Outputs of the matrix; a device with fewer is an error, unless `mayDropOutputs`.
  public var outputs: Int
  /// Frames per second, exact.
  public var rate: Int
  /// The wanted period in frames; the device may grant another.
  public var periodFrames: Int
  /// The wanted number of periods in the playback buffer, at least 2.
  public var periods: Int
  /// The most frames that one cycle may have; `wait` must never announce more.
  public var maximumFrames: Int
  /// Whether a device may have fewer channels than there are outputs: true where nobody said how
  /// many outputs there are to be.
  public var mayDropOutputs = false

  /// Makes a request.
  public init(
    inputs: Int, outputs: Int, rate: Int, periodFrames: Int, periods: Int = 2,
    maximumFrames: Int
  ) {
    self.inputs = inputs
    self.outputs = outputs
    self.rate = rate
    self.periodFrames = periodFrames
    self.periods = periods
    self.maximumFrames = maximumFrames
  }
}
