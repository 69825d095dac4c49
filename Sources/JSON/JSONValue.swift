/// A value of JSON (RFC 8259), for the files that the program writes itself.
public enum JSONValue: Equatable, Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A number; always finite.
  case number(Double)
  /// A text.
  case string(String)
  /// Values in a row.
  case array([JSONValue])
  /// Values with names, in the order in which they stand in the text; no name stands twice.
  case object([Member])

  /// A value with its name.
  public struct Member: Equatable, Sendable {
    /// The name.
    public var name: String
    /// The value.
    public var value: JSONValue

    /// Gives a value a name.
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The member of an object with a name; nothing when there is none, or when this is no object.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The number, if it is one.
  public var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  /// The truth value, if it is one.
  public var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  /// The text, if it is one.
  public var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  /// The values of an array, if it is one.
  public var array: [JSONValue]? {
    if case .array(let values) = self { values } else { nil }
  }

  /// Whether it holds no other value.
  var isScalar: Bool {
    switch self {
    case .null, .bool, .number, .string: true
    case .array, .object: false
    }
  }
}
