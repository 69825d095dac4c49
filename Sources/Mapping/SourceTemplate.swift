import TextLines

/// A source as it is written, with its steps.
struct SourceTemplate {
  /// The words that sources begin with.
  enum Kind: String, CaseIterable {
    case controller = "cc"
    case pairedController = "cc14"
    case nonRegistered = "nrpn"
    case registered = "rpn"
    case note
    case bend
    case pressure
    case program

    /// Whether a hand on it has a position, rather than only pressing.
    var hasPosition: Bool { self != .note && self != .program }
  }

  /// The words that sources begin with, as texts.
  static let words = Kind.allCases.map(\.rawValue)

  let kind: Kind
  let word: Word
  private var number = Steps.zero
  private var low = Steps.zero

  /// Takes a source off the front of what is left of a line.
  ///
  /// `others` are words that could stand there too, for errors.
  init(
    _ cursor: inout WordCursor, _ steps: inout StepCount, others: [String] = []
  ) throws(TextError) {
    let words = Self.words + others
    let expected = others.isEmpty ? "a source (\(listed(words)))" : listed(words)
    word = try cursor.take(expected)
    guard !word.isQuoted, let kind = Kind(rawValue: word.text) else {
      throw cursor.line.unexpected(
        word, expected: expected + perhaps(word, words))
    }
    self.kind = kind
    switch kind {
    case .controller: number = try cursor.takeSteps(0...127, "a controller", &steps)
    case .note: number = try cursor.takeSteps(0...127, "a note", &steps)
    case .program: number = try cursor.takeSteps(0...127, "a program", &steps)
    case .nonRegistered, .registered:
      number = try cursor.takeSteps(0...16_383, "a parameter", &steps)
    case .pairedController: (number, low) = try Self.pair(&cursor, &steps)
    case .bend, .pressure: break
    }
  }

  /// The source at a step, from 0.
  func source(at step: Int) -> MappingSource {
    let number = number.number(at: step)
    let seven = UInt8(truncatingIfNeeded: number)
    let fourteen = UInt16(truncatingIfNeeded: number)
    return switch kind {
    case .controller: .controller(seven)
    case .pairedController:
      .pairedController(high: seven, low: UInt8(truncatingIfNeeded: low.number(at: step)))
    case .nonRegistered: .nonRegistered(fourteen)
    case .registered: .registered(fourteen)
    case .note: .note(seven)
    case .bend: .bend
    case .pressure: .pressure
    case .program: .program(seven)
    }
  }

  /// The two controllers of `cc14 MSB/LSB`.
  private static func pair(
    _ cursor: inout WordCursor, _ steps: inout StepCount
  ) throws(TextError) -> (Steps, Steps) {
    let expected = "two controllers from 0 to 127 such as 1/33 or <0-7>/<32-39>"
    let word = try cursor.take(expected)
    let halves = word.text.split(separator: "/", omittingEmptySubsequences: false)
    guard !word.isQuoted, halves.count == 2, let high = Steps(halves[0]),
      let low = Steps(halves[1]), high.isWithin(0...127), low.isWithin(0...127)
    else { throw cursor.line.unexpected(word, expected: expected + unquoted(word)) }
    let file = cursor.line.file
    try steps.join(high, at: word.position, of: file)
    var second = word.position
    second.column += halves[0].unicodeScalars.count + 1
    try steps.join(low, at: second, of: file)
    for step in 0..<max(high.count, low.count)
    where high.number(at: step) == low.number(at: step) {
      throw cursor.line.unexpected(word, expected: "two different controllers")
    }
    return (high, low)
  }
}

extension Steps {
  /// A number that stays 0.
  static let zero = Steps(staying: 0)

  private init(staying number: Int) {
    first = number
    last = number
    isRange = false
  }
}

extension WordCursor {
  /// Takes a number or `<a-b>`, all of it within a range.
  mutating func takeSteps(
    _ range: ClosedRange<Int>, _ meaning: String, _ count: inout StepCount
  ) throws(TextError) -> Steps {
    let low = range.lowerBound
    let expected =
      "\(meaning) from \(low) to \(range.upperBound), or steps such as <\(low)-\(low + 7)>"
    let word = try take(expected)
    guard !word.isQuoted, let steps = Steps(word.text), steps.isWithin(range) else {
      throw line.unexpected(word, expected: expected + unquoted(word))
    }
    try count.join(steps, at: word.position, of: line.file)
    return steps
  }
}

extension MappingSource: CustomStringConvertible {
  /// The source as it is written.
  public var description: String {
    switch self {
    case .controller(let number): "cc \(number)"
    case .pairedController(let high, let low): "cc14 \(high)/\(low)"
    case .nonRegistered(let number): "nrpn \(number)"
    case .registered(let number): "rpn \(number)"
    case .note(let number): "note \(number)"
    case .bend: "bend"
    case .pressure: "pressure"
    case .program(let number): "program \(number)"
    }
  }
}
