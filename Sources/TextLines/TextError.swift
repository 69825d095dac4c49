/// What is wrong at one place of a text, told in one sentence.
public struct TextError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The name of the text, usually its file's name as the user gave it.
  public var file: String
  /// Where the trouble begins.
  public var position: TextPosition
  /// What stands there.
  public var found: String
  /// What could have stood there.
  public var expected: String

  /// Says what was found where, and what was expected.
  public init(file: String, position: TextPosition, found: String, expected: String) {
    self.file = file
    self.position = position
    self.found = found
    self.expected = expected
  }

  /// The whole sentence, as `FILE:LINE:COLUMN: found …, expected ….`.
  public var description: String {
    "\(file):\(position.line):\(position.column): found \(found), expected \(expected)."
  }
}
