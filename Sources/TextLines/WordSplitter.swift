/// Takes one line apart into its words.
struct WordSplitter {
  private let scalars: [Unicode.Scalar]
  private let file: String
  private let line: Int
  private var index = 0
  private var endOfLastWord = 0

  init(_ scalars: [Unicode.Scalar], file: String, line: Int) {
    self.scalars = scalars
    self.file = file
    self.line = line
  }

  /// The place right after the last word that was taken.
  var position: TextPosition { TextPosition(line: line, column: endOfLastWord + 1) }

  mutating func words() throws(TextError) -> [Word] {
    var words: [Word] = []
    while true {
      while index < scalars.count, Self.isBlank(scalars[index]) { index += 1 }
      guard index < scalars.count, scalars[index] != "#" else { return words }
      words.append(scalars[index] == "\"" ? try quotedWord() : try bareWord())
      endOfLastWord = index
    }
  }

  private mutating func quotedWord() throws(TextError) -> Word {
    let start = index
    var text = String.UnicodeScalarView()
    index += 1
    while index < scalars.count, scalars[index] != "\"" {
      if scalars[index] == "\\" {
        guard index + 1 < scalars.count, ["\"", "\\"].contains(scalars[index + 1]) else {
          let escape = String(String.UnicodeScalarView(scalars[index...].prefix(2)))
          throw error(
            at: index, found: Word.shown(escape),
            expected: "\\\" or \\\\, the only two that a backslash begins inside quotes")
        }
        index += 1
      }
      text.append(scalars[index])
      index += 1
    }
    guard index < scalars.count else {
      throw error(
        at: start, found: "a quote that is not closed",
        expected: "a second quote before the end of the line")
    }
    index += 1
    if index < scalars.count, !Self.isBlank(scalars[index]) {
      throw error(
        at: index, found: "\(shown(scalars[index])) right after a closing quote",
        expected: "a space there")
    }
    return word(text, isQuoted: true, start: start)
  }

  private mutating func bareWord() throws(TextError) -> Word {
    let start = index
    if Self.curlyQuotes.contains(scalars[start]) {
      throw error(
        at: start, found: "the typographic quote \(scalars[start])", expected: "a straight quote")
    }
    while index < scalars.count, !Self.isBlank(scalars[index]) {
      let scalar = scalars[index]
      if scalar == "\"" {
        throw error(
          at: index, found: "a quote inside a word",
          expected: "a space before it, or quotes around the whole word")
      }
      // Pasted from a web page or a word processor, these look like the space that they are not.
      if scalar.properties.isWhitespace || scalar == "\u{FEFF}" || scalar == "\u{200B}" {
        throw error(
          at: index, found: "the special space \(LineReader.hex(scalar))",
          expected: "an ordinary space")
      }
      index += 1
    }
    return word(String.UnicodeScalarView(scalars[start..<index]), isQuoted: false, start: start)
  }

  private static let curlyQuotes: [Unicode.Scalar] = ["“", "”", "„", "‟"]

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t"
  }

  private func word(_ text: String.UnicodeScalarView, isQuoted: Bool, start: Int) -> Word {
    Word(
      text: String(text), isQuoted: isQuoted,
      position: TextPosition(line: line, column: start + 1))
  }

  private func shown(_ scalar: Unicode.Scalar) -> String { Word.shown(String(scalar)) }

  private func error(at index: Int, found: String, expected: String) -> TextError {
    TextError(
      file: file, position: TextPosition(line: line, column: index + 1), found: found,
      expected: expected)
  }
}
