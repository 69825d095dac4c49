import TextLines

/// One `feedback` of a line as it is written, with its steps.
struct FeedbackTemplate {
  /// Where `values` and `ring` stand, if they do.
  private(set) var valuesWord: Word?
  private(set) var ringWord: Word?
  /// The word `feedback` itself.
  let word: Word
  /// Whether it says that nothing is sent.
  private(set) var isNone = false
  private var source: SourceTemplate?
  private var channel: Steps?
  private var values: [Int]?
  private var ring: MappingOptions.Ring?

  /// Takes what follows the word `feedback`; `highest` is the line's own highest position.
  init(
    _ word: Word, _ cursor: inout WordCursor, _ steps: inout StepCount, highest: Int
  ) throws(TextError) {
    self.word = word
    var highest = highest
    switch cursor.nextBare {
    case "same":
      cursor.skip()
    case "none":
      cursor.skip()
      isNone = true
    case "ch":
      cursor.skip()
      channel = try cursor.takeSteps(1...16, "a channel", &steps)
      source = try SourceTemplate(&cursor, &steps)
    case let text? where SourceTemplate.Kind(rawValue: text) != nil:
      source = try SourceTemplate(&cursor, &steps)
    default:
      try Self.refuseUnknown(cursor)
    }
    if let source { highest = source.source(at: 0).highest }
    while let next = cursor.next, !next.isQuoted, next.text == "values" || next.text == "ring" {
      guard !isNone else {
        throw cursor.line.unexpected(next, expected: "nothing of feedback behind none")
      }
      if next.text == "values" {
        try takeValues(next, &cursor, highest)
      } else {
        try takeRing(next, &cursor)
      }
    }
  }

  /// Refuses a word that neither belongs to feedback nor begins another option.
  private static func refuseUnknown(_ cursor: WordCursor) throws(TextError) {
    guard let next = cursor.next else { return }
    let own = ["same", "none", "ch"] + SourceTemplate.words + ["values", "ring"]
    let words = own + OptionWord.words
    guard next.isQuoted || !words.contains(next.text) else { return }
    throw cursor.line.unexpected(
      next, expected: "\(own.joined(separator: ", ")) or another option" + perhaps(next, words))
  }

  private mutating func takeValues(
    _ word: Word, _ cursor: inout WordCursor, _ highest: Int
  ) throws(TextError) {
    guard valuesWord == nil else {
      throw cursor.line.unexpected(word, expected: "values once for a feedback")
    }
    valuesWord = word
    cursor.skip()
    let range = 0...highest
    var values = [
      try cursor.takeWhole(range, "the value for off"),
      try cursor.takeWhole(range, "the value for on"),
    ]
    if let next = cursor.nextBare, next.utf8.first.map(Self.isDigit) == true {
      values.append(try cursor.takeWhole(range, "the value for blinking"))
    }
    self.values = values
  }

  private mutating func takeRing(
    _ word: Word, _ cursor: inout WordCursor
  ) throws(TextError) {
    guard ringWord == nil else {
      throw cursor.line.unexpected(word, expected: "ring once for a feedback")
    }
    ringWord = word
    cursor.skip()
    ring = try cursor.takeOne(of: MappingOptions.Ring.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// The destination at a step, from 0.
  func feedback(at step: Int) -> MappingOptions.Feedback {
    let destination: MappingOptions.Feedback.Destination =
      isNone ? .none : source.map { .source($0.source(at: step)) } ?? .same
    return MappingOptions.Feedback(
      destination, channel: channel.map { UInt8(truncatingIfNeeded: $0.number(at: step)) },
      values: values, ring: ring)
  }
}
