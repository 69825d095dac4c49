import Control
import MatrixCore
import Messages

/// What clients ask of meters.
extension ClientDesk {
  func perform(_ request: MeterRequest, from source: Source) throws(Refusal) {
    switch request {
    case .subscribe(let pattern, let hz, let seconds):
      guard let client = try introduce(source) else { return }
      try subscribe(client, toMeters: pattern, hz: hz, seconds: seconds)
    case .unsubscribe(let pattern):
      guard let client = client(of: source),
        client.meters?.remove({ pattern == nil || $0.pattern == pattern }) == true || pattern == nil
      else { throw Refusal(.value, "you do not subscribe to those meters") }
      checkExpiry(by: client.end(afterSeconds: ClientTable.graceSeconds))
    case .setFormat(let format):
      if let client = try introduce(source) { meters(of: client).format = format }
    case .setHold(let seconds):
      if let client = try introduce(source) { meters(of: client).holdSeconds = seconds }
    case .reset(let pattern):
      try resetMeters(pattern, for: try introduce(source))
    }
    feed.isDirty = true
    feed.watch(clients, nowNanoseconds: nowNanoseconds)
  }

  private func meters(of client: Client) -> ClientMeters {
    let meters = client.meters ?? ClientMeters()
    client.meters = meters
    return meters
  }

  private func subscribe(
    _ client: Client, toMeters pattern: String, hz: Int?, seconds: Int
  ) throws(Refusal) {
    let set = ClientMeters.Set(
      pattern: pattern, seconds: seconds, places: try places(of: pattern, for: client))
    let meters = client.meters ?? ClientMeters()
    let isKnown = meters.sets.contains { $0.pattern == pattern }
    guard isKnown || meters.sets.count < ClientMeters.mostSets else {
      throw Refusal(
        .size, "a client has meters of \(ClientMeters.mostSets) patterns at most; end one first")
    }
    guard meters.isWanted || metered < MeterFeed.mostClients else {
      throw Refusal(
        .size,
        "\(MeterFeed.mostClients) clients are told of meters already; let one say "
          + "/meter/unsubscribe")
    }
    let crosspoints = meters.places(with: set).compactMap { place -> GainID? in
      if case .crosspoint(let gain) = place { gain } else { nil }
    }
    guard feed.reader.hasRoom(for: crosspoints, without: client.meters?.tally) else {
      throw Refusal(
        .size,
        "\(MeterPoint.maximumCrosspoints) crosspoints are metered at most, for all clients "
          + "together; ask for fewer")
    }
    client.meters = meters
    meters.add(set)
    if let hz { meters.tally.hz = hz }
    if seconds > 0 { checkExpiry(by: client.end(afterSeconds: seconds)) }
  }

  private var metered: Int { clients.clients.count { $0.meters?.isWanted == true } }

  /// The meters that a pattern of channels or crosspoints means; empty means all channels.
  private func places(
    of pattern: String, for client: Client?
  ) throws(Refusal) -> [MeterTally.Place] {
    if let client { try takePattern(for: client) }
    let shape = hub.shape
    guard !pattern.isEmpty else {
      return (0..<shape.inputs).flatMap { channel in
        [.channel(.inputPre, channel), .channel(.inputPost, channel)]
      }
        + (0..<shape.outputs).flatMap { channel in
          [.channel(.outputPre, channel), .channel(.outputPost, channel)]
        }
    }
    var hits: [Target] = []
    for address in [pattern + "/meter/*", pattern + "/meter", pattern] {
      // A pattern means one of the three; what it does not mean is no mistake.
      try? hub.collect(address, into: &hits)
    }
    let places = hits.compactMap { Self.place(of: $0, shape) }
    guard !places.isEmpty else {
      throw Refusal(
        .address,
        "there is no meter of that; name channels such as /matrix/in/* or crosspoints such as "
          + "/matrix/in/0/out/1")
    }
    return places
  }

  private static func place(of target: Target, _ shape: MatrixShape) -> MeterTally.Place? {
    switch (target.parameter, target.place) {
    case (.meterPre, .input): .channel(.inputPre, target.input)
    case (.meterPost, .input): .channel(.inputPost, target.input)
    case (.meterPre, .output): .channel(.outputPre, target.output)
    case (.meterPost, .output): .channel(.outputPost, target.output)
    case (.meter, .crosspoint):
      .crosspoint(shape.crosspoint(input: target.input, output: target.output))
    default: nil
    }
  }

  private func resetMeters(_ pattern: String, for client: Client?) throws(Refusal) {
    let places = try places(of: pattern, for: client)
    for place in places {
      if case .channel(let point, let channel) = place {
        feed.reader.resetFaults(of: channel, at: point)
      }
    }
    let keys = Set(places.map(\.key))
    for client in clients.clients {
      client.meters?.tally.forgetHolds { keys.contains($0.key) }
    }
  }

  func meterSettings(of source: Source) -> (format: MeterFormat, holdSeconds: Double) {
    let meters = client(of: source)?.meters
    return (meters?.format ?? .floats, meters?.holdSeconds ?? MeterRequest.usualHoldSeconds)
  }

  func meterReading(of target: Target, to source: Source) -> [Argument]? {
    guard let tally = client(of: source)?.meters?.tally,
      let place = Self.place(of: target, hub.shape), let last = tally.last(place)
    else { return nil }
    return feed.arguments(of: place, last)
  }
}
