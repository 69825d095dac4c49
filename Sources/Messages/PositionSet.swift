/// A set of places between the bytes of a short text.
struct PositionSet {
  /// Places are 0 up to, not including, this.
  static let capacity = UInt128.bitWidth

  private var bits: UInt128

  /// Makes a set of one place.
  init(_ position: Int) {
    bits = 1 << UInt128(position)
  }

  private init() {
    bits = 0
  }

  /// Whether there is no place.
  var isEmpty: Bool { bits == 0 }

  /// Whether a place is in the set.
  func contains(_ position: Int) -> Bool {
    bits >> UInt128(position) & 1 == 1
  }

  /// Adds every place from the first of the set up to and including a last one.
  mutating func extend(through last: Int) {
    guard !isEmpty else { return }
    let first = bits & (0 &- bits)
    bits = (1 << UInt128(last) &- first) | 1 << UInt128(last)
  }

  /// Moves every place over one byte; those before a byte that is not accepted are dropped.
  mutating func advance(
    over text: UnsafeBufferPointer<UInt8>, accepting accepts: (UInt8) -> Bool
  ) {
    guard !isEmpty else { return }
    var accepted: UInt128 = 0
    for position in 0..<text.count where accepts(text[position]) {
      accepted |= 1 << UInt128(position)
    }
    bits = (bits & accepted) << 1
  }

  /// The places that are reached over one of a pattern's words, read from behind its `{`.
  ///
  /// Moves the index behind the `}`; nothing when it is not closed, or something is nested.
  func advanced(
    over text: UnsafeBufferPointer<UInt8>, byWordsOf pattern: UnsafeBufferPointer<UInt8>,
    after index: inout Int
  ) -> PositionSet? {
    var reached = PositionSet()
    var branch = self
    while index < pattern.count {
      let byte = pattern[index]
      index += 1
      switch byte {
      case UInt8(ascii: "}"):
        reached.bits |= branch.bits
        return reached
      case UInt8(ascii: ","):
        reached.bits |= branch.bits
        branch = self
      case UInt8(ascii: "{"):
        return nil
      default:
        branch.advance(over: text) { $0 == byte }
      }
    }
    return nil
  }
}
