/// A datagram as it was received, valid while it is handed over.
public struct UnreadDatagram: ~Copyable {
  /// Who sent it.
  public let peer: Peer
  /// The index of the socket on which it came.
  public let socket: Int
  /// When the kernel got it, on the real-time clock, in nanoseconds since 1970.
  public let arrivalNanoseconds: Int64
  /// Eight zeros stand behind them.
  let bytes: UnsafeMutableBufferPointer<UInt8>

  init(
    peer: Peer, socket: Int, arrivalNanoseconds: Int64, bytes: UnsafeMutableBufferPointer<UInt8>
  ) {
    self.peer = peer
    self.socket = socket
    self.arrivalNanoseconds = arrivalNanoseconds
    self.bytes = bytes
  }

  init(_ held: HeldDatagram, _ bytes: UnsafeMutableBufferPointer<UInt8>) {
    self.init(
      peer: held.peer, socket: held.socket, arrivalNanoseconds: held.arrivalNanoseconds,
      bytes: bytes)
  }
}

/// A datagram that is kept to be read later; see `OSCServer.read`.
public struct HeldDatagram: Sendable {
  /// Who sent it.
  public let peer: Peer
  /// The index of the socket on which it came.
  public let socket: Int
  /// When the kernel got it, on the real-time clock, in nanoseconds since 1970.
  public let arrivalNanoseconds: Int64
  let guardedBytes: [UInt8]

  /// Copies a datagram.
  public init(_ datagram: borrowing UnreadDatagram) {
    peer = datagram.peer
    socket = datagram.socket
    arrivalNanoseconds = datagram.arrivalNanoseconds
    guardedBytes =
      Array(datagram.bytes) + repeatElement(0, count: PacketParser.guardBytes)
  }

  /// How many bytes it had.
  public var byteCount: Int { guardedBytes.count - PacketParser.guardBytes }
}
