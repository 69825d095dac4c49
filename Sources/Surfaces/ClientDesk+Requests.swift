import Control
import Messages

/// What clients ask for themselves.
extension ClientDesk: ClientRequests {
  func perform(_ request: ClientRequest, from source: Source) throws(Refusal) {
    switch request {
    case .hello(let name, let replyPort):
      _ = try introduce(source, name: name, replyPort: replyPort)
    case .subscribe(let pattern, let hz, let seconds, let replyPort):
      guard let client = try introduce(source, replyPort: replyPort) else { return }
      try subscribe(client, to: pattern, hz: hz, seconds: seconds)
    case .unsubscribe(let pattern):
      try unsubscribe(source, from: pattern)
    case .bye:
      guard let client = client(of: source) else { return }
      client.meters = nil
      guard client.isFixed else { return forget(client) }
      client.endpoint = nil
      clients.update()
    case .sync(let pattern):
      guard let client = try introduce(source) else { return }
      try sync(client, pattern)
    case .setRate(let hz):
      try introduce(source)?.hz = hz
    case .setFace(let face):
      try introduce(source)?.face = face
    case .setEcho(let echo):
      try introduce(source)?.echo = echo
    case .meters(let request):
      try perform(request, from: source)
    }
  }

  private func subscribe(
    _ client: Client, to pattern: String, hz: Int?, seconds: Int
  ) throws(Refusal) {
    guard
      client.subscribes(to: pattern) || client.subscriptions.count < Client.mostPatterns
    else {
      throw Refusal(
        .size, "a client subscribes to \(Client.mostPatterns) patterns at most; end one first")
    }
    let match = try match(pattern, for: client)
    let isFirst = client.subscriptions.isEmpty
    // What the configuration says has no end.
    if client.fixed?.pattern != pattern { client.subscribe(pattern, seconds: seconds, match) }
    if let hz { client.hz = hz }
    if seconds > 0 { checkExpiry(by: client.end(afterSeconds: seconds)) }
    if isFirst { clients.update() }
  }

  private func unsubscribe(_ source: Source, from pattern: String?) throws(Refusal) {
    guard let client = client(of: source) else {
      throw Refusal(.value, "you do not subscribe to that")
    }
    let configured = client.fixed?.pattern
    let isLess = client.unsubscribe {
      (pattern == nil || $0.pattern == pattern) && $0.pattern != configured
    }
    guard isLess || pattern == nil else {
      throw Refusal(
        .value,
        pattern == configured
          ? "the configuration subscribes you to that" : "you do not subscribe to that")
    }
    checkExpiry(by: client.end(afterSeconds: ClientTable.graceSeconds))
    clients.update()
  }

  private func sync(_ client: Client, _ pattern: String) throws(Refusal) {
    guard client.hasDump else {
      let match = try match(pattern, for: client)
      client.dump = Dump(match, index: index, hub: hub)
      return
    }
    guard client.waitingDumps.count < Client.mostWaitingDumps else {
      throw Refusal(
        .size, "\(Client.mostWaitingDumps) syncs wait already; ask again when one has ended")
    }
    _ = try match(pattern, for: client)
    client.waitingDumps.append(pattern)
  }

  /// Looks for what a pattern meets, unless the client has asked for too many lately.
  private func match(_ pattern: String, for client: Client) throws(Refusal) -> PatternMatch {
    try takePattern(for: client)
    return try PatternMatch(pattern, hub: hub, index: index)
  }

  /// Counts a pattern that somebody wants to be looked for.
  func takePattern(for client: Client) throws(Refusal) {
    guard let place = senders.place(ofRoute: client.route),
      !senders[place].takesPattern(nowNanoseconds: nowNanoseconds)
    else { return }
    throw Refusal(
      .size, "that is more than \(Int(Sender.patternsPerSecond)) patterns a second; wait a little")
  }

  /// The client that is a source, also in the datagram in which it became one.
  func client(of source: Source) -> Client? {
    guard case .client(let number, let route) = source else { return nil }
    return clients.client(numbered: number)
      ?? clients.clients.first { $0.route == route && route >= 0 }
  }

  func settings(of source: Source) -> (hz: Int, face: ClientFace, echo: ClientEcho) {
    guard let client = client(of: source) else {
      return (ClientRequest.usualRate, .bare, .corrections)
    }
    return (client.hz, client.face, client.echo)
  }

  func list() -> [Argument] {
    var values: [Argument] = [.int32(Int32(clients.clients.count))]
    for client in clients.clients {
      let silence = max(0, nowNanoseconds - client.lastHeardNanoseconds) / 1_000_000_000
      values += [
        .string(client.name), .string(client.destination?.description ?? ""),
        .int32(Int32(client.hz)), .string(client.face.rawValue),
        .int32(Int32(client.subscriptions.count)), .int32(Int32(clamping: silence)),
      ]
    }
    return values
  }

  func isEcho(
    _ target: Target, bits: UInt32, isSame: Bool, mayBeMeant: Bool, from source: Source
  ) -> Bool {
    guard !clients.subscribers.isEmpty, case .client(let number, route: _) = source,
      let client = clients.client(numbered: number), let thing = index.number(of: target)
    else { return false }
    let age = client.told.age(
      thing, ClientFace(ofLevel: target.parameter), bits: bits, nowNanoseconds: nowNanoseconds)
    let isParrot = client.repeats > Client.repeatsOfParrot
    let limit = isParrot ? Client.parrotMilliseconds : Client.echoMilliseconds
    guard let age, age <= limit else {
      // What is so already is no sign of a hand.
      guard !isSame else { return false }
      client.hasHand = true
      client.repeats = 0
      return false
    }
    client.repeats = min(client.repeats + 1, Client.repeatsOfParrot + 1)
    if client.repeats > Client.repeatsOfParrot {
      client.hasHand = false
      client.told.enlarge()
    }
    guard client.hasHand else { return true }
    // No hand hits a value on its way to the last bit; and where a fade began, or goes, nobody sets
    // so soon after being told of it. Any other value may be meant, where two hands set the same few
    // in turn.
    return travels(thing) && !isOwner(client, of: thing)
      && (!mayBeMeant || age <= Client.reactionMilliseconds)
  }
}
