import Control
import TextLines

/// Whether the source, an address and the options of a line make sense together.
struct MappingRules {
  let line: TextLine
  let source: SourceTemplate
  let options: OptionsTemplate

  private var hasArguments: Bool { options.plain.arguments != nil }
  private var isRelative: Bool { options.plain.relative != nil }

  /// Checks what does not depend on the addresses.
  func checkAlone() throws(TextError) {
    for (option, word) in options.inOrder {
      if hasArguments, option != .set, !OptionWord.besideSet.contains(option) {
        throw senseless(word, "beside set", OptionWord.besideSet)
      }
      if isRelative, option != .relative, !OptionWord.besideRelative.contains(option) {
        throw senseless(word, "beside relative", OptionWord.besideRelative)
      }
      try checkSource(option, word)
    }
  }

  private func checkSource(_ option: OptionWord, _ word: Word) throws(TextError) {
    let name = source.kind.rawValue
    switch option {
    case .max where !source.kind.hasPosition:
      throw unexpected(word, "\"max\" for a \(name)", "max on a source with positions, such as cc")
    case .gate where source.kind == .program:
      throw unexpected(
        word, "\"gate\" for a program", "toggle or push, because a program is never let go")
    case .relative where source.kind != .controller:
      throw unexpected(word, "\"relative\" for \(name)", "relative for cc, which encoders send")
    case .step where !isRelative:
      throw unexpected(
        word, "\"step\" without relative", "relative and how the encoder counts, too")
    default: break
    }
  }

  /// Checks what depends on what an address is.
  func check(
    _ meaning: AddressBook.Meaning, of address: AddressTemplate, book: inout AddressBook
  ) throws(TextError) {
    let kind = meaning.kind
    for (option, word) in options.inOrder
    where !kind.options.contains(option) {
      throw senseless(word, "for \(kind.name)", kind.options)
    }
    try checkFeedback(kind)
    if let words = options.numbers[.set] {
      return try checkArguments(words, meaning, address, &book)
    }
    try checkNeeds(meaning, address)
    try checkNumbers(meaning)
  }

  private func checkFeedback(_ kind: AddressKind) throws(TextError) {
    let isLevel = if case .level = kind { true } else { false }
    for feedback in options.feedback {
      if let word = feedback.ringWord, !isLevel || hasArguments {
        throw unexpected(
          word, "\"ring\" for \(hasArguments ? "a press" : kind.name)", "ring for a level")
      }
      if let word = feedback.valuesWord, kind != .toggle, kind != .touch, !hasArguments {
        throw unexpected(word, "\"values\" for \(kind.name)", "values for a switch")
      }
    }
  }

  private func checkArguments(
    _ words: [Word], _ meaning: AddressBook.Meaning, _ address: AddressTemplate,
    _ book: inout AddressBook
  ) throws(TextError) {
    let arguments = options.plain.arguments ?? []
    guard let objection = book.objection(to: arguments, for: meaning) else { return }
    let text = words.map(\.text).joined(separator: " ")
    throw unexpected(
      words[0], Word.shown(text), "arguments that \(address.text) takes: \(objection)")
  }

  /// Checks that nothing is missing.
  private func checkNeeds(
    _ meaning: AddressBook.Meaning, _ address: AddressTemplate
  ) throws(TextError) {
    let isMoved = options.plain.range != nil || isRelative
    switch meaning.kind {
    case .level, .setting:
      guard source.kind.hasPosition else {
        throw unexpected(
          source.word, "a \(source.kind.rawValue) for \(meaning.kind.name)",
          "set and the value that a press sends, or a source with positions such as cc")
      }
      guard !isMoved, meaning.kind == .level(.decibels) || meaning.kind == .setting else { return }
      let example = meaning.kind == .setting ? whole(meaning) : "-60 10"
      throw TextError(
        file: line.file, position: address.position,
        found: "\(Word.shown(address.text)) without a range",
        expected: "range and the values at both ends, such as range \(example)")
    case .nudge where !isRelative:
      throw alone(address, "relative and how the encoder counts, or set and a change in dB")
    case .text: throw alone(address, "set and the text that a press sends")
    case .list: throw alone(address, "set and the values that a press sends")
    case .nudge, .toggle, .touch, .trigger: return
    }
  }

  private func checkNumbers(_ meaning: AddressBook.Meaning) throws(TextError) {
    guard let whole = meaning.row.range else { return }
    let values = options.plain.range.map { [$0.low, $0.high] } ?? []
    for (value, word) in zip(values, options.numbers[.range] ?? [])
    where !(Float(whole.lowerBound)...Float(whole.upperBound)).contains(Float(value)) {
      let expected =
        if case .level(let face) = meaning.kind { face.expectation } else {
          "\(meaning.row.unit) from \(short(whole.lowerBound)) to \(short(whole.upperBound))"
        }
      throw line.unexpected(word, expected: expected)
    }
    guard let step = options.plain.step, let word = options.numbers[.step]?.first else { return }
    let most = meaning.kind == .nudge ? whole.upperBound : whole.upperBound - whole.lowerBound
    guard step > 0, Float(step) <= Float(most) else {
      throw line.unexpected(word, expected: "a step above 0, at most \(short(most))")
    }
  }

  // MARK: Sentences

  private func whole(_ meaning: AddressBook.Meaning) -> String {
    guard let range = meaning.row.range else { return "0 1" }
    return "\(short(range.lowerBound)) \(short(range.upperBound))"
  }

  /// A number with three decimals at most.
  private func short(_ number: Double) -> String {
    let rounded = (number * 1_000).rounded(.down) / 1_000
    return Int(exactly: rounded).map(String.init) ?? String(rounded)
  }

  private func senseless(_ word: Word, _ where: String, _ instead: [OptionWord]) -> TextError {
    unexpected(
      word, "\(word.shown) \(`where`)",
      "no option but \(listed(instead.map(\.rawValue), "and")) there")
  }

  private func alone(_ address: AddressTemplate, _ expected: String) -> TextError {
    TextError(
      file: line.file, position: address.position, found: "\(Word.shown(address.text)) alone",
      expected: "it with \(expected)")
  }

  private func unexpected(_ word: Word, _ found: String, _ expected: String) -> TextError {
    TextError(file: line.file, position: word.position, found: found, expected: expected)
  }
}
