import Messages

extension Draft {
  /// What a batch asks of the queue.
  struct Ahead {
    /// Transactions that wait.
    var entries = 0
    /// Operations in them.
    var operations = 0
    /// Transactions whose time has passed.
    var late = 0
  }

  /// Turns time tags into deadlines that no step of the wall's clock can move.
  ///
  /// `horizon` is how far ahead a tag may lie, in nanoseconds.
  mutating func schedule(_ arrival: Arrival, horizon: Int64) throws(Refusal) -> Ahead {
    var ahead = Ahead()
    var begin = 0
    for number in groups.indices {
      defer { begin = groups[number].end }
      let now = arrival.realtimeNanoseconds
      guard groups[number].end > begin,
        let wall = groups[number].time.wallNanoseconds(near: now)
      else { continue }
      guard wall > now else {
        ahead.late += 1
        continue
      }
      guard wall - now <= horizon else {
        throw Refusal(.time, "a time tag may lie \(horizon / 1_000_000_000) seconds ahead at most")
      }
      groups[number].deadline = arrival.monotonicNanoseconds + (wall - now)
      groups[number].isFuture = true
      ahead.entries += 1
      ahead.operations += transaction.weight(of: begin..<groups[number].end)
    }
    return ahead
  }
}
