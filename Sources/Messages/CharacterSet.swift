/// The bytes that a bracketed set of a pattern stands for.
struct CharacterSet {
  private var members = InlineArray<4, UInt64>(repeating: 0)
  private var isNegated = false

  /// Reads a set from behind its `[` and moves the index behind its `]`.
  ///
  /// Nothing when it is empty, nested or not closed.
  init?(_ pattern: UnsafeBufferPointer<UInt8>, after index: inout Int) {
    if index < pattern.count, pattern[index] == UInt8(ascii: "!") {
      isNegated = true
      index += 1
    }
    let start = index
    while index < pattern.count {
      let byte = pattern[index]
      if byte == UInt8(ascii: "]") {
        guard index > start else { return nil }
        index += 1
        return
      }
      // A minus at either end stands for itself.
      let isRange =
        index + 2 < pattern.count && pattern[index + 1] == UInt8(ascii: "-")
        && pattern[index + 2] != UInt8(ascii: "]")
      let last = isRange ? pattern[index + 2] : byte
      guard byte != UInt8(ascii: "["), last != UInt8(ascii: "[") else { return nil }
      if byte <= last {
        for member in byte...last { members[Int(member) >> 6] |= 1 << UInt64(member & 63) }
      }
      index += isRange ? 3 : 1
    }
    return nil
  }

  /// Whether the set stands for a byte.
  func contains(_ byte: UInt8) -> Bool {
    (members[Int(byte) >> 6] >> UInt64(byte & 63) & 1 == 1) != isNegated
  }
}
