/// Why a device could not be configured as it was asked.
public enum PCMSetupError: Error, Equatable, Sendable {
  /// A call failed.
  case call(ALSAError)
  /// The device does not run at the wanted rate; the nearest one that it has, in Hz.
  case rate(wanted: Int, nearest: Int)
  /// The device has only counts of channels beyond what can be used.
  case channels(least: Int, limit: Int)
  /// The device has no format that can be used.
  case format
  /// The device's buffer is too small for two periods, in frames.
  case buffer(periodFrames: Int, bufferFrames: Int)

  /// The reason as the rest of a sentence that begins with the device's name.
  public var sentence: String {
    switch self {
    case .call(let error):
      "cannot be configured: \(error.sentence)"
    case .rate(let wanted, let nearest):
      "runs at \(nearest) Hz, not at \(wanted) Hz"
    case .channels(let least, let limit):
      "has at least \(least) channels, and the limit is \(limit)"
    case .format:
      "has none of the formats \(PCMFormat.preference.map(\.name).joined(separator: ", "))"
    case .buffer(let periodFrames, let bufferFrames):
      "has a buffer of \(bufferFrames) frames, too small for two periods of \(periodFrames)"
    }
  }
}
