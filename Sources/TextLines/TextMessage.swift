import Messages

/// A line's `ADDRESS ARGS…`: one message, and where it was written.
public struct TextMessage: Equatable, Sendable {
  /// The name of the text, for errors.
  public var file: String
  /// Where the address stands.
  public var position: TextPosition
  /// The address; begins with `/`.
  public var address: String
  /// The arguments, as `Word.argument` says.
  public var arguments: [Argument]

  /// Makes a message.
  public init(file: String, position: TextPosition, address: String, arguments: [Argument]) {
    self.file = file
    self.position = position
    self.address = address
    self.arguments = arguments
  }

  /// Where the message was written, to begin an error about it: `FILE:LINE:COLUMN`.
  public var origin: String { "\(file):\(position.line):\(position.column)" }
}

extension TextLine {
  /// The message that begins at one of the line's words and goes to its end.
  ///
  /// - Throws: a `TextError` when there is no such word, when it is quoted or does not begin with
  ///   `/`, or when an argument is a number with a decimal comma.
  public func message(from index: Int = 0) throws(TextError) -> TextMessage {
    guard index < words.count else { throw missing("an address such as /matrix/in/0/gain") }
    let first = words[index]
    guard !first.isQuoted, first.text.utf8.first == UInt8(ascii: "/") else {
      throw unexpected(first, expected: "an address, which begins with / and has no quotes")
    }
    for word in words[(index + 1)...] where word.looksLikeDecimalComma {
      throw unexpected(word, expected: "a number with a dot, or quotes around a string")
    }
    return TextMessage(
      file: file, position: first.position, address: first.text,
      arguments: words[(index + 1)...].map(\.argument))
  }
}
