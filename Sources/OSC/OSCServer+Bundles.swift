import CSocket
import Glibc

/// The sending of bundles, and what the server knows about where it can send.
extension OSCServer {
  /// What became of a writer's bundles.
  package struct Delivery: Equatable, Sendable {
    /// How many of the first bundles need no second try.
    package var handled = 0
    /// How many of them the network would not take at all.
    package var failed = 0
    /// Whether the socket's buffer is full, so that the rest must wait.
    package var isBlocked = false

    /// Says what became of bundles.
    package init(handled: Int = 0, failed: Int = 0, isBlocked: Bool = false) {
      self.handled = handled
      self.failed = failed
      self.isBlocked = isBlocked
    }
  }

  /// Sends the bundles of a writer to a peer from one of the sockets, in order.
  ///
  /// Never waits. Where nobody listens, a bundle counts as sent: a listener may appear later. Bundles that the
  /// socket's buffer has no room for are left for another time.
  package func send(_ writer: BundleWriter, to peer: Peer, from socket: Int) -> Delivery {
    var delivery = Delivery()
    var name = peer.raw
    let end = writer.bundleCount
    var refusals = 0
    while delivery.handled < end {
      let result = udp_outbox_send(
        writer.outbox, descriptors[socket], Int32(delivery.handled), Int32(end), &name)
      switch result {
      case 1...:
        delivery.handled += Int(result)
        countSent(Int(result))
        refusals = 0
      case -EAGAIN, -EWOULDBLOCK, -ENOBUFS, -ENOMEM:
        delivery.isBlocked = true
        return delivery
      case -ECONNREFUSED where refusals == 0, -EINTR:
        // The kernel reports an earlier datagram to whomever; this one has not been tried yet.
        refusals += 1
      default:
        delivery.handled += 1
        delivery.failed += 1
        countSendFailure()
        refusals = 0
      }
    }
    return delivery
  }

  /// The socket from which a peer can be reached, if there is one.
  package func socket(reaching peer: Peer) -> Int? {
    boundAddresses.indices.first { reaches(peer, from: $0) }
  }

  /// Whether what is sent to a peer would come back to one of the server's own sockets.
  package func listens(at peer: Peer) -> Bool {
    boundAddresses.contains { bound in
      guard bound.port == peer.port, bound.isIPv6 == peer.isIPv6 else { return false }
      if bound.host == peer.host || peer.isUnspecified { return true }
      var name = peer.raw
      return bound.isUnspecified && udp_is_own_address(&name)
    }
  }
}
