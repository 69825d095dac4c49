import Messages

/// A datagram as it was received and read.
public struct Datagram: Sendable {
  /// Who sent it.
  public let peer: Peer
  /// The index of the socket on which it came.
  public let socket: Int
  /// When the kernel got it, on the real-time clock, in nanoseconds since 1970.
  public let arrivalNanoseconds: Int64
  /// How many bytes it had.
  public let byteCount: Int
  /// Its messages in order; none when it has a fault.
  public let batch: MessageBatch
  /// What is wrong with it, when something is.
  public let fault: PacketFault?
}
