import Control
import Messages
import TextLines

/// The options of a line as they are written, with their steps.
struct OptionsTemplate {
  /// The most destinations of feedback that a line has.
  static let mostFeedback = 16

  /// Where each option stands.
  private(set) var words: [OptionWord: Word] = [:]
  /// Where the numbers stand that are checked against the address.
  private(set) var numbers: [OptionWord: [Word]] = [:]
  /// The destinations of feedback.
  private(set) var feedback: [FeedbackTemplate] = []
  /// The options, without feedback.
  private(set) var plain = MappingOptions()
  private let highest: Int

  /// Takes the rest of a line; `highest` is the highest position of its source.
  init(
    _ cursor: inout WordCursor, _ steps: inout StepCount, highest: Int
  ) throws(TextError) {
    self.highest = highest
    while let word = cursor.next {
      guard !word.isQuoted, let option = OptionWord(rawValue: word.text) else {
        throw Self.unknown(word, cursor.line)
      }
      if option != .feedback { try refuseRivals(of: option, word, cursor.line) }
      words[option] = words[option] ?? word
      cursor.skip()
      try take(option, word, &cursor, &steps)
    }
  }

  /// The options with their places, from left to right.
  var inOrder: [(option: OptionWord, word: Word)] {
    words.map { ($0.key, $0.value) }
      .sorted { $0.1.position.column < $1.1.position.column }
  }

  /// The options at a step, from 0.
  func options(at step: Int) -> MappingOptions {
    guard !feedback.isEmpty else { return plain }
    var options = plain
    options.feedback = feedback.map { $0.feedback(at: step) }
    return options
  }

  private mutating func take(
    _ option: OptionWord, _ word: Word, _ cursor: inout WordCursor, _ steps: inout StepCount
  ) throws(TextError) {
    switch option {
    case .range: try takeRange(&cursor)
    case .taper: plain.taper = try cursor.takeOne(of: Taper.self)
    case .max: plain.maximum = try cursor.takeWhole(1...highest, "a highest position")
    case .jump: plain.takeover = .jump
    case .pickup: plain.takeover = .pickup
    case .scale: plain.takeover = .scale
    case .gate: plain.button = .gate
    case .toggle: plain.button = .toggle
    case .push: plain.button = .push
    case .relative: plain.relative = try cursor.takeOne(of: MappingOptions.Relative.self)
    case .step:
      let (value, word) = try cursor.takeNumber("a number that one step changes")
      plain.step = value
      numbers[.step] = [word]
    case .bank: plain.bank = try Self.bank(&cursor)
    case .feedback:
      try addFeedback(FeedbackTemplate(word, &cursor, &steps, highest: highest), cursor.line)
    case .set: try takeArguments(&cursor)
    }
  }

  private mutating func takeRange(_ cursor: inout WordCursor) throws(TextError) {
    let (low, lowWord) = try cursor.takeNumber("a number for position 0")
    let (high, highWord) = try cursor.takeNumber("a number for the highest position")
    numbers[.range] = [lowWord, highWord]
    // Off is -120 dB, and also what lies infinitely far below.
    plain.range = MappingRange(
      low: low.isFinite ? low : Level.offDB, high: high.isFinite ? high : Level.offDB)
    guard plain.range?.low != plain.range?.high else {
      throw cursor.line.unexpected(highWord, expected: "another number than for position 0")
    }
  }

  private static func bank(_ cursor: inout WordCursor) throws(TextError) -> MappingOptions.Bank {
    let expected = "the name of the bank and how many channels it shows"
    let name = try cursor.take(expected)
    guard !name.text.isEmpty, name.text.utf8.count <= Level.longestNameBytes else {
      throw cursor.line.unexpected(
        name, expected: "the name of the bank, of 1 to \(Level.longestNameBytes) bytes")
    }
    return MappingOptions.Bank(
      name: name.text, count: try cursor.takeWhole(1...512, "how many channels the bank shows,"))
  }

  private mutating func addFeedback(
    _ template: FeedbackTemplate, _ line: TextLine
  ) throws(TextError) {
    guard feedback.count < Self.mostFeedback else {
      throw line.unexpected(
        template.word, expected: "at most \(Self.mostFeedback) destinations of feedback")
    }
    feedback.append(template)
    guard feedback.count == 1 || !feedback.contains(where: \.isNone) else {
      throw line.unexpected(template.word, expected: "feedback none alone, or none of it")
    }
  }

  private mutating func takeArguments(_ cursor: inout WordCursor) throws(TextError) {
    guard cursor.next != nil else { throw cursor.line.missing("what a press sends") }
    let rest = cursor.takeRest()
    for word in rest where word.looksLikeDecimalComma {
      throw cursor.line.unexpected(
        word, expected: "a number with a dot, or quotes around a string")
    }
    numbers[.set] = Array(rest)
    plain.arguments = rest.map(\.argument)
  }

  private func refuseRivals(
    of option: OptionWord, _ word: Word, _ line: TextLine
  ) throws(TextError) {
    for rival in option.rivals {
      guard let earlier = words[rival] else { continue }
      let expected =
        rival == option
        ? "\(option.rawValue) only once"
        : "only one of \(listed(option.rivals.map(\.rawValue), "and"))"
      throw line.unexpected(
        word, expected: "\(expected); \(rival.rawValue) stands at column \(earlier.position.column)"
      )
    }
  }

  private static func unknown(_ word: Word, _ line: TextLine) -> TextError {
    if !word.isQuoted, word.text.utf8.first == UInt8(ascii: "/") {
      return line.unexpected(word, expected: "an option, or a comma behind the address before it")
    }
    if !word.isQuoted, word.text.utf8.first == UInt8(ascii: ",") {
      return line.unexpected(word, expected: "an option, or the comma right behind the address")
    }
    let part =
      ["values", "ring"].contains(word.text) ? "; values and ring stand behind feedback" : ""
    return line.unexpected(
      word,
      expected: "an option (\(listed(OptionWord.words)))\(part)"
        + perhaps(word, OptionWord.words))
  }
}
