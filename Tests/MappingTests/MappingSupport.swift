import Mapping
import Testing
import TextLines

/// Reads a mapping given as a string.
func mapping(_ text: String, file: String = "box.map") throws(TextError) -> Mapping {
  try Mapping(Array(text.utf8), file: file)
}

/// The lines of the only device of a mapping, of which the text has the controls alone.
func controls(_ text: String) throws(TextError) -> [MappingLine] {
  try mapping("device box\n" + text).sections[0].lines
}

/// The sentence that a mapping is refused with, or nothing when it is read.
func refusal(_ bytes: [UInt8], file: String = "box.map") -> String? {
  do throws(TextError) {
    _ = try Mapping(bytes, file: file)
    return nil
  } catch {
    return error.description
  }
}

/// A text with a mistake, and the sentence that it is refused with.
struct Mistake: Sendable, CustomTestStringConvertible {
  let text: String
  let sentence: String

  var testDescription: String {
    text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\\n")
  }

  /// The mistakes of a table, each a line of text with `\n` for a line feed, and below it,
  /// indented, the sentence without the file's name.
  static func table(_ table: String, below device: String = "device box\n") -> [Mistake] {
    let lines = table.split(separator: "\n", omittingEmptySubsequences: false)
    precondition(lines.count.isMultiple(of: 2), "two lines for each mistake")
    return stride(from: 0, to: lines.count, by: 2).map { index in
      let parts = lines[index].split(separator: "\\n", omittingEmptySubsequences: false)
      precondition(lines[index + 1].hasPrefix("  "), "the sentence is indented")
      return Mistake(
        text: device + parts.joined(separator: "\n"),
        sentence: "box.map:" + lines[index + 1].dropFirst(2))
    }
  }
}
