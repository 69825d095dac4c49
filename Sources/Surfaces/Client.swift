import Control
import OSC

/// Somebody who has said who they are or what they want to be told.
///
/// Control thread only.
package final class Client {
  /// The most patterns that a client subscribes to: as many as there are bits for each thing.
  static let mostPatterns = 32
  /// The most dumps that wait while one is on its way.
  static let mostWaitingDumps = 4
  /// How many values in a row that it was told a client with a hand must send back before all of
  /// them count as echoes.
  static let repeatsOfParrot = 2
  /// For how long after it was told a value a client may send it back as an echo, in milliseconds.
  static let echoMilliseconds = 500
  /// The same of a client that sends back everything, and may have come to be far behind.
  static let parrotMilliseconds = 10_000
  /// The time within which no hand answers what it sees, in milliseconds.
  static let reactionMilliseconds = 150

  /// Its number as a source of changes.
  package let number: Int
  /// What the configuration says of it, if it is named there and so never forgotten.
  let fixed: FixedClient?
  /// The machine that it is on: an address without a port.
  let host: Peer
  /// What it calls itself, or nothing.
  package var name = ""
  /// Where it spoke from when it last said something about itself.
  package var endpoint: Peer?
  /// Where it hears when that is another place.
  package var listener: Peer?
  /// The route to where it spoke from, or -1.
  var route = -1
  /// The number of its last introduction among everybody's.
  var introduction = 0
  /// The socket that it is told from.
  var socket: Int
  /// When it was heard last, in monotonic nanoseconds.
  var lastHeardNanoseconds: Int64

  /// How many times a second at most it is told of changes.
  var hz = ClientRequest.usualRate
  /// On which addresses it is told levels.
  var face = ClientFace.bare
  /// What it is told about its own changes.
  var echo = ClientEcho.corrections
  private(set) var subscriptions: [Subscription] = []

  /// What it is to be told when its turn comes.
  var marked: ThingSet
  /// What it has been told.
  var told = EchoMemory()
  /// How many values that it was told it has sent back in a row.
  var repeats = 0
  /// Whether it has said something that it was not told, and has not only sent back values since.
  var hasHand = false
  /// The dump that is on its way.
  var dump: Dump?
  /// Whether the dump goes before changes in this turn.
  var isDumpFirst = false
  /// The patterns of the dumps that wait.
  var waitingDumps: [String] = []
  /// When it may be told something again, in monotonic nanoseconds.
  var nextTurnNanoseconds: Int64 = 0
  /// Where in the marked things to go on.
  var cursor = 0
  /// Where in the things that travel to go on.
  var travelCursor = 0

  /// The meters that it is told of, if it has asked for any.
  var meters: ClientMeters?

  private let thingCount: Int
  private var masks: UnsafeMutablePointer<UInt32>?

  /// Makes a client that wants nothing yet, of whom so many things can be told.
  package init(
    number: Int, fixed: FixedClient? = nil, host: Peer, socket: Int, thingCount: Int,
    nowNanoseconds: Int64
  ) {
    self.number = number
    self.fixed = fixed
    self.host = host
    self.socket = socket
    self.thingCount = thingCount
    lastHeardNanoseconds = nowNanoseconds
    marked = ThingSet(limit: thingCount)
  }

  deinit {
    masks?.deallocate()
  }

  /// Whether the configuration names it.
  var isFixed: Bool {
    switch fixed {
    case .some: true
    case .none: false
    }
  }

  /// Where it is told.
  var destination: Peer? { listener ?? endpoint }

  /// Whether a change comes from it.
  func isSource(_ source: Source) -> Bool {
    guard case .client(let number, let route) = source else { return false }
    // In the datagram in which it says who it is, it still has the number that it had before.
    return number == self.number || (route == self.route && self.route >= 0)
  }

  /// It as a source of changes.
  var source: Source { .client(number, route: route) }

  // MARK: What it wants

  /// Whether it subscribes to a pattern.
  func subscribes(to pattern: String) -> Bool {
    subscriptions.contains { $0.pattern == pattern }
  }

  /// Subscribes it to a pattern, or anew to one that it has; there must be room.
  func subscribe(_ pattern: String, seconds: Int, _ match: PatternMatch) {
    unsubscribe { $0.pattern == pattern }
    let used = Set(subscriptions.map(\.slot))
    guard let slot = (0..<Self.mostPatterns).first(where: { !used.contains($0) }) else {
      preconditionFailure("room for a pattern")
    }
    if masks == nil {
      let made = UnsafeMutablePointer<UInt32>.allocate(capacity: thingCount)
      made.initialize(repeating: 0, count: thingCount)
      masks = made
    }
    subscriptions.append(
      Subscription(pattern: pattern, seconds: seconds, face: match.face, slot: slot))
    guard let masks else { return }
    for thing in match.things { masks[Int(thing)] |= 1 << UInt32(slot) }
  }

  /// Ends the subscriptions that a closure chooses; says whether there were any.
  @discardableResult
  func unsubscribe(_ isChosen: (Subscription) -> Bool) -> Bool {
    var gone: UInt32 = 0
    subscriptions.removeAll { subscription in
      guard isChosen(subscription) else { return false }
      gone |= 1 << UInt32(subscription.slot)
      return true
    }
    guard gone != 0, let masks else { return false }
    for thing in 0..<thingCount where masks[thing] & gone != 0 {
      masks[thing] &= ~gone
      if masks[thing] == 0 { marked.remove(thing) }
    }
    return true
  }

  /// Whether it wants to be told of a thing.
  @inline(__always)
  func wants(_ thing: Int) -> Bool {
    guard let masks else { return false }
    return masks[thing] != 0
  }

  /// The faces on which it wants to be told of a thing, as a bit for each `ClientFace.index`.
  func faces(of thing: Int) -> UInt8 {
    guard let masks else { return 0 }
    let mask = masks[thing]
    var faces: UInt8 = 0
    for subscription in subscriptions where mask & (1 << UInt32(subscription.slot)) != 0 {
      faces |= 1 << UInt8((subscription.face ?? face).index)
    }
    return faces
  }

  /// Until when its subscriptions last, in monotonic nanoseconds; nothing when one has no end.
  var leaseEndNanoseconds: Int64? {
    let seconds = subscriptions.map(\.seconds) + (meters?.sets.map(\.seconds) ?? [])
    let ends = seconds.map { $0 == 0 ? nil : end(afterSeconds: $0) }
    return ends.contains(nil) ? nil : ends.compactMap { $0 }.max()
  }

  /// Whether it has asked to be told of anything.
  var isSubscriber: Bool { !subscriptions.isEmpty || meters?.isWanted == true }

  /// The monotonic time, in nanoseconds, so long after it was heard last.
  func end(afterSeconds seconds: Int) -> Int64 {
    lastHeardNanoseconds + Int64(seconds) * 1_000_000_000
  }

  // MARK: Turns

  /// Whether there is something to tell it, apart from what travels.
  var hasNews: Bool { !marked.isEmpty || hasDump }

  /// Whether a dump is on its way.
  var hasDump: Bool {
    switch dump {
    case .some: true
    case .none: false
    }
  }
}
