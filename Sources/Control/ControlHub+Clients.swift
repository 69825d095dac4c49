import MatrixCore
import Messages

/// Requests that are about the client itself.
extension ControlHub {
  /// Hands a request on, in its order among the changes.
  func request(_ operation: Operation, _ payload: [Argument], from source: Source) {
    let parameter = operation.target.parameter
    guard let request = ClientRequest(parameter, payload[operation.payload]) else { return }
    do throws(Refusal) {
      guard case .client = source else {
        throw Refusal(.value, "only a client that speaks OSC can ask for this")
      }
      guard let clients = clientRequests else { return }
      try clients.perform(request, from: source)
      if case .hello = request { welcome(source) }
    } catch {
      if let cause = Refusal.Code.allCases.firstIndex(of: error.code) { tally.refused[cause] += 1 }
      send(
        source, Reply.errorAddress,
        [
          .string(ParameterTable.address(of: operation.target)), .string(error.code.rawValue),
          .string(error.text),
        ])
    }
  }

  private func welcome(_ source: Source) {
    send(
      source, "/welcome",
      [
        .string(configuration.name), .string(configuration.version),
        .int32(Int32(state.shape.inputs)), .int32(Int32(state.shape.outputs)),
        .int32(Int32(configuration.rate.rounded())), .int32(shortRevision),
      ], isForListener: true)
  }

  /// The revision as 31 bits, which every program that speaks OSC can read; it begins again at 0.
  package var shortRevision: Int32 { Int32(truncatingIfNeeded: revision & 0x7FFF_FFFF) }

  /// What a client's setting answers to that client.
  func clientValues(of parameter: Parameter, to source: Source) -> [Argument]? {
    let settings =
      clientRequests?.settings(of: source) ?? (ClientRequest.usualRate, .bare, .corrections)
    switch parameter {
    case .clientRate: return [.int32(Int32(settings.0))]
    case .clientFace: return [.string(settings.1.rawValue)]
    case .clientEcho: return [.int32(Int32(settings.2.rawValue))]
    case .meterFormat, .meterHold: return meterValues(of: parameter, to: source)
    case .clientList: return clientRequests?.list() ?? [.int32(0)]
    default: return nil
    }
  }

  /// Whether a client only sends back what it was told before something else was set.
  ///
  /// `mayBeMeant` says that a hand would set this very value too, while the level is on its way.
  func isEcho(
    _ target: Target, bits: UInt32, isSame: Bool, mayBeMeant: Bool = false, from source: Source
  ) -> Bool {
    guard case .client = source, let clients = clientRequests else { return false }
    return clients.isEcho(
      target, bits: bits, isSame: isSame, mayBeMeant: mayBeMeant, from: source)
  }

  // MARK: For those who tell clients

  /// Whether a change is exactly what its source has just said, so that the source knows it.
  ///
  /// To be asked from within `hubChanged`. Where a nudge, a stop or a trigger has taken something
  /// is news to its own source too.
  package func isSaid(_ target: Target) -> Bool {
    guard let said, said.target.input == target.input, said.target.output == target.output else {
      return false
    }
    if said.isLevel {
      return target.parameter.face != nil
        && (said.target.place == target.place || said.target.parameter == .set)
    }
    return said.target.place == target.place && said.target.parameter == target.parameter
  }

  /// Tells the observers that a source has said what is so already.
  func confirmed(_ source: Source) {
    guard let said else { return }
    for observer in observers { observer.hubConfirmed(said.target, by: source) }
  }

  /// Whether this source has a hand on the gain of a target.
  package func isTouched(_ target: Target, by source: Source) -> Bool {
    !hands.isEmpty && target.place.hasGain && hands.isOn(target.gain(in: state.shape), source)
  }

  /// Whether a target is a level of the matrix that is on its way at a frame.
  package func isFading(_ target: Target, atFrame frame: Int64) -> Bool {
    guard target.isLevel, target.place.hasGain else { return false }
    return !state.hasEnded(strand(of: target), by: frame)
  }

  /// The frame that sounds next, for travelling values; `now` is monotonic time in nanoseconds.
  package func presentFrame(now: Int64) -> Int64 { frame(at: now) }

  /// Appends everything that a pattern meets, whatever it is; an empty one meets nothing.
  ///
  /// Throws a `Refusal` when it meets nothing, or far too much.
  package func collect(_ pattern: String, into hits: inout [Target]) throws(Refusal) {
    let before = hits.count
    // Each is looked at again by whoever asks.
    defer { work += pattern.utf8.count + 2 * (hits.count - before) }
    try met(pattern) { () throws(AddressTree.PatternFault) in
      try Array(pattern.utf8).withUnsafeBufferPointer {
        bytes throws(AddressTree.PatternFault) in
        try draft.tree.collectAll(bytes, limit: Self.mostCollected, into: &hits)
      }
    }
  }

  /// Hands over everything that a pattern meets: each parameter at each place once, with all inputs
  /// (or groups) and outputs that it is met at.
  ///
  /// Throws a `Refusal` when it meets nothing, or far too much.
  package func meet(
    _ pattern: String, _ take: (Parameter, Place, _ inputs: [Int], _ outputs: [Int]) -> Void
  ) throws(Refusal) {
    try met(pattern) { () throws(AddressTree.PatternFault) in
      try Array(pattern.utf8).withUnsafeBufferPointer {
        bytes throws(AddressTree.PatternFault) in
        try draft.tree.meet(bytes, limit: Self.mostCollected, useNames: true)
      }
    }
    let tree = draft.tree
    work += pattern.utf8.count + tree.crossings.total / 32
    for crossing in tree.crossings.found {
      let node = tree.nodes[crossing.node]
      guard let parameter = node.parameter else { continue }
      take(
        parameter, node.place, tree.crossings.lists[crossing.inputs],
        tree.crossings.lists[crossing.outputs])
    }
  }

  private func met(
    _ pattern: String, _ body: () throws(AddressTree.PatternFault) -> Void
  ) throws(Refusal) {
    do throws(AddressTree.PatternFault) {
      try body()
    } catch {
      switch error {
      case .meetsNothing, .mixed:
        let isOpen = Array(pattern.utf8).withUnsafeBufferPointer(AddressPattern.isOpen)
        throw Refusal(
          .address,
          isOpen
            ? "a bracket or brace of the pattern is not closed"
            : "the pattern meets nothing; it has as many parts as the addresses that it is to meet, "
              + "such as /matrix/in/*/gain")
      case .tooMany:
        throw Refusal(.size, "the pattern meets too much; ask for less with each")
      }
    }
  }

  /// Whether a target is left out of everything: a scene that is not stored, or a pan to an output
  /// that has no pair to pan across.
  package func isUnused(_ target: Target) -> Bool {
    switch (target.place, target.parameter) {
    case (.scene, _): state.scenes[target.input] == nil
    case (_, .pan): state.pairs.left(of: target.output, .output) == nil
    default: false
    }
  }

  private static var mostCollected: Int { 1 << 20 }

  /// What a target that has feedback reads now: a level at `frame`, or where it is going when no
  /// frame is given.
  package func reading(of target: Target, _ face: ClientFace, atFrame frame: Int64?) -> Reading {
    if let number = numberRead(at: target, face.face, atFrame: frame) {
      switch number {
      case .float(let value): return .float(value)
      case .int(let value): return .int(value)
      }
    }
    return .arguments(values(of: target, count: .max, atFrame: frame ?? 0))
  }

  /// What something reads.
  package enum Reading: Equatable {
    /// One `f`.
    case float(Float)
    /// One `i`.
    case int(Int32)
    /// Anything else.
    case arguments([Argument])
  }
}

extension ClientFace {
  /// The face of a level that it shows.
  var face: Face {
    switch self {
    case .bare, .gain: .gain
    case .db: .decibels
    case .fader: .fader
    }
  }

  /// The face whose address a level's parameter is; `bare` for what is no level.
  package init(ofLevel parameter: Parameter) {
    switch parameter {
    case .gain: self = .gain
    case .decibels: self = .db
    case .fader: self = .fader
    default: self = .bare
    }
  }

  /// The parameter whose address it is shown on.
  package var parameter: Parameter {
    switch self {
    case .bare: .crosspoint
    case .gain: .gain
    case .db: .decibels
    case .fader: .fader
    }
  }
}
