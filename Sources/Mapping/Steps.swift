import TextLines

/// A number of a mapping line: one that stays, or `<a-b>`, which the line steps through.
struct Steps: Equatable {
  /// The number at the first step.
  let first: Int
  /// The number at the last step, which may be below the first.
  let last: Int
  /// Whether it was written as `<a-b>`.
  let isRange: Bool

  /// The most digits that a number has.
  private static let mostDigits = 5

  /// Reads a whole text; nothing when it is anything else.
  init?(_ text: some StringProtocol) {
    var bytes = Substring(text).utf8
    guard let steps = Self(taking: &bytes), bytes.isEmpty else { return nil }
    self = steps
  }

  /// Takes a number or `<a-b>` off the front of a text.
  init?(taking bytes: inout Substring.UTF8View) {
    var rest = bytes
    isRange = rest.first == UInt8(ascii: "<")
    if isRange { rest.removeFirst() }
    guard let first = Self.number(taking: &rest) else { return nil }
    self.first = first
    guard isRange else {
      last = first
      bytes = rest
      return
    }
    guard rest.popFirst() == UInt8(ascii: "-"), let last = Self.number(taking: &rest),
      rest.popFirst() == UInt8(ascii: ">")
    else { return nil }
    self.last = last
    bytes = rest
  }

  /// How many steps there are.
  var count: Int { abs(last - first) + 1 }

  /// The number at a step, from 0.
  func number(at step: Int) -> Int {
    isRange ? (first <= last ? first + step : first - step) : first
  }

  /// Whether every number lies within a range.
  func isWithin(_ range: ClosedRange<Int>) -> Bool {
    range.contains(first) && range.contains(last)
  }

  /// Digits without a sign and without leading zeros.
  private static func number(taking bytes: inout Substring.UTF8View) -> Int? {
    let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard (1...mostDigits).contains(digits.count),
      digits.count == 1 || digits.first != UInt8(ascii: "0")
    else { return nil }
    bytes = bytes.dropFirst(digits.count)
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}

/// How many steps a line has, which all its ranges agree on.
struct StepCount {
  /// The number of steps; nothing as long as there is no range.
  private(set) var count: Int?
  private var text = ""

  /// Takes in a number of the line.
  ///
  /// - Throws: a `TextError` when it is a range of another length than one before it.
  mutating func join(
    _ steps: Steps, at position: TextPosition, of file: String
  ) throws(TextError) {
    guard steps.isRange else { return }
    let own = "<\(steps.first)-\(steps.last)>"
    guard let count else {
      count = steps.count
      text = own
      return
    }
    guard count == steps.count else {
      throw TextError(
        file: file, position: position, found: "\(steps.count) steps in \(own)",
        expected: "\(count) as in \(text)")
    }
  }
}
