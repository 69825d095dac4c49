import Control
import Messages
import OSC

/// The clients that the configuration names.
extension ClientDesk {
  /// Makes these the clients of the configuration: all of them, or none when one cannot be.
  ///
  /// Who is among them already goes on as before. Whoever has come to the same place, or with the
  /// same name, makes room.
  ///
  /// - Throws: a `Refusal` that names the client which is where we listen ourselves, cannot be
  ///   reached, is there twice, or wants what does not exist.
  func setFixed(_ wanted: [FixedClient]) throws(Refusal) {
    var coming: [Client] = []
    try FixedClient.forEach(of: wanted) { fixed throws(Refusal) in
      guard !clients.clients.contains(where: { $0.fixed == fixed }) else { return }
      coming.append(try client(fixed))
    }
    for client in clients.clients {
      let isUnwanted = client.fixed.map { !wanted.contains($0) } ?? false
      let isReplaced = coming.contains {
        $0.destination == client.destination
          || ($0.name == client.name && $0.host == client.host)
      }
      if isUnwanted || isReplaced { forget(client) }
    }
    for client in coming { clients.add(client) }
  }

  private func client(_ fixed: FixedClient) throws(Refusal) -> Client {
    try checkLoop(fixed.peer)
    guard let socket = server.socket(reaching: fixed.peer) else {
      throw Refusal(
        .value, "\(fixed.peer) cannot be reached from where this router listens; see --listen")
    }
    let match = try PatternMatch(fixed.pattern, hub: hub, index: index)
    let client = Client(
      number: senders.number(), fixed: fixed, host: fixed.peer.host, socket: socket,
      thingCount: index.count, nowNanoseconds: nowNanoseconds)
    client.name = fixed.name
    client.listener = fixed.peer
    client.hz = fixed.hz
    client.face = fixed.face
    client.subscribe(fixed.pattern, seconds: 0, match)
    return client
  }
}
