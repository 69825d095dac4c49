/// Where something stands in a text.
///
/// Lines and columns count from 1. A column is one Unicode scalar, so a tab and an umlaut are one
/// column each; a byte order mark at the start of a text is not counted.
public struct TextPosition: Equatable, Sendable {
  /// The line, from 1.
  public var line: Int
  /// The column, from 1.
  public var column: Int

  /// Names a place.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}
