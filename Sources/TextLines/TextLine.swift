/// One line of a text that has at least one word.
public struct TextLine: Equatable, Sendable {
  /// The name of the text that the line belongs to, for errors.
  public var file: String
  /// The words, in order; never empty when the line comes from a `LineReader`.
  public var words: [Word]
  /// The place right after the last word, where a missing word would stand.
  public var end: TextPosition

  /// Makes a line.
  public init(file: String, words: [Word], end: TextPosition) {
    self.file = file
    self.words = words
    self.end = end
  }

  /// The error that a word is not what was expected.
  public func unexpected(_ word: Word, expected: String) -> TextError {
    TextError(file: file, position: word.position, found: word.shown, expected: expected)
  }

  /// The error that the line ends too early.
  public func missing(_ expected: String) -> TextError {
    TextError(file: file, position: end, found: "the end of the line", expected: expected)
  }
}
