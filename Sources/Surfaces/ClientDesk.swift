import Control
import MatrixCore
import Messages
import OSC

/// Keeps the clients: who they are, what they want to be told, and what they have to be told.
///
/// Control thread only.
final class ClientDesk {
  /// How often fades are looked after, in nanoseconds.
  private static let travelStepNanoseconds: Int64 = 5_000_000

  /// What it is to find everybody's place anew, as the hub counts work.
  private static let workOfIntroduction = 200

  let server: OSCServer
  unowned let hub: ControlHub
  let index: FeedbackIndex
  let clients = ClientTable()
  let feed: MeterFeed
  var senders = SenderTable()
  /// The present, in monotonic nanoseconds, as of this pass.
  var nowNanoseconds: Int64 = 0
  var tally = ClientCounters()

  let writer = BundleWriter(capacity: ClientDesk.bundlesPerTurn)
  /// What has been written in a turn, to be told again if it does not leave.
  var written: [Written] = []
  /// Whose turn is first in the next pass.
  var firstTurn = 0

  /// The levels that are on their way.
  private(set) var travelling: [Int32] = []
  /// Where in `travelling` a thing stands, or -1.
  private var travelPlaces: [Int32]
  /// The client, by its number, that sent a level on its way and knows where it goes; else -1.
  private var owners: [Int]
  private var nextTravelNanoseconds = Int64.min
  private var nextExpiryNanoseconds = Int64.max
  private var introductions = 0

  /// Makes a desk that nobody has come to yet.
  init(server: OSCServer, hub: ControlHub, meters: MeterReader) {
    self.server = server
    feed = MeterFeed(server: server, reader: meters)
    self.hub = hub
    index = FeedbackIndex(shape: hub.state.shape)
    travelPlaces = [Int32](repeating: -1, count: index.count)
    owners = [Int](repeating: -1, count: index.count)
  }

  // MARK: Who

  /// The number by which a sender is known to the hub.
  func identity(ofSender place: Int) -> Int {
    if senders[place].clientGeneration != clients.generation {
      senders[place].knownClient = clients.client(speakingFrom: senders[place].peer)?.number
      senders[place].clientGeneration = clients.generation
    }
    guard let number = senders[place].knownClient else { return senders[place].client }
    clients.client(numbered: number)?.lastHeardNanoseconds = nowNanoseconds
    return number
  }

  /// The client that a request is from, who is one from now on.
  ///
  /// Throws a `Refusal` when it cannot be one; gives nothing when its place has been forgotten.
  func introduce(
    _ source: Source, name: String = "", replyPort: UInt16? = nil
  ) throws(Refusal) -> Client? {
    guard case .client(_, let route) = source, let place = senders.place(ofRoute: route) else {
      return nil
    }
    let peer = senders[place].peer
    let listener = replyPort.map { peer.with(port: $0) }
    try checkLoop(listener ?? peer)
    let known = clients.client(introducing: name, from: peer, listener: listener)
    let client: Client
    if let known {
      client = known
    } else {
      client = try newClient(on: peer.host, socket: senders[place].socket)
    }
    try settle(client, at: listener ?? client.listener ?? peer, wishOf: peer)
    // Most of what a client asks for comes from where it always speaks.
    let isSettled =
      client.endpoint == peer && clients.client(at: peer) === client
      && (listener == nil || listener == client.destination)
    if !name.isEmpty, !client.isFixed { client.name = name }
    client.lastHeardNanoseconds = nowNanoseconds
    client.route = route
    if !client.isFixed { client.socket = senders[place].socket }
    guard !isSettled else { return client }
    hub.work += Self.workOfIntroduction
    introductions += 1
    client.introduction = introductions
    client.endpoint = peer
    if !client.isFixed, let listener { client.listener = listener == peer ? nil : listener }
    if known == nil { clients.add(client) } else { clients.update() }
    checkExpiry(by: client.end(afterSeconds: ClientTable.graceSeconds))
    return client
  }

  private func newClient(on host: Peer, socket: Int) throws(Refusal) -> Client {
    do throws(Refusal) {
      if let other = try clients.clientInTheWay(on: host, nowNanoseconds: nowNanoseconds) {
        forget(other)
      }
    } catch {
      tally.refusedClients += 1
      throw error
    }
    return Client(
      number: senders.number(), host: host, socket: socket,
      thingCount: index.count, nowNanoseconds: nowNanoseconds)
  }

  /// Makes sure that nobody else is told at the same place.
  private func settle(
    _ client: Client, at destination: Peer, wishOf peer: Peer
  ) throws(Refusal) {
    for other in clients.clients where other !== client && other.destination == destination {
      guard !other.isFixed else {
        throw Refusal(.value, "the configuration's client \(other.name) hears there already")
      }
      // A port is its who speaks from it: nobody else takes what it is told.
      guard other.listener != nil || !other.isSubscriber || destination == peer else {
        throw Refusal(
          .value,
          "a client that speaks from port \(destination.port) is told there; it must say /bye first"
        )
      }
      // An endpoint that only speaks for a client that hears elsewhere is no place to be told.
      forget(other)
    }
  }

  func checkLoop(_ peer: Peer) throws(Refusal) {
    guard server.listens(at: peer) else { return }
    throw Refusal(
      .value,
      "\(peer) is where this router itself listens, and it would hear itself; name the port at "
        + "which the app listens")
  }

  /// Forgets a client and takes its hands off everything.
  func forget(_ client: Client) {
    clients.remove(client)
    hub.forget(.client(client.number))
  }

  // MARK: Ends

  /// Sees to it that ends are looked for at a time, in monotonic nanoseconds, or earlier.
  func checkExpiry(by time: Int64) {
    nextExpiryNanoseconds = min(nextExpiryNanoseconds, time)
  }

  /// Ends what nobody has renewed in time.
  private func expire() {
    guard nowNanoseconds >= nextExpiryNanoseconds else { return }
    nextExpiryNanoseconds = .max
    var hasChanged = false
    let now = nowNanoseconds
    for client in clients.clients {
      let hasLess = client.unsubscribe {
        $0.seconds > 0 && client.end(afterSeconds: $0.seconds) <= now
      }
      if feed.expire(client, nowNanoseconds: now) || hasLess {
        hasChanged = true
        // Who subscribed and has not been heard since is gone.
        if !client.isSubscriber, !client.isFixed {
          tally.lostClients += 1
          forget(client)
          continue
        }
      }
      guard client.isFixed || client.isSubscriber else {
        let end = client.end(afterSeconds: ClientTable.graceSeconds)
        if end <= now { forget(client) } else { checkExpiry(by: end) }
        continue
      }
      for subscription in client.subscriptions where subscription.seconds > 0 {
        checkExpiry(by: client.end(afterSeconds: subscription.seconds))
      }
      for set in client.meters?.sets ?? [] where set.seconds > 0 {
        checkExpiry(by: client.end(afterSeconds: set.seconds))
      }
    }
    if hasChanged { clients.update() }
  }

  // MARK: What travels

  /// Notes that a level is on its way; an owner knows where it goes.
  func noteTravel(of thing: Int, owner: Int) {
    owners[thing] = owner
    guard !travels(thing) else { return }
    travelPlaces[thing] = Int32(travelling.count)
    travelling.append(Int32(thing))
  }

  /// Notes that a level stands still.
  func noteArrival(of thing: Int) {
    guard travels(thing) else { return }
    let place = Int(travelPlaces[thing])
    travelPlaces[thing] = -1
    let last = travelling.removeLast()
    guard Int(last) != thing else { return }
    travelling[place] = last
    travelPlaces[Int(last)] = Int32(place)
  }

  /// Whether a level was on its way when that was last looked after.
  func travels(_ thing: Int) -> Bool { travelPlaces[thing] >= 0 }

  /// Whether a client has itself sent a level on its way and does not want to hear of it.
  func isOwner(_ client: Client, of thing: Int) -> Bool {
    owners[thing] == client.number && client.echo != .always
  }

  /// Ends what has arrived: everybody is told where.
  private func lookAfterTravel() {
    guard !travelling.isEmpty, nowNanoseconds >= nextTravelNanoseconds else { return }
    nextTravelNanoseconds = nowNanoseconds + Self.travelStepNanoseconds
    let frame = hub.presentFrame(now: nowNanoseconds)
    var place = 0
    while place < travelling.count {
      let thing = Int(travelling[place])
      guard !hub.isFading(index.target(thing), atFrame: frame) else {
        place += 1
        continue
      }
      noteArrival(of: thing)
      for client in clients.subscribers where client.wants(thing) && !isOwner(client, of: thing) {
        client.marked.insert(thing)
      }
    }
  }

  // MARK: Time

  /// Tells the clients what their turn has come for; after everything of a pass has been applied.
  func tick() {
    guard !clients.clients.isEmpty else {
      return feed.tick(clients, nowNanoseconds: nowNanoseconds)
    }
    expire()
    lookAfterTravel()
    takeTurns()
    feed.tick(clients, nowNanoseconds: nowNanoseconds)
  }

  /// The monotonic time, in nanoseconds, at which `tick` has something to do, or nothing.
  var nextDeadline: Int64? {
    guard !clients.clients.isEmpty else { return nil }
    var deadline = nextExpiryNanoseconds
    for client in clients.clients where hasWork(client) {
      deadline = min(deadline, client.nextTurnNanoseconds)
    }
    return deadline == .max ? nil : deadline
  }

  func hasWork(_ client: Client) -> Bool {
    client.hasNews || (!travelling.isEmpty && !client.subscriptions.isEmpty)
  }
}
