import Surfaces
import TextLines

/// Reads a configuration: option names without dashes, and address lines for the start.
package enum Configuration {
  /// Reads the options and address lines of a configuration.
  ///
  /// - Throws: a `TextError` at the first line that is neither an address line nor an option of
  ///   the table with a value in its range, and at an option that is given twice.
  package static func read(_ bytes: [UInt8], file: String) throws(TextError) -> OptionLayer {
    var layer = OptionLayer()
    var lineNumbers: [OptionName: Int] = [:]
    for line in try LineReader.lines(of: bytes, file: file) {
      let first = line.words[0]
      if !first.isQuoted, first.text.utf8.first == UInt8(ascii: "/") {
        layer.addressLines.append(try line.message())
        continue
      }
      let entry = try entry(of: line)
      if let earlier = lineNumbers[entry.name], !entry.repeats {
        throw line.unexpected(
          first, expected: "\(entry.name.rawValue) only once; it stands on line \(earlier) too")
      }
      lineNumbers[entry.name] = first.position.line
      layer.add(try value(of: entry, line), to: entry.name)
    }
    return layer
  }

  private static func entry(of line: TextLine) throws(TextError) -> OptionEntry {
    let word = line.words[0]
    let names = OptionTable.configurable.map(\.name.rawValue)
    if !word.isQuoted,
      let entry = OptionTable.configurable.first(where: { $0.name.rawValue == word.text })
    {
      return entry
    }
    if !word.isQuoted, OptionTable.entries.contains(where: { $0.name.rawValue == word.text }) {
      throw line.unexpected(word, expected: "an option that is not for the command line alone")
    }
    let meant = word.text.hasPrefix("--") ? String(word.text.dropFirst(2)) : word.text
    let hint = nearest(to: meant, among: names).map { ", perhaps \($0)" } ?? ""
    throw line.unexpected(
      word, expected: "the name of an option without dashes or an address\(hint)")
  }

  private static func value(
    of entry: OptionEntry, _ line: TextLine
  ) throws(TextError) -> OptionValue {
    let wordCount = entry.kind == .flag ? 1 : 2
    guard line.words.count >= wordCount else { throw line.missing(entry.kind.expected) }
    if entry.kind == .client {
      do throws(FixedClient.Misread) {
        var client = try FixedClient(words: line.words.dropFirst())
        client.origin = origin(of: line.words[1], line)
        return .client(client)
      } catch {
        guard let word = error.word else { throw line.missing(entry.kind.expected) }
        throw line.unexpected(word, expected: entry.kind.expected)
      }
    }
    guard line.words.count == wordCount else {
      let reason =
        entry.kind == .flag
        ? "because \(entry.name.rawValue) stands alone"
        : "because \(entry.name.rawValue) takes one value"
      throw line.unexpected(line.words[wordCount], expected: "the end of the line, \(reason)")
    }
    if entry.kind == .flag { return .flag }
    let word = line.words[1]
    if entry.kind == .mapping, !word.text.isEmpty { return .mapping(mapping(word, line)) }
    guard let value = entry.kind.value(of: word.text) else {
      throw line.unexpected(word, expected: entry.kind.expected)
    }
    return value
  }

  /// A mapping's file counts from the configuration's folder, so that a show can be moved whole.
  private static func mapping(_ word: Word, _ line: TextLine) -> MappingChoice {
    let name = line.file.lastIndex(of: "/").map { line.file[...$0] } ?? ""
    return MappingChoice(word.text, origin: origin(of: word, line), folder: String(name))
  }

  private static func origin(of word: Word, _ line: TextLine) -> String {
    "\(line.file):\(word.position.line):\(word.position.column)"
  }
}
