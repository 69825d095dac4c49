/// Who is heard while more comes than can be done.
///
/// As long as the control thread gets through all that waits, everybody is heard. Once passes have
/// been cut short for a while, so that some wait because of others, each client has an equal part
/// of the time; of one that has had more, datagrams are left unread until it has saved up again.
/// A client that is alone may have everything. Everything counts in work as the hub does, not in
/// time. Control thread only.
struct FairShare {
  /// The work after which a pass goes on to others, to timers and to signals: some milliseconds.
  static let workPerPass = 16_384
  /// How long passes are cut short before somebody is left unread, in nanoseconds.
  static let patienceNanoseconds: Int64 = 100_000_000
  /// How long parts are looked at after that, or after somebody was left unread, in nanoseconds.
  static let scarcityNanoseconds: Int64 = 1_000_000_000
  /// The work that clients share in a second while there is too much of it.
  static let workPerSecond = 3_000_000.0
  /// The most that a client saves up: about what the largest pattern takes.
  static let mostSaved = 65_536.0
  /// What a client begins with that comes while there is too much.
  static let firstSaved = 16_384.0

  private struct Account {
    var saved: Double
    var lastNanoseconds: Int64
    var isTold = false
  }

  private var accounts: [Int: Account] = [:]
  private var cutSinceNanoseconds: Int64?
  private var scarceUntilNanoseconds = Int64.min
  /// Datagrams that were left unread.
  private(set) var unheard: UInt64 = 0

  /// Whether parts are looked at, at a monotonic time in nanoseconds.
  func isScarce(_ nowNanoseconds: Int64) -> Bool { nowNanoseconds < scarceUntilNanoseconds }

  /// Notes whether a pass has left something for the next one.
  mutating func endPass(isCut: Bool, nowNanoseconds now: Int64) {
    if isCut {
      let since = cutSinceNanoseconds ?? now
      cutSinceNanoseconds = since
      if now - since >= Self.patienceNanoseconds {
        scarceUntilNanoseconds = now + Self.scarcityNanoseconds
      }
    } else {
      cutSinceNanoseconds = nil
    }
    guard !accounts.isEmpty else { return }
    if isScarce(now) {
      accounts = accounts.filter { now - $1.lastNanoseconds < Self.scarcityNanoseconds }
    } else {
      accounts.removeAll()
    }
  }

  /// What becomes of a datagram.
  enum Hearing {
    case heard
    case unheard
    /// The first of a client that is left unread, of which the user should know.
    case firstUnheard
  }

  /// Whether a client's datagram is read now.
  mutating func hear(_ client: Int, nowNanoseconds now: Int64) -> Hearing {
    var account = accounts[client] ?? Account(saved: Self.firstSaved, lastNanoseconds: now)
    let seconds = Double(max(0, now - account.lastNanoseconds)) / 1e9
    account.lastNanoseconds = max(now, account.lastNanoseconds)
    account.saved = min(
      Self.mostSaved,
      account.saved + seconds * Self.workPerSecond / Double(max(1, accounts.count)))
    defer { accounts[client] = account }
    guard account.saved <= 0, accounts.count > 1 else { return .heard }
    unheard += 1
    scarceUntilNanoseconds = now + Self.scarcityNanoseconds
    defer { account.isTold = true }
    return account.isTold ? .unheard : .firstUnheard
  }

  /// Takes the work that a client's datagram was from what it has saved.
  mutating func charge(_ client: Int, work: Int) {
    accounts[client]?.saved -= Double(work)
  }
}
