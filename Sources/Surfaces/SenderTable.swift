import OSC

/// The senders that were heard lately: as many as fit, whoever was silent longest makes room.
struct SenderTable {
  /// The most senders that are remembered.
  static let capacity = 1_024

  private struct Host {
    var client: Int
    var senders = 0
  }

  private var senders: [Sender] = []
  private var places: [Peer: Int] = [:]
  private var routes: [Int: Int] = [:]
  private var hosts: [Peer: Host] = [:]
  private var nextNumber = 0
  // Who speaks once mostly goes on speaking, and comparing is cheaper than looking up.
  private var lastPlace = 0

  /// The clients that have lost their last sender since they were taken from here.
  private(set) var goneClients: [Int] = []

  /// The place of a sender, who is remembered from now on.
  mutating func place(of peer: Peer, socket: Int, nowNanoseconds: Int64) -> Int {
    let place: Int
    if lastPlace < senders.count, senders[lastPlace].peer == peer {
      place = lastPlace
    } else {
      place = places[peer] ?? add(peer, socket: socket, nowNanoseconds: nowNanoseconds)
      lastPlace = place
    }
    senders[place].socket = socket
    senders[place].lastHeardNanoseconds = nowNanoseconds
    return place
  }

  /// The place of the sender with a route, unless it has been forgotten.
  func place(ofRoute route: Int) -> Int? { routes[route] }

  /// Gives the clients that are gone, once.
  mutating func takeGoneClients() -> [Int] {
    guard !goneClients.isEmpty else { return [] }
    defer { goneClients = [] }
    return goneClients
  }

  subscript(place: Int) -> Sender {
    get { senders[place] }
    set { senders[place] = newValue }
  }

  private mutating func add(_ peer: Peer, socket: Int, nowNanoseconds: Int64) -> Int {
    let place = freePlace()
    let sender = Sender(
      route: number(), client: client(on: peer.host), peer: peer, socket: socket,
      nowNanoseconds: nowNanoseconds)
    if place == senders.count { senders.append(sender) } else { senders[place] = sender }
    places[peer] = place
    routes[sender.route] = place
    return place
  }

  /// A number for a client or a route that nobody has.
  mutating func number() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }

  private mutating func client(on host: Peer) -> Int {
    let client = hosts[host]?.client ?? number()
    hosts[host, default: Host(client: client)].senders += 1
    return client
  }

  private mutating func freePlace() -> Int {
    guard senders.count == Self.capacity else { return senders.count }
    let place =
      senders.indices.min {
        senders[$0].lastHeardNanoseconds < senders[$1].lastHeardNanoseconds
      } ?? 0
    let host = senders[place].peer.host
    places[senders[place].peer] = nil
    routes[senders[place].route] = nil
    hosts[host]?.senders -= 1
    if hosts[host]?.senders == 0 {
      hosts[host] = nil
      goneClients.append(senders[place].client)
    }
    return place
  }
}
