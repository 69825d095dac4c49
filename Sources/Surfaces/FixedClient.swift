import Control
import OSC

/// A client that the configuration names, because the app cannot subscribe by itself.
public struct FixedClient: Equatable, Sendable {
  /// What it is called.
  public var name: String
  /// Where it listens.
  public var peer: Peer
  /// How many times a second at most it is told of changes, 1...60.
  public var hz: Int
  /// On which addresses it is told levels.
  public var face: ClientFace
  /// What it is told of; empty for everything.
  public var pattern: String
  /// Where it was written, for when it cannot be had; no part of what it is.
  public var origin = ""

  /// Makes a client that is told of everything.
  public init(
    name: String, peer: Peer, hz: Int = ClientRequest.usualRate, face: ClientFace = .bare,
    pattern: String = ""
  ) {
    self.name = name
    self.peer = peer
    self.hz = hz
    self.face = face
    self.pattern = pattern
  }

  /// Whether two clients are the same in everything but where they were written.
  public static func == (one: FixedClient, other: FixedClient) -> Bool {
    one.name == other.name && one.peer == other.peer && one.hz == other.hz
      && one.face == other.face && one.pattern == other.pattern
  }

  /// Checks what can be known of clients before a router listens.
  ///
  /// - Throws: a `Refusal` that names the client, and where it was written, which is one too many,
  ///   is there twice, or wants what `hub` does not have.
  package static func check(_ clients: [FixedClient], hub: ControlHub) throws(Refusal) {
    let index = FeedbackIndex(shape: hub.state.shape)
    try forEach(of: clients) { client throws(Refusal) in
      _ = try PatternMatch(client.pattern, hub: hub, index: index)
    }
  }

  /// Does something with each of some clients that may be there together.
  static func forEach(
    of clients: [FixedClient], _ body: (FixedClient) throws(Refusal) -> Void
  ) throws(Refusal) {
    for (place, client) in clients.enumerated() {
      do throws(Refusal) {
        guard place < ClientTable.mostFixed else {
          throw Refusal(.size, "there may be \(ClientTable.mostFixed) clients in a configuration")
        }
        let hasTwin = clients[..<place].contains {
          $0.peer == client.peer || ($0.name == client.name && $0.peer.host == client.peer.host)
        }
        guard !hasTwin else {
          throw Refusal(.value, "there is a client of that name or at that address already")
        }
        try body(client)
      } catch {
        let origin = client.origin.isEmpty ? "" : "\(client.origin): "
        throw Refusal(error.code, "\(origin)client \(client.name): \(error.text)")
      }
    }
  }
}
