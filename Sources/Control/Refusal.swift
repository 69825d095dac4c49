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
    /// Too much for one datagram, or a text that is too long.
    case size
    /// A time tag is too far ahead, or too many changes wait already.
    case time
    /// A word or a text is not one of those that are allowed.
    case value
    /// There is no such scene, or no room for one more, or another has the name.
    case scene
    /// There is nothing to take back, or to bring back.
    case undo
    /// The datagram is not OSC; said by the surface that received it.
    case malformed

    /// What it means, for the documents.
    public var help: String {
      switch self {
      case .address: "There is no such address, or a pattern meets nothing, or different things."
      case .index: "A channel number is not one of the matrix."
      case .type: "An argument is of a type that cannot mean this."
      case .range: "A number is so far out of range that it must be in another unit."
      case .count: "Too few or too many arguments."
      case .nan: "A number is not finite."
      case .size: "Too much for one datagram, or a text that is too long."
      case .time: "A time tag is more than 60 s ahead, or too many changes wait already."
      case .value: "A word or a text that is not one of those allowed."
      case .scene: "There is no such scene, no room for one more, or another one has the name."
      case .undo: "There is nothing to take back, or to bring back."
      case .malformed: "The datagram is not OSC."
      }
    }
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
