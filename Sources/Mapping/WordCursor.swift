import TextLines

/// The words of a line of a mapping, taken one after the other.
struct WordCursor {
  let line: TextLine
  private var index = 0

  init(_ line: TextLine) {
    self.line = line
  }

  /// The next word, which stays the next.
  var next: Word? { index < line.words.count ? line.words[index] : nil }

  /// What the next word says if it has no quotes.
  var nextBare: String? { next.flatMap { $0.isQuoted ? nil : $0.text } }

  /// Goes past the next word.
  mutating func skip() { index += 1 }

  /// Takes the next word, or says what is missing.
  mutating func take(_ expected: String) throws(TextError) -> Word {
    guard let word = next else { throw line.missing(expected) }
    skip()
    return word
  }

  /// Takes all words that are left.
  mutating func takeRest() -> ArraySlice<Word> {
    defer { index = line.words.count }
    return line.words[min(index, line.words.count)...]
  }

  /// Takes a bare whole number within a range.
  mutating func takeWhole(_ range: ClosedRange<Int>, _ meaning: String) throws(TextError) -> Int {
    let expected = "\(meaning) from \(range.lowerBound) to \(range.upperBound)"
    let word = try take(expected)
    guard !word.isQuoted, let steps = Steps(word.text), !steps.isRange,
      range.contains(steps.first)
    else { throw line.unexpected(word, expected: expected + unquoted(word)) }
    return steps.first
  }

  /// Takes a bare finite number, or -inf.
  mutating func takeNumber(_ meaning: String) throws(TextError) -> (value: Double, word: Word) {
    let word = try take(meaning)
    guard let value = word.number else {
      let dot = word.looksLikeDecimalComma ? ", written with a dot" : unquoted(word)
      throw line.unexpected(word, expected: meaning + dot)
    }
    return (value, word)
  }

  /// Takes one of some bare words.
  mutating func takeOne<Choice: RawRepresentable & CaseIterable>(
    of choices: Choice.Type
  ) throws(TextError) -> Choice where Choice.RawValue == String {
    let words = Choice.allCases.map(\.rawValue)
    let word = try take(listed(words))
    guard !word.isQuoted, let choice = Choice(rawValue: word.text) else {
      throw line.unexpected(word, expected: listed(words) + perhaps(word, words))
    }
    return choice
  }
}

/// Words as a sentence lists them: `a, b or c`.
func listed(_ words: [String], _ conjunction: String = "or") -> String {
  guard words.count > 1, let last = words.last else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
}

/// What a mistyped word probably means, as the end of an expectation, or nothing.
func perhaps(_ word: Word, _ candidates: [String]) -> String {
  if word.isQuoted { return candidates.contains(word.text) ? unquoted(word) : "" }
  return nearest(to: word.text, among: candidates).map { ", perhaps \($0)" } ?? ""
}

/// That a word has quotes where it should have none, as the end of an expectation, or nothing.
func unquoted(_ word: Word) -> String { word.isQuoted ? ", without quotes" : "" }
