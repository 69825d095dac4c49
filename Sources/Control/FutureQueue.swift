/// Transactions that wait for their time, ordered by monotonic deadline and then by arrival.
///
/// A binary heap; the arrival's number makes equal deadlines keep their order. Control thread.
struct FutureQueue {
  struct Entry {
    var deadlineNanoseconds: Int64
    var source: Source
    var transaction: Transaction
    fileprivate var number: UInt64
  }

  /// The most transactions that may wait.
  let maximumEntries: Int
  /// The most operations that all of them together may hold.
  let maximumOperations: Int

  private var heap: [Entry] = []
  private var nextNumber: UInt64 = 0
  private(set) var operationCount = 0

  init(maximumEntries: Int, maximumOperations: Int) {
    self.maximumEntries = maximumEntries
    self.maximumOperations = maximumOperations
  }

  var count: Int { heap.count }

  /// The earliest deadline.
  var firstDeadline: Int64? { heap.first?.deadlineNanoseconds }

  /// Whether so much more may wait.
  func hasRoom(entries: Int, operations: Int) -> Bool {
    heap.count + entries <= maximumEntries && operationCount + operations <= maximumOperations
  }

  mutating func insert(_ transaction: Transaction, deadline: Int64, source: Source) {
    operationCount += transaction.weight
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

  private func isEarlier(_ one: Int, _ other: Int) -> Bool {
    (heap[one].deadlineNanoseconds, heap[one].number)
      < (heap[other].deadlineNanoseconds, heap[other].number)
  }
}
