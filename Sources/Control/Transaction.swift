import Messages

/// Changes and questions that take effect together.
struct Transaction {
  var operations: [Operation] = []
  /// What operations carry that is not a number.
  var payload: [Argument] = []
  /// What operations count for beyond one each.
  private var extraWeight = 0

  /// For how many changes all of it counts.
  var weight: Int { operations.count + extraWeight }

  /// For how many changes a part of it counts.
  func weight(of range: Range<Int>) -> Int {
    guard extraWeight > 0 else { return range.count }
    return operations[range].reduce(0) { $0 + Int($1.weight) }
  }

  /// Adds an operation that changes many gains.
  mutating func append(_ operation: Operation, weight: Int) {
    operations.append(operation)
    operations[operations.count - 1].weight = Int32(clamping: weight)
    extraWeight += weight - 1
  }

  var isEmpty: Bool { operations.isEmpty }

  mutating func removeAll() {
    operations.removeAll(keepingCapacity: true)
    payload.removeAll(keepingCapacity: true)
    extraWeight = 0
  }

  /// The operations of a range with everything that they need.
  func part(_ range: Range<Int>) -> Transaction {
    Transaction(
      operations: Array(operations[range]), payload: payload,
      extraWeight: weight(of: range) - range.count)
  }
}
