import CSocket
import Glibc
import Messages

/// Receives and sends OSC over UDP.
///
/// Control thread only.
///
/// The sockets are the server's own, bound where it was told to and nowhere else; liblo reads and
/// writes what goes through them. Nothing here waits: poll `descriptors`, then call `receive`.
public final class OSCServer {
  private static let inboxSlots = 32

  private let sockets: [UDPSocket]
  /// Whom to hear; none means everybody who reaches the sockets.
  public var allowedRanges: [AddressRange]
  private let parser: PacketParser
  private let builder = PacketBuilder()
  private let inbox: OpaquePointer
  private var counted = OSCCounters()
  /// What has been read from a socket and not been handed over yet.
  private var waiting: (slots: Range<Int32>, socket: Int) = (0..<0, 0)

  /// What was asked for as receive buffer, per socket, in bytes.
  public let wantedReceiveBufferBytes: Int
  /// What the kernel granted as receive buffer, of the socket that got least, in bytes.
  public let grantedReceiveBufferBytes: Int

  /// Binds the sockets.
  ///
  /// Throws a sentence that names the address and the port when one cannot be had.
  public init(_ options: OSCServerOptions) throws(OSCError) {
    sockets = try bindSockets(options)
    parser = try PacketParser()
    allowedRanges = options.allowedRanges
    let wanted = min(max(options.receiveBufferBytes, 1), Int(Int32.max) / 2)
    wantedReceiveBufferBytes = wanted
    var granted = wanted
    for socket in sockets {
      granted = min(granted, Int(udp_set_receive_buffer(socket.descriptor, Int32(wanted))))
    }
    grantedReceiveBufferBytes = granted
    inbox = udp_inbox_create(Int32(Self.inboxSlots))
  }

  deinit {
    udp_inbox_destroy(inbox)
  }

  /// The descriptors to poll for reading, in the order of `boundAddresses`.
  public var descriptors: [Int32] { sockets.map(\.descriptor) }

  /// Where the server listens.
  public var boundAddresses: [Peer] { sockets.map(\.bound) }

  /// What has been counted so far.
  public var counters: OSCCounters {
    var counters = counted
    counters.kernelDropped = sockets.reduce(0) { $0 + UInt64(udp_dropped($1.descriptor)) }
    return counters
  }

  /// A sentence with the way to a larger receive buffer, when the kernel granted less than asked for.
  public var receiveBufferAdvice: String? {
    guard grantedReceiveBufferBytes < wantedReceiveBufferBytes else { return nil }
    return "the kernel grants \(grantedReceiveBufferBytes) bytes of receive buffer instead of "
      + "\(wantedReceiveBufferBytes), so a burst of messages may be lost; "
      + "`sysctl -w net.core.rmem_max=\(wantedReceiveBufferBytes)` as root lifts the limit"
  }

  /// Reads up to `limit` waiting datagrams from one socket and hands each to a closure.
  ///
  /// Returns how many were read; with fewer than the limit, poll before the next call. Datagrams
  /// of peers that are not allowed count, and are not handed over. The closures may send, and must
  /// not receive.
  ///
  /// `hears` says whether a datagram from a peer, on a socket, is looked at at all. `goesOn` is
  /// asked after each whether there is time for another one; what has left the kernel then waits
  /// for the next call, whichever socket that one is for, and `hasWaiting` says so, because `poll`
  /// does not.
  public func receive(
    from socket: Int, limit: Int, hears: (Peer, Int) -> Bool = { _, _ in true },
    while goesOn: () -> Bool = { true }, _ body: (borrowing Datagram) -> Void
  ) -> Int {
    var total = 0
    var isLast = false
    while total < limit {
      if waiting.slots.isEmpty {
        guard !isLast else { break }
        let wanted = min(limit - total, Self.inboxSlots)
        let received = udp_inbox_receive(inbox, sockets[socket].descriptor, Int32(wanted))
        // Nothing waits, or the kernel reports that a peer of an earlier answer has gone; what
        // waits behind such a report is for the next call.
        guard received > 0 else { break }
        waiting = (0..<received, socket)
        isLast = received < wanted
      }
      let slot = waiting.slots.lowerBound
      waiting.slots = slot + 1..<waiting.slots.upperBound
      open(slot: slot, of: waiting.socket, hears, body)
      total += 1
      guard goesOn() else { break }
    }
    return total
  }

  /// Whether something has left the kernel that `receive` would hand over at once.
  public var hasWaiting: Bool { !waiting.slots.isEmpty }

  private func open(
    slot: Int32, of socket: Int, _ hears: (Peer, Int) -> Bool, _ body: (borrowing Datagram) -> Void
  ) {
    var received = udp_datagram()
    udp_inbox_get(inbox, slot, &received)
    counted.datagrams += 1
    let peer = Peer(received.peer)
    guard allowedRanges.isEmpty || allowedRanges.contains(where: { $0.contains(peer) }) else {
      counted.notAllowed += 1
      return
    }
    guard hears(peer, socket) else { return }
    let fault = parser.parse(
      UnsafeMutableBufferPointer(start: received.bytes, count: received.count))
    if fault == nil {
      counted.messages += UInt64(parser.batch.messages.count)
      counted.bundles += UInt64(parser.bundleCount)
    } else {
      counted.malformed += 1
    }
    let stamp = received.arrival_nanoseconds
    body(
      Datagram(
        peer: peer, socket: socket, arrivalNanoseconds: stamp == 0 ? wallNanoseconds() : stamp,
        byteCount: received.count, batch: parser.batch, fault: fault))
  }

  /// Sends a message; false, and counted, when it cannot be sent now.
  ///
  /// It leaves from the socket given, so that the other end sees an answer come from where it
  /// asked, else from the first one that reaches the peer. Never waits.
  @discardableResult
  public func send(
    address: String, arguments: [Argument] = [], to peer: Peer, from socket: Int? = nil
  ) -> Bool {
    let isSent =
      builder.withMessage(address: address, arguments: arguments) { bytes in
        send(bytes, to: peer, from: socket)
      } ?? false
    if isSent { counted.sent += 1 } else { counted.sendFailures += 1 }
    return isSent
  }

  func countSent(_ count: Int) { counted.sent += UInt64(count) }

  func countSendFailure() { counted.sendFailures += 1 }

  func reaches(_ peer: Peer, from socket: Int) -> Bool { sockets[socket].reaches(peer) }

  private func send(_ bytes: UnsafeRawBufferPointer, to peer: Peer, from socket: Int?) -> Bool {
    let index = socket ?? sockets.firstIndex { $0.reaches(peer) }
    guard let index, sockets.indices.contains(index) else { return false }
    var name = peer.raw
    let result = udp_send(sockets[index].descriptor, bytes.baseAddress, bytes.count, &name)
    // Nobody listening there is no failure of ours: whoever asked has left.
    return result == 0 || result == -ECONNREFUSED
  }
}

private func wallNanoseconds() -> Int64 {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
}
