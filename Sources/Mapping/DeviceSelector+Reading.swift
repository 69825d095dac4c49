import TextLines

extension DeviceSelector {
  /// The most characters of a glob.
  private static let longest = 128

  /// Takes what follows the word `device`.
  init(_ cursor: inout WordCursor) throws(TextError) {
    self.init(
      client: try Self.glob(&cursor, "the name of a device, such as \"nanoKONTROL2*\""))
    var words: [String: Word] = [:]
    while let word = cursor.next {
      let options = ["port", "nth"]
      guard !word.isQuoted, options.contains(word.text) else {
        throw cursor.line.unexpected(
          word,
          expected: "port, nth or the end of the line, with quotes around a name that has "
            + "spaces" + perhaps(word, options))
      }
      if let earlier = words[word.text] {
        throw cursor.line.unexpected(
          word, expected: "\(word.text) only once; it stands at column \(earlier.position.column)")
      }
      words[word.text] = word
      cursor.skip()
      if word.text == "nth" {
        nth = try cursor.takeWhole(1...64, "which of several devices,")
      } else {
        port = try Self.port(&cursor)
      }
    }
  }

  /// The selector in lower case: what means the same is equal.
  var folded: DeviceSelector {
    var folded = self
    folded.client = client.lowercased()
    if case .name(let glob) = port { folded.port = .name(glob.lowercased()) }
    return folded
  }

  private static func port(_ cursor: inout WordCursor) throws(TextError) -> Port {
    let expected = "the number of a port from 0 to 255, or its name"
    guard let word = cursor.next else { throw cursor.line.missing(expected) }
    guard word.number != nil else { return .name(try glob(&cursor, expected)) }
    return .number(try cursor.takeWhole(0...255, "the number of a port"))
  }

  /// A glob, without spaces at its ends.
  private static func glob(
    _ cursor: inout WordCursor, _ expected: String
  ) throws(TextError) -> String {
    let word = try cursor.take(expected)
    let spaces = { (character: Character) in character == " " || character == "\t" }
    let trimmed = word.text.drop(while: spaces).reversed().drop(while: spaces).reversed()
    guard !trimmed.isEmpty, trimmed.count <= longest else {
      let limit = trimmed.isEmpty ? "" : ", of at most \(longest) characters"
      throw cursor.line.unexpected(word, expected: expected + limit)
    }
    return String(trimmed)
  }
}
