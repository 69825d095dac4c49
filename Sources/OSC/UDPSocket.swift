import CSocket
import Glibc

/// A bound UDP socket, closed when it is let go.
final class UDPSocket {
  /// For `poll`.
  let descriptor: Int32
  /// Where it is bound.
  let bound: Peer

  private init(descriptor: Int32, bound: Peer) {
    self.descriptor = descriptor
    self.bound = bound
  }

  deinit {
    close(descriptor)
  }

  /// Opens and binds a socket; the failure is the errno.
  static func open(_ wanted: Peer) -> Result<UDPSocket, Errno> {
    var name = wanted.raw
    var bound = udp_peer()
    let descriptor = udp_open(&name, &bound)
    guard descriptor >= 0 else { return .failure(Errno(number: -descriptor)) }
    return .success(UDPSocket(descriptor: descriptor, bound: Peer(bound)))
  }

  /// Whether a datagram to a peer may leave from here.
  func reaches(_ peer: Peer) -> Bool {
    guard peer.isIPv6 == bound.isIPv6 else { return false }
    return bound.isUnspecified || bound.isLoopback == peer.isLoopback
  }
}

/// An error number of the C library.
struct Errno: Error, Equatable {
  let number: Int32

  /// What the C library says about it.
  var text: String { String(cString: strerror(number)) }
}
