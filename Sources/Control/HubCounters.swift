/// What the hub has counted since it was made.
public struct HubCounters: Equatable, Sendable {
  /// Batches that were taken whole.
  public var acceptedBatches = 0
  /// Messages in them.
  public var acceptedMessages = 0
  /// Batches that were refused, by the cause: as many as `Refusal.Code` has cases, in their order.
  public var refused = [Int](repeating: 0, count: Refusal.Code.allCases.count)
  /// Messages for somebody else that were skipped in bundles.
  public var foreignMessages = 0
  /// Answers of others, which are never answered.
  public var ignoredAnswers = 0
  /// A button's releases of triggers, which do nothing.
  public var ignoredReleases = 0
  /// Transactions whose time had passed when they came; they took effect at once.
  public var lateTransactions = 0
  /// Transactions that waited for their time.
  public var queuedTransactions = 0
  /// Values that were clamped into their range.
  public var clamped = 0
  /// Levels taken down to unity because their raiser then sent a number in a wrong unit.
  public var loweredToUnity = 0
  /// Times that gains were sent again, because audio had stood still or the ring had been full.
  public var resends = 0
  /// Values that a client sent back as it had heard them, after they had changed.
  public var ignoredEchoes = 0
  /// Replies that were dropped because nobody took the ones before.
  public var droppedReplies = 0

  /// Every counter with the name that `/engine/status` shows it under.
  public var named: [(name: String, value: Int)] {
    [
      ("accepted_batches", acceptedBatches), ("accepted_messages", acceptedMessages),
    ]
      + zip(Refusal.Code.allCases, refused).filter { $0.0 != .malformed }
      .map { ("refused_\($0.rawValue)", $1) } + [
        ("foreign_messages", foreignMessages), ("ignored_answers", ignoredAnswers),
        ("ignored_releases", ignoredReleases), ("late_transactions", lateTransactions),
        ("queued_transactions", queuedTransactions), ("clamped", clamped),
        ("lowered_to_unity", loweredToUnity), ("resends", resends),
        ("ignored_echoes", ignoredEchoes), ("dropped_replies", droppedReplies),
      ]
  }
}
