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
}
