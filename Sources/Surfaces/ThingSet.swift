/// A set of numbers below a limit that finds its next member fast, however few there are.
///
/// Two layers of bits: one for each number, and one for each word of those.
struct ThingSet: ~Copyable {
  private let words: UnsafeMutablePointer<UInt64>
  private let summary: UnsafeMutablePointer<UInt64>
  private let wordCount: Int
  private let summaryCount: Int
  /// How many members there are.
  private(set) var count = 0

  /// Makes an empty set of numbers from 0 up to and without `limit`.
  init(limit: Int) {
    wordCount = (max(1, limit) + 63) / 64
    summaryCount = (wordCount + 63) / 64
    words = .allocate(capacity: wordCount)
    words.initialize(repeating: 0, count: wordCount)
    summary = .allocate(capacity: summaryCount)
    summary.initialize(repeating: 0, count: summaryCount)
  }

  deinit {
    words.deallocate()
    summary.deallocate()
  }

  /// Whether there is no member.
  var isEmpty: Bool { count == 0 }

  /// Whether a number is a member.
  @inline(__always)
  func contains(_ number: Int) -> Bool {
    precondition(number >= 0 && number >> 6 < wordCount, "a number below the limit")
    return words[number >> 6] & (1 << UInt64(number & 63)) != 0
  }

  /// Makes a number a member.
  @inline(__always)
  mutating func insert(_ number: Int) {
    guard !contains(number) else { return }
    words[number >> 6] |= 1 << UInt64(number & 63)
    summary[number >> 12] |= 1 << UInt64(number >> 6 & 63)
    count += 1
  }

  /// Makes a number no member.
  @inline(__always)
  mutating func remove(_ number: Int) {
    guard contains(number) else { return }
    words[number >> 6] &= ~(1 << UInt64(number & 63))
    if words[number >> 6] == 0 { summary[number >> 12] &= ~(1 << UInt64(number >> 6 & 63)) }
    count -= 1
  }

  /// The first member from a number on; behind the last one it begins again with the first.
  func next(from start: Int) -> Int? {
    guard count > 0 else { return nil }
    return first(from: start) ?? first(from: 0)
  }

  private func first(from start: Int) -> Int? {
    var word = start >> 6
    guard word < wordCount else { return nil }
    let rest = words[word] & (UInt64.max << UInt64(start & 63))
    if rest != 0 { return word << 6 | rest.trailingZeroBitCount }
    word += 1
    var group = word >> 6
    guard group < summaryCount else { return nil }
    var groups = summary[group] & (UInt64.max << UInt64(word & 63))
    while groups == 0 {
      group += 1
      guard group < summaryCount else { return nil }
      groups = summary[group]
    }
    word = group << 6 | groups.trailingZeroBitCount
    return word << 6 | words[word].trailingZeroBitCount
  }
}
