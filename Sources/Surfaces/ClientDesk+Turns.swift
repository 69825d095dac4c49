import Control
import Messages
import OSC

/// From what a client has to be told to datagrams, at the client's rate.
extension ClientDesk {
  /// The most bundles that a client is sent in one turn.
  static var bundlesPerTurn: Int { 32 }
  /// How long a client that has been sent so many waits for the next turn, in nanoseconds, so that
  /// slow networks and slow readers keep up: about 1.2 kB in a millisecond.
  private static var pauseNanoseconds: Int64 { 32_000_000 }
  /// How long all wait when the socket's buffer is full, in nanoseconds.
  private static var blockedNanoseconds: Int64 { 5_000_000 }
  /// The most turns in a pass, so that what arrives does not wait for long.
  private static var turnsPerPass: Int { 16 }

  /// Something that has been written into a bundle.
  struct Written {
    enum Kind: UInt8 {
      case change
      case travel
      case dump
      case begin
      case end
    }

    var thing: Int32
    var bundle: Int32
    var kind: Kind
  }

  /// Gives those whose turn has come what they are to be told.
  func takeTurns() {
    let everybody = clients.clients
    guard !everybody.isEmpty else { return }
    var turns = 0
    var frame: Int64?
    let first = firstTurn
    for offset in 0..<everybody.count where turns < Self.turnsPerPass {
      let place = (first + offset) % everybody.count
      let client = everybody[place]
      guard hasWork(client), client.nextTurnNanoseconds <= nowNanoseconds else { continue }
      let present = frame ?? hub.presentFrame(now: nowNanoseconds)
      frame = present
      takeTurn(client, atFrame: present)
      turns += 1
      firstTurn = place + 1
    }
  }

  private func takeTurn(_ client: Client, atFrame frame: Int64) {
    writer.removeAll()
    written.removeAll(keepingCapacity: true)
    // Changes go first, but in every other turn, so that a flood of them holds up no dump for ever.
    client.isDumpFirst = client.hasDump && !client.isDumpFirst
    let hasRoom =
      client.isDumpFirst
      ? writeDump(client, atFrame: frame) && writeChanges(client, atFrame: frame)
      : writeChanges(client, atFrame: frame) && writeDump(client, atFrame: frame)
    let isDone = hasRoom && writeTravel(client, atFrame: frame)
    let isBlocked = deliver(to: client)
    client.nextTurnNanoseconds =
      nowNanoseconds
      + (isBlocked
        ? Self.blockedNanoseconds
        : isDone ? 1_000_000_000 / Int64(client.hz) : Self.pauseNanoseconds)
    if !isBlocked { beginNextDump(client) }
  }

  // MARK: Writing; each says whether there is room for more

  private func writeChanges(_ client: Client, atFrame frame: Int64) -> Bool {
    // What is linked comes before levels and pans, which mean something else where it is not.
    while let thing = client.marked.next(from: 0), thing < index.linkCount {
      guard writeChange(of: thing, client, atFrame: frame) else { return false }
    }
    while let thing = client.marked.next(from: client.cursor) {
      guard writeChange(of: thing, client, atFrame: frame) else { return false }
      client.cursor = thing + 1
    }
    return true
  }

  private func writeChange(of thing: Int, _ client: Client, atFrame frame: Int64) -> Bool {
    guard write(thing, to: client, client.faces(of: thing), .change, atFrame: frame) else {
      return false
    }
    client.marked.remove(thing)
    return true
  }

  private func writeTravel(_ client: Client, atFrame frame: Int64) -> Bool {
    guard !client.subscriptions.isEmpty else { return true }
    for _ in travelling.indices {
      if client.travelCursor >= travelling.count { client.travelCursor = 0 }
      let thing = Int(travelling[client.travelCursor])
      if client.wants(thing), !isOwner(client, of: thing) {
        guard write(thing, to: client, client.faces(of: thing), .travel, atFrame: frame) else {
          return false
        }
      }
      client.travelCursor += 1
    }
    return true
  }

  private func writeDump(_ client: Client, atFrame frame: Int64) -> Bool {
    guard let values = client.dump?.marks else { return true }
    if client.dump?.hasBegun == false {
      guard writeMark("/sync/begin", values, .begin) else { return false }
      client.dump?.hasBegun = true
    }
    while let thing = client.dump?.next {
      let face = client.dump?.face ?? client.face
      // What it is told of on its way it is not told the end of now.
      let frame = client.wants(thing) && travels(thing) ? frame : nil
      guard write(thing, to: client, 1 << UInt8(face.index), .dump, atFrame: frame) else {
        return false
      }
      client.dump?.take(thing)
    }
    guard client.dump?.hasEnded == false else { return true }
    guard writeMark("/sync/end", values, .end) else { return false }
    client.dump?.hasEnded = true
    return true
  }

  /// Writes a message in a datagram of its own, which the simplest of clients can read.
  private func writeMark(_ address: String, _ values: [Argument], _ kind: Written.Kind) -> Bool {
    writer.endBundle()
    guard writer.append(address: address, arguments: values) == .added else { return false }
    writer.endBundle()
    written.append(Written(thing: -1, bundle: Int32(writer.bundleCount - 1), kind: kind))
    return true
  }

  private func write(
    _ thing: Int, to client: Client, _ faces: UInt8, _ kind: Written.Kind, atFrame frame: Int64?
  ) -> Bool {
    let target = index.target(thing)
    guard target.isLevel else {
      return write(thing, target, .bare, to: client, kind, atFrame: frame)
    }
    if kind != .dump, hub.isTouched(target, by: client.source) { return true }
    let travelFrame = kind == .dump || travels(thing) ? frame : nil
    // The bare address of whatever is no crosspoint is its `gain`, and is told once.
    let isBareGain = target.place != .crosspoint && faces & 1 != 0
    let once = isBareGain ? faces & ~1 | 1 << UInt8(ClientFace.gain.index) : faces
    for face in ClientFace.allCases where once & (1 << UInt8(face.index)) != 0 {
      guard write(thing, target, face, to: client, kind, atFrame: travelFrame) else { return false }
    }
    return true
  }

  private func noteTold(_ client: Client, _ thing: Int, _ face: ClientFace, _ bits: UInt32) {
    client.told.note(thing, face, bits: bits, nowNanoseconds: nowNanoseconds)
  }

  private func write(
    _ thing: Int, _ target: Target, _ face: ClientFace, to client: Client, _ kind: Written.Kind,
    atFrame frame: Int64?
  ) -> Bool {
    let outcome: BundleWriter.Outcome
    switch hub.reading(of: target, face, atFrame: frame) {
    case .float(let value):
      outcome = write(thing, target, face, tag: UInt8(ascii: "f"), bits: value.bitPattern)
      if outcome == .added { noteTold(client, thing, face, value.bitPattern) }
    case .int(let value):
      let bits = UInt32(bitPattern: value)
      outcome = write(thing, target, face, tag: UInt8(ascii: "i"), bits: bits)
      if outcome == .added { noteTold(client, thing, face, bits) }
    case .arguments(let values):
      outcome = writer.append(address: ParameterTable.address(of: target), arguments: values)
    }
    switch outcome {
    case .added:
      written.append(
        Written(thing: Int32(thing), bundle: Int32(writer.bundleCount - 1), kind: kind))
    case .full:
      return false
    case .tooLarge:
      tally.tooLarge += 1
    }
    return true
  }

  private func write(
    _ thing: Int, _ target: Target, _ face: ClientFace, tag: UInt8, bits: UInt32
  ) -> BundleWriter.Outcome {
    writer.append(tag: tag, bits: bits) { index.writeAddress(of: target, thing, face, at: $0) }
  }

  // MARK: Sending

  /// Sends what has been written; what finds no room in the socket is marked again.
  ///
  /// Says whether that was so.
  private func deliver(to client: Client) -> Bool {
    guard writer.bundleCount > 0, let destination = client.destination else { return false }
    let delivery = server.send(writer, to: destination, from: client.socket)
    tally.datagrams += UInt64(delivery.handled - delivery.failed)
    tally.failures += UInt64(delivery.failed)
    for item in written {
      if item.bundle < delivery.handled {
        if item.thing >= 0 { tally.values += 1 }
        continue
      }
      switch item.kind {
      case .change: client.marked.insert(Int(item.thing))
      case .travel: break
      case .dump: client.dump?.things.insert(Int(item.thing))
      case .begin: client.dump?.hasBegun = false
      case .end: client.dump?.hasEnded = false
      }
    }
    if delivery.isBlocked { tally.blockedTurns += 1 }
    return delivery.isBlocked
  }

  private func beginNextDump(_ client: Client) {
    guard client.dump?.hasEnded == true else { return }
    client.dump = nil
    while !client.waitingDumps.isEmpty {
      let pattern = client.waitingDumps.removeFirst()
      // It met something when it was asked for; names may have changed since.
      guard let match = try? PatternMatch(pattern, hub: hub, index: index) else { continue }
      client.dump = Dump(match, index: index, hub: hub)
      client.nextTurnNanoseconds = min(
        client.nextTurnNanoseconds, nowNanoseconds + Self.pauseNanoseconds)
      return
    }
  }
}
