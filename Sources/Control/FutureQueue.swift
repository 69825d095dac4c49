/// Transactions that wait for their time, ordered by monotonic deadline and then by arrival.
///
/// A binary heap; the arrival's number makes equal deadlines keep their order.
///
/// Nobody keeps others out: a source may have as much as is still free, which is half of everything
/// for one alone, and a little beside that, from a reserve for those who come when there is no more.
/// Control thread only.
struct FutureQueue {
  struct Entry {
    var deadlineNanoseconds: Int64
    var source: Source
    var transaction: Transaction
    fileprivate var number: UInt64
  }

  private struct Share {
    var entries = 0
    var operations = 0
  }

  /// How many transactions of a source find room while there is a reserve, and how many operations
  /// in them.
  static let certainEntries = 64
  static let certainOperations = 256
  /// The reserve, in transactions and in operations.
  static let reservedEntries = 4_096
  static let reservedOperations = 16_384

  /// The most transactions that may wait, apart from the reserve.
  let maximumEntries: Int
  /// The most operations that all of them together may hold, apart from the reserve.
  let maximumOperations: Int

  private var heap: [Entry] = []
  private var nextNumber: UInt64 = 0
  private(set) var operationCount = 0
  private var shares: [Int: Share] = [:]

  init(maximumEntries: Int, maximumOperations: Int) {
    self.maximumEntries = maximumEntries
    self.maximumOperations = maximumOperations
  }

  var count: Int { heap.count }

  /// The earliest deadline.
  var firstDeadline: Int64? { heap.first?.deadlineNanoseconds }

  /// Why so much more of a source may not wait, or nothing when it may.
  func refusal(entries: Int, operations: Int, of source: Source) -> Refusal? {
    let share = shares[source.code] ?? Share()
    let entriesThen = share.entries + entries
    let operationsThen = share.operations + operations
    if entriesThen <= Self.certainEntries, operationsThen <= Self.certainOperations,
      heap.count + entries <= maximumEntries + Self.reservedEntries,
      operationCount + operations <= maximumOperations + Self.reservedOperations
    {
      return nil
    }
    guard
      entriesThen > maximumEntries - heap.count - entries
        || operationsThen > maximumOperations - operationCount - operations
    else { return nil }
    return Refusal(
      .time,
      "\(share.entries) bundles of yours with \(share.operations) changes wait for their time "
        + "already, and \(maximumEntries / 2) bundles with \(maximumOperations / 2) changes are the "
        + "most for one sender, fewer while those of others wait; send the rest nearer to its time")
  }

  mutating func insert(_ transaction: Transaction, deadline: Int64, source: Source) {
    operationCount += transaction.weight
    shares[source.code, default: Share()].entries += 1
    shares[source.code, default: Share()].operations += transaction.weight
    heap.append(
      Entry(
        deadlineNanoseconds: deadline, source: source, transaction: transaction,
        number: nextNumber))
    nextNumber += 1
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard isEarlier(child, parent) else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeFirst() -> Entry {
    precondition(!heap.isEmpty, "something must wait")
    heap.swapAt(0, heap.count - 1)
    let first = heap.removeLast()
    operationCount -= first.transaction.weight
    takeBack(first)
    var parent = 0
    while true {
      var earliest = parent
      for child in 2 * parent + 1...2 * parent + 2 where child < heap.count {
        if isEarlier(child, earliest) { earliest = child }
      }
      guard earliest != parent else { return first }
      heap.swapAt(parent, earliest)
      parent = earliest
    }
  }

  private mutating func takeBack(_ entry: borrowing Entry) {
    guard var share = shares[entry.source.code] else { return }
    share.entries -= 1
    share.operations -= entry.transaction.weight
    shares[entry.source.code] = share.entries > 0 ? share : nil
  }

  private func isEarlier(_ one: Int, _ other: Int) -> Bool {
    (heap[one].deadlineNanoseconds, heap[one].number)
      < (heap[other].deadlineNanoseconds, heap[other].number)
  }
}
