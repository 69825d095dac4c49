/// A set of places between the bytes of a short text.
struct PositionSet {
  /// Places are 0 up to, not including, this.
  static let capacity = 256

  private var words = InlineArray<4, UInt64>(repeating: 0)

  /// Makes a set of one place.
  init(_ position: Int) {
    insert(position)
  }

  private init() {}

  /// Whether there is no place.
  var isEmpty: Bool { words[0] | words[1] | words[2] | words[3] == 0 }

  /// Whether a place is in the set.
  func contains(_ position: Int) -> Bool {
    words[position >> 6] >> UInt64(position & 63) & 1 == 1
  }

  /// Adds a place.
  mutating func insert(_ position: Int) {
    words[position >> 6] |= 1 << UInt64(position & 63)
  }

  /// Adds every place from the first of the set up to and including a last one.
  mutating func extend(through last: Int) {
    var position = 0
    while position <= last, !contains(position) { position += 1 }
    while position <= last {
      insert(position)
      position += 1
    }
  }

  /// Moves every place over one byte; those before a byte that is not accepted are dropped.
  mutating func advance(
    over text: UnsafeBufferPointer<UInt8>, accepting accepts: (UInt8) -> Bool
  ) {
    guard !isEmpty else { return }
    var moved = PositionSet()
    for position in 0..<text.count where contains(position) && accepts(text[position]) {
      moved.insert(position + 1)
    }
    self = moved
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
        reached.formUnion(branch)
        return reached
      case UInt8(ascii: ","):
        reached.formUnion(branch)
        branch = self
      case UInt8(ascii: "{"):
        return nil
      default:
        branch.advance(over: text) { $0 == byte }
      }
    }
    return nil
  }

  private mutating func formUnion(_ other: PositionSet) {
    for index in 0..<4 { words[index] |= other.words[index] }
  }
}
