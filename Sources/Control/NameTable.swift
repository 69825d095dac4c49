/// The names that stand for the numbers of one side: of inputs, of outputs or of groups.
///
/// A hash table in memory of its own: a search allocates nothing and reads the word once.
/// Control thread only.
package final class NameTable {
  /// How many numbers there are.
  package let limit: Int
  /// How many of them have a name that addresses may use.
  private(set) var count = 0

  private let letters: UnsafeMutablePointer<UInt8>
  private let lengths: UnsafeMutablePointer<UInt8>
  private let cells: UnsafeMutablePointer<Int16>
  private let mask: Int

  /// Makes a table without names for numbers from 0 to below a limit.
  init(limit: Int) {
    self.limit = limit
    var capacity = 2
    while capacity < 2 * limit { capacity *= 2 }
    mask = capacity - 1
    letters = .allocate(capacity: limit * Level.longestNameBytes)
    lengths = .allocate(capacity: limit)
    cells = .allocate(capacity: capacity)
    letters.initialize(repeating: 0, count: limit * Level.longestNameBytes)
    lengths.initialize(repeating: 0, count: limit)
    cells.initialize(repeating: -1, count: capacity)
  }

  deinit {
    letters.deallocate()
    lengths.deallocate()
    cells.deallocate()
  }

  /// The number that a word stands for, or nothing.
  package func number(of word: UnsafeBufferPointer<UInt8>) -> Int? {
    guard count > 0, (1...Level.longestNameBytes).contains(word.count) else { return nil }
    var cell = hash(word) & mask
    while cells[cell] >= 0 {
      let number = Int(cells[cell])
      if self.word(number).elementsEqual(word) { return number }
      cell = (cell + 1) & mask
    }
    return nil
  }

  /// The name of a number as bytes; empty where it has none that addresses may use.
  func word(_ number: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      start: letters + number * Level.longestNameBytes, count: Int(lengths[number]))
  }

  /// All names, in the order of their numbers.
  var words: [String] {
    (0..<limit).lazy.map { String(decoding: self.word($0), as: UTF8.self) }.filter { !$0.isEmpty }
  }

  /// Gives a number a word for a name, or none; the word must not stand for another number.
  func set(_ word: String, of number: Int) {
    let bytes = word.utf8.prefix(Level.longestNameBytes)
    if lengths[number] > 0 { remove(number) }
    lengths[number] = UInt8(bytes.count)
    for (offset, byte) in bytes.enumerated() {
      letters[number * Level.longestNameBytes + offset] = byte
    }
    guard !bytes.isEmpty else { return }
    count += 1
    var cell = home(of: number)
    while cells[cell] >= 0 { cell = (cell + 1) & mask }
    cells[cell] = Int16(number)
  }

  /// Takes a number out and leaves no gap that a search would end at: what stands behind it moves
  /// up, unless it would come before the place where its search begins.
  private func remove(_ number: Int) {
    count -= 1
    var gap = home(of: number)
    while Int(cells[gap]) != number { gap = (gap + 1) & mask }
    var cell = (gap + 1) & mask
    while cells[cell] >= 0 {
      let way = (cell - home(of: Int(cells[cell]))) & mask
      if way >= (cell - gap) & mask {
        cells[gap] = cells[cell]
        gap = cell
      }
      cell = (cell + 1) & mask
    }
    cells[gap] = -1
  }

  private func home(of number: Int) -> Int { hash(word(number)) & mask }

  /// FNV-1a, folded.
  private func hash(_ word: UnsafeBufferPointer<UInt8>) -> Int {
    var hash: UInt32 = 2_166_136_261
    for byte in word { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return Int(hash ^ hash >> 16)
  }
}
