/// Where a port is now: the number of its client and its own; both may be others tomorrow.
public struct SequencerAddress: Hashable, Sendable, CustomStringConvertible {
  /// The number of the client, 0...255.
  public var client: UInt8
  /// The number of the port within its client, 0...255.
  public var port: UInt8

  /// Makes an address.
  public init(client: UInt8, port: UInt8) {
    self.client = client
    self.port = port
  }

  /// As `aconnect` writes it, for example `24:0`.
  public var description: String { "\(client):\(port)" }
}
