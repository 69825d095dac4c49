/// Why a message was refused, as `/error address code text` says it.
public struct Refusal: Error, Equatable, Sendable {
  /// The kind of a refusal; its name is what stands on the wire.
  public enum Code: String, CaseIterable, Sendable {
    /// There is no such address, or a pattern meets nothing, or things of different kinds.
    case address
    /// A channel number is not one of the matrix.
    case index
    /// An argument is of a type that cannot mean this.
    case type
    /// A number is so far out of range that it must be in another unit.
    case range
    /// Too few or too many arguments.
    case count
    /// A number is not finite.
    case nan
    /// Too much for one datagram.
    case size
    /// A time tag is too far ahead, or too many changes wait already.
    case time
    /// A word or a text is not one of those that are allowed.
    case value
    /// Something that was asked for is in use.
    case busy
  }

  /// The kind.
  public var code: Code
  /// What was wrong and what would be right, in a sentence.
  public var text: String

  /// Makes a refusal.
  public init(_ code: Code, _ text: String) {
    self.code = code
    self.text = text
  }
}
