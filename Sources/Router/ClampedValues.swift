/// How many values of a text were out of range and clamped, and where the first of them stands.
struct ClampedValues {
  /// How many.
  private(set) var count = 0
  private var first = ""

  /// Counts some more; `origin` is where the first of them was written.
  mutating func add(_ more: Int, origin: @autoclosure () -> String) {
    guard more > 0 else { return }
    if count == 0 { first = origin() }
    count += more
  }

  /// All of both, of which the right ones come later.
  static func += (values: inout ClampedValues, later: ClampedValues) {
    values.add(later.count, origin: later.first)
  }

  /// What there is to say, without a full stop; nothing when all values were in range.
  var words: String? {
    switch count {
    case 0: nil
    case 1: "1 value was out of range and was clamped, at \(first)"
    default: "\(count) values were out of range and were clamped, the first at \(first)"
    }
  }
}
