import Control
import Messages
import OSC

/// Joins the OSC sockets to the hub: what arrives becomes changes, what the hub answers goes back.
///
/// Control thread only.
public final class OSCSurface {
  /// How many datagrams one socket may hand over before the others, the timers and the signals
  /// have their turn.
  public static let datagramsPerPass = 256

  private let server: OSCServer
  private let hub: ControlHub
  private let note: (SurfaceNote) -> Void
  private var senders = SenderTable()
  private var unsaidErrors = 0
  private var lostReplies = 0

  /// Joins a server to a hub; `note` is told what the user should know.
  public init(server: OSCServer, hub: ControlHub, note: @escaping (SurfaceNote) -> Void) {
    self.server = server
    self.hub = hub
    self.note = note
  }

  /// The descriptors to poll for reading; `receive` takes their places in this list.
  public var descriptors: [Int32] { server.descriptors }

  /// Takes what waits on a socket, up to `datagramsPerPass`; the hub has the answers.
  ///
  /// - Parameters:
  ///   - socket: the place of the socket in `descriptors`.
  ///   - now: the present by both clocks.
  /// - Returns: how many datagrams were taken.
  @discardableResult
  public func receive(from socket: Int, now: Arrival) -> Int {
    let count = server.receive(from: socket, limit: Self.datagramsPerPass) { datagram in
      take(datagram, now: now)
    }
    for client in senders.takeGoneClients() { hub.forget(.client(client)) }
    return count
  }

  /// Sends what the hub has to say to a client.
  public func send(_ reply: Reply, now: Arrival) {
    guard case .client(_, let route) = reply.source, let place = senders.place(ofRoute: route)
    else {
      lostReplies += 1
      return
    }
    if reply.isError {
      note(SurfaceNote(cause: .refused, text: sentence(of: reply, from: senders[place].peer)))
      sendError(reply.arguments, to: place, now: now)
    } else {
      server.send(
        address: reply.address, arguments: reply.arguments, to: senders[place].peer,
        from: senders[place].socket)
    }
  }

  /// What the surface and its sockets have counted, by the names that `/engine/status` shows.
  public var counters: [(name: String, value: UInt64)] {
    let counters = server.counters
    return [
      ("datagrams", counters.datagrams), ("messages", counters.messages),
      ("bundles", counters.bundles), ("malformed_datagrams", counters.malformed),
      ("not_allowed_datagrams", counters.notAllowed),
      ("kernel_dropped_datagrams", counters.kernelDropped), ("sent_datagrams", counters.sent),
      ("send_failures", counters.sendFailures), ("unsaid_errors", UInt64(unsaidErrors)),
      ("lost_replies", UInt64(lostReplies)),
    ]
  }

  private func take(_ datagram: borrowing Datagram, now: Arrival) {
    let place = senders.place(
      of: datagram.peer, socket: datagram.socket, nowNanoseconds: now.monotonicNanoseconds)
    if let fault = datagram.fault {
      refuse(fault, from: place, now: now)
      return
    }
    // The kernel's stamp is the arrival; a stamp from a clock that was stepped is not believed.
    let age = now.realtimeNanoseconds - datagram.arrivalNanoseconds
    let waited = (0...1_000_000_000).contains(age) ? age : 0
    hub.perform(
      datagram.batch,
      at: .now(
        Arrival(
          monotonicNanoseconds: now.monotonicNanoseconds - waited,
          realtimeNanoseconds: now.realtimeNanoseconds - waited)),
      from: .client(senders[place].client, route: senders[place].route))
  }

  private func refuse(_ fault: PacketFault, from place: Int, now: Arrival) {
    let peer = senders[place].peer
    let path = fault.path.map { " for \($0)" } ?? ""
    note(
      SurfaceNote(
        cause: .malformed, text: "a datagram\(path) from \(peer) was dropped: \(fault.reason)"))
    // Who does not speak OSC at all would not understand an answer either.
    guard let address = fault.path else { return }
    sendError([.string(address), .string("malformed"), .string(fault.reason)], to: place, now: now)
  }

  private func sendError(_ arguments: [Argument], to place: Int, now: Arrival) {
    guard senders[place].takesError(nowNanoseconds: now.monotonicNanoseconds) else {
      unsaidErrors += 1
      return
    }
    server.send(
      address: Reply.errorAddress, arguments: arguments, to: senders[place].peer,
      from: senders[place].socket)
  }

  private func sentence(of reply: Reply, from peer: Peer) -> String {
    let words = reply.arguments.map { argument in
      if case .string(let text) = argument { return text }
      return ""
    }
    return "\(words.first ?? "") from \(peer) was refused: \(words.last ?? "")"
  }
}
