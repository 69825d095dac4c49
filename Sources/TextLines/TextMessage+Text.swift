import Messages

extension TextMessage {
  /// An address and arguments as a line has them; read again they are the same numbers and strings.
  ///
  /// Numbers are written with as many digits as the very same number needs. Strings must not have
  /// control characters. A `float` comes back as a `double` of the same value, a `bool` as 0 or 1.
  public static func text(address: String, arguments: [Argument]) -> String {
    ([address] + arguments.map(word(of:))).joined(separator: " ")
  }

  private static func word(of argument: Argument) -> String {
    switch argument {
    case .int32(let value): String(value)
    case .int64(let value): String(value)
    case .float(let value): word(of: .double(Double(value)))
    case .double(let value): value.description
    case .bool(let value): value ? "1" : "0"
    case .string(let text): quoted(text)
    case .null, .impulse, .other: "1"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted.unicodeScalars.append("\\") }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
