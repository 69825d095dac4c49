/// Reads the lines of a text one after the other, as words.
///
/// A text is UTF-8, with or without a byte order mark, its lines ended by LF or CRLF. Words are
/// separated by spaces and tabs. A word that begins with `"` goes to the next `"` and may contain
/// `\"` and `\\`; a `#` at the start of a word begins a comment. Lines without words are skipped.
/// Any bytes at all are either read or refused with a place; no input makes the reader trap.
public struct LineReader: Sendable {
  private let file: String
  private let bytes: [UInt8]
  private var offset = 0
  private var lineNumber = 0

  /// Reads a text; `file` is its name in errors.
  public init(_ bytes: [UInt8], file: String) {
    self.file = file
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  /// The next line that has words, or nothing at the end of the text.
  ///
  /// - Throws: a `TextError` at the first thing of the line that is not text. The reader can go on
  ///   with the line after it.
  public mutating func next() throws(TextError) -> TextLine? {
    while offset < bytes.count {
      let end = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      var contents = bytes[offset..<end]
      offset = end + 1
      lineNumber += 1
      if contents.last == UInt8(ascii: "\r") { contents.removeLast() }
      let scalars = try Self.decode(contents, file: file, line: lineNumber)
      var splitter = WordSplitter(scalars, file: file, line: lineNumber)
      let words = try splitter.words()
      if !words.isEmpty { return TextLine(file: file, words: words, end: splitter.position) }
    }
    return nil
  }

  /// All lines of a text that have words.
  public static func lines(
    of bytes: [UInt8], file: String
  ) throws(TextError) -> [TextLine] {
    var reader = LineReader(bytes, file: file)
    var lines: [TextLine] = []
    while let line = try reader.next() { lines.append(line) }
    return lines
  }

  private static func decode(
    _ contents: ArraySlice<UInt8>, file: String, line: Int
  ) throws(TextError) -> [Unicode.Scalar] {
    var scalars: [Unicode.Scalar] = []
    scalars.reserveCapacity(contents.count)
    var decoder = UTF8()
    var iterator = contents.makeIterator()
    while true {
      let position = TextPosition(line: line, column: scalars.count + 1)
      switch decoder.decode(&iterator) {
      case .emptyInput:
        return scalars
      case .error:
        throw TextError(
          file: file, position: position, found: "bytes that are not UTF-8",
          expected: "a text that is saved as UTF-8")
      case .scalarValue("\r"):
        throw TextError(
          file: file, position: position, found: "a carriage return inside the line",
          expected: "lines that end with LF or CRLF")
      case .scalarValue(let scalar):
        guard scalar == "\t" || !Word.isControl(scalar) else {
          throw TextError(
            file: file, position: position, found: "a control character (\(hex(scalar)))",
            expected: "text")
        }
        scalars.append(scalar)
      }
    }
  }

  /// A scalar as U+XXXX.
  static func hex(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
