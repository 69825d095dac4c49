/// Why a device could not be opened.
public struct DeviceError: Error, Equatable, Sendable {
  /// One sentence that names the thing, the limit and the way out.
  public var sentence: String
  /// Whether waiting cannot help, as with a rate that the card does not have.
  public var isPermanent: Bool

  /// Makes an error.
  public init(_ sentence: String, isPermanent: Bool = false) {
    self.sentence = sentence
    self.isPermanent = isPermanent
  }
}
