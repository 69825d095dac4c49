import OSC

/// What has been received and not been read, because more came than could be done in one pass.
///
/// Each client has a line of its own, and lines have turns by deficit round robin: in its turn a line
/// is given a quantum of work, and is read while some of it is left; what a datagram has taken beyond
/// it is missing in the next turns. Whoever comes anew is read before those who have been waiting behind
/// themselves. So a hand on a fader is heard at once, and whoever sends what is dear waits. From M.
/// Shreedhar and G. Varghese, "Efficient fair queuing using deficit round-robin", IEEE/ACM Transactions
/// on Networking 4 (3), 1996, and RFC 8290 (the new queues of FQ-CoDel). Work is counted as the hub
/// does, not in time. Control thread only.
struct FairQueue {
  /// The room for all that waits, in bytes: twice what the kernel is asked to keep.
  static let roomBytes = 8 << 20
  /// What a datagram takes of the room besides its bytes, about as in the kernel.
  private static let bytesBesides = 512
  /// The work that a line is given in a turn.
  private static let quantum = 1_024

  private final class Line {
    let client: Int
    var bytes = 0
    var credit = FairQueue.quantum
    var hasLost = false
    private var datagrams: [HeldDatagram] = []
    private var first = 0

    init(client: Int) { self.client = client }

    var isEmpty: Bool { first == datagrams.count }

    func append(_ datagram: HeldDatagram) {
      datagrams.append(datagram)
      bytes += FairQueue.bytes(of: datagram)
    }

    func takeFirst() -> HeldDatagram {
      let datagram = datagrams[first]
      first += 1
      bytes -= FairQueue.bytes(of: datagram)
      // What has been taken is let go of in large pieces, at a constant cost for each.
      if first >= 32, 2 * first >= datagrams.count {
        datagrams.removeSubrange(..<first)
        first = 0
      }
      return datagram
    }
  }

  /// The lines of those who have come anew, and of all others; in each the next one is first.
  ///
  /// An empty line stays among the others until it is out of debt.
  private var newcomers: [Line] = []
  private var turns: [Line] = []
  private var lines: [Int: Line] = [:]
  /// Whether what was taken last was of somebody who has come anew.
  private var wasNew = false
  /// The work for them since one of the others had a turn.
  private var workOfNewcomers = 0
  /// In which line a peer stands, and with how many datagrams.
  private var standing: [Peer: (line: Line, count: Int)] = [:]
  private var count = 0
  private var usedBytes = 0
  /// Datagrams that were left unread.
  private(set) var unread: UInt64 = 0

  /// Whether nothing waits.
  var isEmpty: Bool { count == 0 }

  /// Has a datagram wait behind what else its client has sent.
  ///
  /// A line may have half of the room that the others leave. When it would have more, its oldest
  /// datagrams are left unread, because the last ones say where a hand has come to rest; and the new one
  /// where that does not help.
  ///
  /// - Returns: whether something of this line has been left unread for the first time.
  mutating func add(_ datagram: HeldDatagram, of client: Int) -> Bool {
    let known = standing[datagram.peer]?.line ?? lines[client]
    let hadLost = known?.hasLost ?? false
    let bytes = Self.bytes(of: datagram)
    let most = (Self.roomBytes - usedBytes + (known?.bytes ?? 0)) / 2
    guard bytes <= most else {
      unread += 1
      known?.hasLost = true
      return !hadLost
    }
    while let known, known.bytes + bytes > most {
      _ = take(from: known)
      unread += 1
      known.hasLost = true
    }
    let line = known ?? newLine(client)
    line.append(datagram)
    usedBytes += bytes
    count += 1
    // Who becomes known under another number stays in the line, so that nothing overtakes what was
    // sent before.
    standing[datagram.peer, default: (line, 0)].count += 1
    return line.hasLost && !hadLost
  }

  /// Takes the datagram whose turn it is; say with `charge` what it was to read it.
  mutating func next() -> HeldDatagram? {
    guard count > 0 else { return nil }
    // However many come anew, the others are read in between.
    let isTurnOfOthers = workOfNewcomers >= Self.quantum && turns.contains { !$0.isEmpty }
    wasNew = !newcomers.isEmpty && !isTurnOfOthers
    if !wasNew { workOfNewcomers = 0 }
    if wasNew { return take(from: newcomers[0]) }
    while turns[0].credit <= 0 || turns[0].isEmpty {
      let line = turns.removeFirst()
      line.credit += Self.quantum
      if line.isEmpty, line.credit > 0 { lines[line.client] = nil } else { turns.append(line) }
    }
    return take(from: turns[0])
  }

  /// Takes the work of reading what `next` gave from the credit of its line.
  mutating func charge(work: Int) {
    guard count > 0 else { return removeAll() }
    let line = wasNew ? newcomers[0] : turns[0]
    line.credit -= max(1, work)
    if wasNew { workOfNewcomers += work }
    let isGone = line.isEmpty && line.credit > 0
    if isGone { lines[line.client] = nil }
    if wasNew, isGone || line.credit <= 0 { newcomers.removeFirst() }
    if wasNew, line.credit <= 0 { turns.append(line) }
    if !wasNew, isGone { turns.removeFirst() }
  }

  /// When nothing waits nobody owes anything.
  private mutating func removeAll() {
    newcomers.removeAll()
    turns.removeAll()
    lines.removeAll()
  }

  private mutating func newLine(_ client: Int) -> Line {
    let line = Line(client: client)
    lines[client] = line
    newcomers.append(line)
    return line
  }

  private mutating func take(from line: Line) -> HeldDatagram {
    let datagram = line.takeFirst()
    usedBytes -= Self.bytes(of: datagram)
    count -= 1
    if let place = standing[datagram.peer] {
      standing[datagram.peer] = place.count > 1 ? (line, place.count - 1) : nil
    }
    return datagram
  }

  private static func bytes(of datagram: HeldDatagram) -> Int { datagram.byteCount + bytesBesides }
}
