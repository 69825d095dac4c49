import Control
import OSC

/// Who has said who they are, and whose a datagram is.
///
/// A client is known by its name on its machine, else by the address and port that it speaks from
/// or hears at. A program that sends every message from a new port is known by its machine, when it
/// is the only client there; on this machine itself many programs speak from one address, so there
/// that rule does not hold. Control thread only.
package final class ClientTable {
  /// The most clients beside those of the configuration.
  static let capacity = 64
  /// The most of them on one machine, so that none keeps the others out.
  static let perHost = 32
  /// The most clients that the configuration may name.
  static let mostFixed = 32
  /// How long a client without a subscription is known after its last message, in seconds.
  static let graceSeconds = 600
  /// How long a client that stays until `/bye` keeps its place when others want it, in seconds.
  static let silenceSeconds = 3_600

  /// Everybody, in the order in which they came.
  package private(set) var clients: [Client] = []

  /// Makes an empty table.
  package init() {}

  /// Those that subscribe to something.
  private(set) var subscribers: [Client] = []
  /// Changes whenever somebody may be somebody else than before.
  private(set) var generation = 0

  private var byPeer: [Peer: Client] = [:]
  private var byNumber: [Int: Client] = [:]

  /// The client with a number.
  func client(numbered number: Int) -> Client? { byNumber[number] }

  /// The client that speaks from a place, when it is one that is known.
  package func client(speakingFrom peer: Peer) -> Client? {
    byPeer[peer] ?? onlyClient(on: peer)
  }

  /// The client that speaks from a place or hears there.
  func client(at peer: Peer) -> Client? { byPeer[peer] }

  /// The client that is meant when somebody says who they are, or nothing when it is a new one.
  ///
  /// `listener` is where they want to hear, when they name another port than their own.
  package func client(introducing name: String, from peer: Peer, listener: Peer?) -> Client? {
    if !name.isEmpty {
      if let same = clients.first(where: { $0.name == name && $0.host == peer.host }) {
        return same
      }
      guard let exact = byPeer[peer], !exact.isFixed else { return nil }
      // One place may speak for several clients that hear elsewhere; else it is the same one under
      // another name.
      return exact.name.isEmpty || listener == nil || listener == exact.destination ? exact : nil
    }
    if let exact = byPeer[peer], isCompatible(exact, listener) { return exact }
    // Who speaks from the port where it hears is itself, and not who names that port.
    if let listener { return clients.first { $0.listener == listener } }
    return byPeer[peer] == nil ? onlyClient(on: peer) : nil
  }

  private func isCompatible(_ client: Client, _ listener: Peer?) -> Bool {
    guard let listener else { return true }
    if client.isFixed { return client.destination == listener }
    return client.listener == nil || client.listener == listener
  }

  private func onlyClient(on peer: Peer) -> Client? {
    guard !peer.isLoopback else { return nil }
    let host = peer.host
    var only: Client?
    for client in clients where client.host == host {
      guard only == nil else { return nil }
      only = client
    }
    return only
  }

  // MARK: Coming and going

  /// The client that must go before another one may come, or nothing when there is room.
  ///
  /// Throws a `Refusal` when nobody may be sent away.
  func clientInTheWay(on host: Peer, nowNanoseconds: Int64) throws(Refusal) -> Client? {
    let free = clients.filter { !$0.isFixed }
    let here = free.filter { $0.host == host }
    guard free.count >= Self.capacity || here.count >= Self.perHost else { return nil }
    let crowd = here.count >= Self.perHost ? here : free
    let idle = crowd.filter { !$0.isSubscriber }
    let dead = crowd.filter {
      $0.leaseEndNanoseconds == nil && $0.end(afterSeconds: Self.silenceSeconds) < nowNanoseconds
    }
    let candidates = idle.isEmpty ? dead : idle
    guard let oldest = candidates.min(by: { $0.lastHeardNanoseconds < $1.lastHeardNanoseconds })
    else {
      throw Refusal(
        .size,
        here.count >= Self.perHost
          ? "\(Self.perHost) clients of your machine are told of changes already; let one say /bye"
          : "\(Self.capacity) clients are told of changes already; let one say /bye")
    }
    return oldest
  }

  /// Adds a client; there must be room.
  package func add(_ client: Client) {
    clients.append(client)
    update()
  }

  /// Removes a client.
  func remove(_ client: Client) {
    clients.removeAll { $0 === client }
    update()
  }

  /// Looks again who is where and who subscribes; after every change of that.
  func update() {
    generation += 1
    subscribers = clients.filter { !$0.subscriptions.isEmpty }
    byPeer.removeAll(keepingCapacity: true)
    byNumber.removeAll(keepingCapacity: true)
    for client in clients {
      byNumber[client.number] = client
      if let listener = client.listener { byPeer[listener] = client }
    }
    // Several clients may be introduced from one place; what is said there is of the latest.
    for client in clients.sorted(by: { $0.introduction < $1.introduction }) {
      if let endpoint = client.endpoint { byPeer[endpoint] = client }
    }
  }
}
