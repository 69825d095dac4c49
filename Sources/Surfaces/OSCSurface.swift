import Control
import Messages
import OSC

/// Joins the OSC sockets to the hub: what arrives becomes changes, what the hub answers goes back.
///
/// Control thread only.
public final class OSCSurface {
  /// How many datagrams the sockets may hand over before timers and signals have their turn.
  public static let datagramsPerPass = 256
  /// How many that is while they are put away and not read.
  public static let heldDatagramsPerPass = 2_048
  /// The work, as the hub counts it, after which a pass goes on to others: some milliseconds.
  private static let workPerPass = 16_384
  /// How many bytes of a datagram are as much work to read, and perhaps to send back, as a change.
  private static let bytesOfWork = 128

  private let server: OSCServer
  private let hub: ControlHub
  private let desk: ClientDesk
  private let note: (SurfaceNote) -> Void
  private var queue = FairQueue()
  /// How much work the hub will have done when this pass has to end, once something was received.
  private var passEnd: Int?
  private var unsaidErrors = 0
  private var lostReplies = 0

  /// Joins a server to a hub and its meters; `note` is told what the user should know.
  public init(
    server: OSCServer, hub: ControlHub, meters: MeterReader, note: @escaping (SurfaceNote) -> Void
  ) {
    self.server = server
    self.hub = hub
    self.note = note
    desk = ClientDesk(server: server, hub: hub, meters: meters)
    hub.clientRequests = desk
    hub.addObserver(desk)
  }

  /// Makes these the clients that the configuration names: all of them, or none when one cannot be.
  ///
  /// Who is among them already goes on as before. `nowNanoseconds` is monotonic time.
  ///
  /// - Throws: a `Refusal` that names the client which is where we listen ourselves, cannot be
  ///   reached, is there twice, or wants what does not exist.
  public func setClients(_ clients: [FixedClient], nowNanoseconds: Int64) throws(Refusal) {
    desk.nowNanoseconds = nowNanoseconds
    try desk.setFixed(clients)
  }

  /// The descriptors to poll for reading.
  public var descriptors: [Int32] { server.descriptors }

  /// Whether `serve` has something to read.
  public var hasWaiting: Bool { !queue.isEmpty }

  /// Takes what waits on the sockets, up to `datagramsPerPass`; the hub has the answers.
  ///
  /// A pass, which `tick` ends, reads no more than is some milliseconds of work; what has come besides is
  /// put away for `serve`.
  ///
  /// - Parameter now: the present by both clocks.
  /// - Returns: how many datagrams were taken.
  @discardableResult
  public func receive(now: Arrival) -> Int {
    desk.nowNanoseconds = now.monotonicNanoseconds
    let end = endOfPass()
    let count = server.receive(
      limit: queue.isEmpty ? Self.datagramsPerPass : Self.heldDatagramsPerPass,
      hold: { datagram in
        if queue.isEmpty, hub.work < end { return false }
        hold(datagram, now)
        return true
      }, { take($0, now: now) })
    if let peer = server.takeStranger() {
      note(
        SurfaceNote(
          cause: .refused, text: "\(peer) is not heard: its address is in no range of --allow"))
    }
    forgetGoneClients()
    return count
  }

  /// Reads what was put away, as much as is left for this pass; after every `receive` of it.
  public func serve(now: Arrival) {
    guard !queue.isEmpty else { return }
    desk.nowNanoseconds = now.monotonicNanoseconds
    let end = endOfPass()
    while hub.work < end, let datagram = queue.next() {
      let before = hub.work
      server.read(datagram) { take($0, now: now) }
      queue.charge(work: hub.work - before)
    }
    forgetGoneClients()
  }

  /// Tells the clients of what has changed, those whose turn it is; last in every pass.
  ///
  /// `now` is monotonic time in nanoseconds. The meters' reader has its turn before.
  public func tick(now: Int64) {
    desk.nowNanoseconds = now
    passEnd = nil
    desk.tick()
  }

  /// The monotonic time, in nanoseconds, at which `tick` has something to do, or nothing.
  public var nextDeadline: Int64? { desk.nextDeadline }

  /// Sends what the hub has to say to a client.
  public func send(_ reply: Reply, now: Arrival) {
    guard case .client(_, let route) = reply.source,
      let place = desk.senders.place(ofRoute: route)
    else {
      lostReplies += 1
      return
    }
    let sender = desk.senders[place]
    if reply.isError {
      note(SurfaceNote(cause: .refused, text: sentence(of: reply, from: sender.peer)))
      sendError(reply.arguments, to: place, now: now)
      return
    }
    let client = reply.isForListener ? desk.client(of: reply.source) : nil
    if client?.echo == .never, reply.address != "/welcome" { return }
    server.send(
      address: reply.address, arguments: reply.arguments, to: sender.peer, from: sender.socket)
    // Its faders are where it hears, which may be another place.
    guard let client, let listener = client.listener, listener != sender.peer else { return }
    server.send(
      address: reply.address, arguments: reply.arguments, to: listener, from: client.socket)
  }

  /// Who a source is: the name that it has given itself, where it has, and where it speaks from.
  public func name(of source: Source) -> String? {
    guard case .client(_, let route) = source, let place = desk.senders.place(ofRoute: route) else {
      return nil
    }
    let peer = desk.senders[place].peer
    guard let name = desk.client(of: source)?.name, !name.isEmpty else { return "\(peer)" }
    return "\"\(name)\" at \(peer)"
  }

  /// What the surface and its sockets have counted, by the names that `/engine/status` shows.
  public var counters: [(name: String, value: UInt64)] {
    let counters = server.counters
    return [
      ("datagrams", counters.datagrams), ("messages", counters.messages),
      ("bundles", counters.bundles), ("malformed_datagrams", counters.malformed),
      ("not_allowed_datagrams", counters.notAllowed), ("unread_datagrams", queue.unread),
      ("kernel_dropped_datagrams", counters.kernelDropped), ("sent_datagrams", counters.sent),
      ("send_failures", counters.sendFailures), ("unsaid_errors", UInt64(unsaidErrors)),
      ("lost_replies", UInt64(lostReplies)),
      ("clients", UInt64(desk.clients.clients.count)),
    ] + desk.tally.named + desk.feed.counters
  }

  private func endOfPass() -> Int {
    let end = passEnd ?? hub.work + Self.workPerPass
    passEnd = end
    return end
  }

  private func forgetGoneClients() {
    for client in desk.senders.takeGoneClients() { hub.forget(.client(client)) }
  }

  private func hold(_ datagram: borrowing UnreadDatagram, _ now: Arrival) {
    let place = desk.senders.place(
      of: datagram.peer, socket: datagram.socket, nowNanoseconds: now.monotonicNanoseconds)
    guard queue.add(HeldDatagram(datagram), of: desk.identity(ofSender: place)) else { return }
    note(
      SurfaceNote(
        cause: .flood,
        text: "\(datagram.peer) sends more than can be done; the oldest of it is left unread"))
  }

  private func take(_ datagram: borrowing Datagram, now: Arrival) {
    let place = desk.senders.place(
      of: datagram.peer, socket: datagram.socket, nowNanoseconds: now.monotonicNanoseconds)
    let isOwn = desk.senders[place].isOwn ?? server.listens(at: datagram.peer)
    desk.senders[place].isOwn = isOwn
    guard !isOwn else {
      desk.tally.ownDatagrams += 1
      return
    }
    hub.work += datagram.byteCount / Self.bytesOfWork
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
      from: .client(desk.identity(ofSender: place), route: desk.senders[place].route))
  }

  private func refuse(_ fault: PacketFault, from place: Int, now: Arrival) {
    let peer = desk.senders[place].peer
    let path = fault.path.map { " for \($0)" } ?? ""
    note(
      SurfaceNote(
        cause: .malformed, text: "a datagram\(path) from \(peer) was dropped: \(fault.reason)"))
    // Who does not speak OSC at all would not understand an answer either.
    guard let address = fault.path else { return }
    sendError([.string(address), .string("malformed"), .string(fault.reason)], to: place, now: now)
  }

  private func sendError(_ arguments: [Argument], to place: Int, now: Arrival) {
    guard desk.senders[place].takesError(nowNanoseconds: now.monotonicNanoseconds) else {
      unsaidErrors += 1
      return
    }
    server.send(
      address: Reply.errorAddress, arguments: arguments, to: desk.senders[place].peer,
      from: desk.senders[place].socket)
  }

  private func sentence(of reply: Reply, from peer: Peer) -> String {
    let words = reply.arguments.map { argument in
      if case .string(let text) = argument { return text }
      return ""
    }
    return "\(words.first ?? "") from \(peer) was refused: \(words.last ?? "")"
  }
}
