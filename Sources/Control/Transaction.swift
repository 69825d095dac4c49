import Messages

/// Changes and questions that take effect together.
struct Transaction {
  var operations: [Operation] = []
  /// What operations carry that is not a number.
  var payload: [Argument] = []

  var isEmpty: Bool { operations.isEmpty }

  mutating func removeAll() {
    operations.removeAll(keepingCapacity: true)
    payload.removeAll(keepingCapacity: true)
  }

  /// The operations of a range with everything that they need.
  func part(_ range: Range<Int>) -> Transaction {
    Transaction(operations: Array(operations[range]), payload: payload)
  }
}
