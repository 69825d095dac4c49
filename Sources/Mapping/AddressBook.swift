import Control
import MatrixCore
import Messages
import TextLines

/// What the addresses of mappings mean, by the table alone.
///
/// A mapping knows no matrix, so every channel number that some matrix has is sound, and so is every
/// name that a channel can have.
struct AddressBook {
  /// What an address means.
  struct Meaning {
    /// The row of the table; of a pattern that meets several rows, the first.
    var row: ParameterRow
    /// What it is to a hand.
    var kind: AddressKind
  }

  /// Why an address means nothing.
  struct Fault: Error {
    /// The part at which it goes wrong, from 0; the number of parts where something is missing.
    var part: Int
    /// What stands there, if it is not the part.
    var found: String?
    /// What could stand there.
    var expected: String
  }

  // A class, because a search hands the same rows on from part to part.
  private final class Entry: Sendable {
    let row: ParameterRow
    let parts: [String]
    let bytes: [[UInt8]]

    init(_ row: ParameterRow) {
      self.row = row
      parts = row.address.split(separator: "/").map(String.init)
      bytes = parts.map { Array($0.utf8) }
    }

    func hasNumber(at part: Int) -> Bool { bytes[part].first == UInt8(ascii: "{") }
  }

  // What a client asks for itself, meters among it, means nothing from a hand.
  private static let entries = ParameterTable.rows.filter { !$0.parameter.isAboutClient }
    .map(Entry.init)

  // A large matrix has many inputs or many outputs, never both.
  private lazy var checks: [MessageCheck] = {
    let most = MatrixShape.maximumChannels
    let rest = MatrixShape.maximumCrosspoints / most
    return [(most, rest), (rest, most)].compactMap { inputs, outputs in
      MatrixShape(inputs: inputs, outputs: outputs).map {
        MessageCheck(HubConfiguration(shape: $0))
      }
    }
  }()

  /// What an address means, which begins with `/`.
  func meaning(of address: String) throws(Fault) -> Meaning {
    let parts = address.utf8.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
    ).dropFirst().map(Array.init)
    var candidates = Self.entries
    for (number, part) in parts.enumerated() {
      let longer = candidates.filter { $0.parts.count > number }
      let isPattern = Self.isPattern(part)
      // Found once for all rows: a pattern takes its time.
      let isChannel =
        longer.contains { $0.hasNumber(at: number) } && Self.isChannel(part, isPattern)
      candidates = longer.filter { entry in
        if entry.hasNumber(at: number) { return isChannel }
        let word = entry.bytes[number]
        return word == part || isPattern && Self.matches(part, word)
      }
      guard !candidates.isEmpty else { throw Self.unknown(part, number, longer.map(\.parts)) }
    }
    var hits = candidates.filter { $0.parts.count == parts.count }
    guard !hits.isEmpty else {
      let more = Self.words(candidates.map(\.parts), at: parts.count)
      throw Fault(
        part: parts.count, found: "the end of the address", expected: "/ and \(listed(more))")
    }
    if Self.isPattern(Array(address.utf8)) {
      hits.removeAll { $0.row.parameter.isTrigger }
      guard !hits.isEmpty else {
        throw Fault(
          part: parts.count - 1, found: "a pattern for a trigger",
          expected: "its address written out, because patterns do not meet triggers")
      }
    }
    let others = hits.filter { $0.row.parameter != hits[0].row.parameter }
    if let other = others.first {
      throw Fault(
        part: parts.count - 1,
        found: "a pattern for \(hits[0].row.address) and "
          + "\(other.row.address)", expected: "a pattern that meets one kind of thing")
    }
    guard let kind = AddressKind(hits[0].row) else {
      throw Fault(
        part: parts.count - 1,
        expected: "what can be set, because \(hits[0].row.address) can only be asked")
    }
    return Meaning(row: hits[0].row, kind: kind)
  }

  /// Why arguments are refused for what an address means, or nothing when they are sound.
  mutating func objection(to arguments: [Argument], for meaning: Meaning) -> String? {
    let parts = meaning.row.address.split(separator: "/").map { $0.first == "{" ? "0" : $0 }
    let address = parts.map { "/" + $0 }.joined()
    var objection: String?
    for index in checks.indices {
      do throws(Refusal) {
        if try checks[index].acts(address, arguments) { return nil }
        objection = "a number below 0.5 is a button's release and does nothing"
      } catch {
        // Both say the same but for a number: the larger is what some matrix takes.
        objection = max(objection ?? "", error.text)
      }
    }
    return objection
  }

  // MARK: Parts

  /// Whether a part is the number of a channel of some matrix, a name that one can have, or a
  /// pattern that meets a number or has letters to meet a name.
  private static func isChannel(_ part: [UInt8], _ isPattern: Bool) -> Bool {
    let numbers = 0..<MatrixShape.maximumChannels
    if !isPattern {
      if AddressNames.canBeName(part) { return true }
      return Steps(String(decoding: part, as: UTF8.self)).map { !$0.isRange && numbers ~= $0.first }
        ?? false
    }
    if part.contains(where: { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }) {
      return true
    }
    return part.withUnsafeBufferPointer { pattern in
      numbers.contains { AddressPattern.matches(pattern: pattern, number: $0) }
    }
  }

  private static func isPattern(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { AddressPattern.isPattern($0) }
  }

  private static func matches(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
    AddressPattern.matches(pattern: pattern.span, text: text.span)
  }

  private static func unknown(_ part: [UInt8], _ number: Int, _ known: [[String]]) -> Fault {
    let found = part.isEmpty ? "nothing behind a slash" : nil
    guard !known.isEmpty else {
      return Fault(part: number, found: found, expected: "the end of the address")
    }
    if isPattern(part) {
      let all = listed(words(known, at: number))
      return Fault(part: number, found: found, expected: "a pattern that meets \(all)")
    }
    let literal = known.map { $0[number] }.filter { $0.first != "{" }
    let hint = nearest(to: String(decoding: part, as: UTF8.self), among: literal)
    return Fault(
      part: number, found: found,
      expected: listed(words(known, at: number)) + (hint.map { ", perhaps \($0)" } ?? ""))
  }

  /// The words that can stand at a part, each once, in the order of the table.
  private static func words(_ known: [[String]], at part: Int) -> [String] {
    var words: [String] = []
    for parts in known where parts.count > part {
      let last = MatrixShape.maximumChannels - 1
      let word =
        switch parts[part] {
        case "{i}": "an input from 0 to \(last) or its name"
        case "{o}": "an output from 0 to \(last) or its name"
        case "{g}": "a group from 0 to \(AddressNames.groupCount - 1) or its name"
        case let word where word.first == "{": "a number"
        case let word: word
        }
      if !words.contains(word) { words.append(word) }
    }
    return words
  }
}
