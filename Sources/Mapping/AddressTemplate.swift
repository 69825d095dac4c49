import Messages
import TextLines

/// An address as it is written, with its steps.
struct AddressTemplate {
  private enum Piece {
    case text(String)
    case steps(Steps)
  }

  /// The most bytes of an address.
  static let longest = 256

  /// The word, without a comma that stands behind it.
  let text: String
  let position: TextPosition
  /// The first range in it, and where that stands.
  private(set) var firstRange: (steps: Steps, position: TextPosition)?
  private var pieces: [Piece] = []
  /// The offset of each part in the word, in scalars.
  private var parts: [Int] = []
  private let file: String

  /// Reads a word that begins with `/`; a comma behind it has been taken off.
  init(
    _ text: String, of word: Word, in line: TextLine, _ count: inout StepCount
  ) throws(TextError) {
    self.text = text
    position = word.position
    file = line.file
    guard text.utf8.count <= Self.longest else {
      throw line.unexpected(word, expected: "an address of at most \(Self.longest) bytes")
    }
    try split(&count)
  }

  /// Whether it is a pattern.
  var isPattern: Bool {
    var text = text
    return text.withUTF8 { AddressPattern.isPattern($0) }
  }

  private mutating func split(_ count: inout StepCount) throws(TextError) {
    var rest = Substring(text).utf8
    var literal = ""
    var column = 0
    var depth = 0
    while let byte = rest.first {
      if byte == UInt8(ascii: "<") {
        let before = rest.count
        guard let steps = Steps(taking: &rest) else {
          throw error(at: column, Word.shown(String(Substring(rest))), "steps such as <0-7>")
        }
        let place = place(column)
        try count.join(steps, at: place, of: file)
        if firstRange == nil { firstRange = (steps, place) }
        pieces += [.text(literal), .steps(steps)]
        literal = ""
        column += before - rest.count
        continue
      }
      switch byte {
      case UInt8(ascii: "/"):
        parts.append(column + 1)
        depth = 0
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ",") where depth <= 0:
        throw error(
          at: column, "a comma inside an address", "a space behind it and then another address")
      default: break
      }
      let scalar = Substring(rest).unicodeScalars[rest.startIndex]
      literal.unicodeScalars.append(scalar)
      rest = rest.dropFirst(UTF8.width(scalar))
      column += 1
    }
    pieces.append(.text(literal))
  }

  /// The address at a step, from 0.
  func address(at step: Int) -> String {
    pieces.reduce(into: "") { address, piece in
      switch piece {
      case .text(let text): address += text
      case .steps(let steps): address += String(steps.number(at: step))
      }
    }
  }

  /// What is wrong with the address at a step.
  func error(_ fault: AddressBook.Fault, at step: Int) -> TextError {
    guard fault.part < parts.count else {
      return error(
        at: text.unicodeScalars.count, fault.found ?? "the end of the address", fault.expected)
    }
    let words = address(at: step).utf8.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return error(
      at: parts[fault.part], fault.found ?? Word.shown(String(Substring(words[fault.part + 1]))),
      fault.expected)
  }

  private func place(_ column: Int) -> TextPosition {
    TextPosition(line: position.line, column: position.column + column)
  }

  private func error(at column: Int, _ found: String, _ expected: String) -> TextError {
    TextError(file: file, position: place(column), found: found, expected: expected)
  }
}
