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
  private static let mostStrangers = 64

  private let sockets: [UDPSocket]
  /// Whom to hear; none means everybody who reaches the sockets.
  public var allowedRanges: [AddressRange] { didSet { strangers.removeAll() } }
  private let parser: PacketParser
  private let builder = PacketBuilder()
  /// One for each socket.
  private var inboxes: [Inbox]
  private var counted = OSCCounters()
  /// Machines that are not allowed and have sent something, the first of them.
  private var strangers: Set<Peer> = []
  private var newStranger: Peer?

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
    inboxes = sockets.map { _ in Inbox(datagrams: udp_inbox_create(Int32(Self.inboxSlots))) }
  }

  deinit {
    for inbox in inboxes { udp_inbox_destroy(inbox.datagrams) }
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

  /// Reads up to `limit` waiting datagrams and hands each to a closure, in the order in which they
  /// came, whichever socket it was on.
  ///
  /// Returns how many were read; with fewer than the limit, poll before the next call. Datagrams
  /// of peers that are not allowed count, and are not handed over. The closures may send, and must
  /// not receive.
  ///
  /// `hold` is shown each datagram before and says whether it has put it away, to be read later.
  public func receive(
    limit: Int, hold: (borrowing UnreadDatagram) -> Bool = { _ in false },
    _ body: (borrowing Datagram) -> Void
  ) -> Int {
    var total = 0
    for socket in sockets.indices { inboxes[socket].mayHaveMore = true }
    while true {
      var first: Int?
      for socket in sockets.indices {
        if inboxes[socket].isEmpty { total += fill(socket, limit: limit - total) }
        guard !inboxes[socket].isEmpty else { continue }
        if let other = first, inboxes[other].stamp <= inboxes[socket].stamp { continue }
        first = socket
      }
      guard let socket = first else { return total }
      open(inboxes[socket].next, of: socket, hold, body)
      inboxes[socket].take()
    }
  }

  /// Takes what waits on a socket from the kernel; gives how many datagrams that were.
  private func fill(_ socket: Int, limit: Int) -> Int {
    let wanted = min(limit, Self.inboxSlots)
    guard wanted > 0, inboxes[socket].mayHaveMore else { return 0 }
    let received = udp_inbox_receive(
      inboxes[socket].datagrams, sockets[socket].descriptor, Int32(wanted))
    // Nothing waits, or the kernel reports that a peer of an earlier answer has gone; what
    // waits behind such a report is for the next call.
    inboxes[socket].mayHaveMore = received == wanted
    guard received > 0 else { return 0 }
    inboxes[socket].hold(received)
    return Int(received)
  }

  /// Somebody who is not allowed and was dropped, once for each of the first machines of which that
  /// is so.
  public func takeStranger() -> Peer? {
    defer { newStranger = nil }
    return newStranger
  }

  /// Reads what was put away and hands it to a closure, which may send, and must not receive.
  public func read(_ datagram: HeldDatagram, _ body: (borrowing Datagram) -> Void) {
    var bytes = datagram.guardedBytes
    bytes.withUnsafeMutableBufferPointer { guarded in
      let bytes = UnsafeMutableBufferPointer(rebasing: guarded.dropLast(PacketParser.guardBytes))
      read(UnreadDatagram(datagram, bytes), body)
    }
  }

  private func open(
    _ received: udp_datagram, of socket: Int, _ hold: (borrowing UnreadDatagram) -> Bool,
    _ body: (borrowing Datagram) -> Void
  ) {
    counted.datagrams += 1
    let peer = Peer(received.peer)
    guard allowedRanges.isEmpty || allowedRanges.contains(where: { $0.contains(peer) }) else {
      counted.notAllowed += 1
      if strangers.count < Self.mostStrangers, strangers.insert(peer.host).inserted {
        newStranger = peer
      }
      return
    }
    let stamp = received.arrival_nanoseconds
    let datagram = UnreadDatagram(
      peer: peer, socket: socket, arrivalNanoseconds: stamp == 0 ? wallNanoseconds() : stamp,
      bytes: UnsafeMutableBufferPointer(start: received.bytes, count: received.count))
    if !hold(datagram) { read(datagram, body) }
  }

  private func read(_ datagram: borrowing UnreadDatagram, _ body: (borrowing Datagram) -> Void) {
    let fault = parser.parse(datagram.bytes)
    if fault == nil {
      counted.messages += UInt64(parser.batch.messages.count)
      counted.bundles += UInt64(parser.bundleCount)
    } else {
      counted.malformed += 1
    }
    body(
      Datagram(
        peer: datagram.peer, socket: datagram.socket,
        arrivalNanoseconds: datagram.arrivalNanoseconds, byteCount: datagram.bytes.count,
        batch: parser.batch, fault: fault))
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
