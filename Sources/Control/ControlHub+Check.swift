import MatrixCore
import Messages

/// From a message to operations: what it means, and whether that may be.
extension ControlHub {
  func check(_ message: MessageBatch.Message, of batch: MessageBatch) throws(Refusal) {
    try batch.addressBytes.withUnsafeBufferPointer { bytes throws(Refusal) in
      try batch.arguments.withUnsafeBufferPointer { arguments throws(Refusal) in
        let address = UnsafeBufferPointer(rebasing: bytes[message.address])
        let arguments = UnsafeBufferPointer(rebasing: arguments[message.arguments])
        guard try find(address, isAlone: batch.messages.count == 1) else { return }
        try stage(arguments, of: address)
        guard staged.operations.count <= maximumOperations else {
          throw Refusal(.size, "this changes too much in one datagram")
        }
      }
    }
  }

  /// Leaves in `hits` what an address means; false when it is to be passed over.
  private func find(
    _ address: UnsafeBufferPointer<UInt8>, isAlone: Bool
  ) throws(Refusal) -> Bool {
    hits.removeAll(keepingCapacity: true)
    let finding = tree.find(address)
    if case .target(let target) = finding {
      hits.append(target)
      return true
    }
    if spells(address, "/error") || spells(address, "/pong") {
      tally.ignoredAnswers += 1
      return false
    }
    if !isAlone, !tree.owns(address) {
      tally.foreignMessages += 1
      return false
    }
    guard AddressPattern.isPattern(address) else { throw unknown(finding, address) }
    do {
      try tree.collect(address, limit: maximumOperations - staged.operations.count, into: &hits)
    } catch {
      switch error {
      case .meetsNothing:
        throw Refusal(.address, "the pattern meets nothing that can be reached by a pattern")
      case .mixed:
        throw Refusal(.address, "the pattern meets things of different kinds")
      case .tooMany:
        throw Refusal(.size, "this changes too much in one datagram")
      }
    }
    return true
  }

  private func unknown(
    _ finding: AddressTree.Finding, _ address: UnsafeBufferPointer<UInt8>
  ) -> Refusal {
    switch finding {
    case .badIndex(true):
      Refusal(.index, "inputs have the numbers 0 to \(state.shape.inputs - 1)")
    case .badIndex(false):
      Refusal(.index, "outputs have the numbers 0 to \(state.shape.outputs - 1)")
    case .nothing, .target:
      Refusal(.address, "there is no such address\(tree.hint(for: address))")
    }
  }

  private func spells(_ address: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
    address.count == text.utf8CodeUnitCount
      && text.withUTF8Buffer { $0.elementsEqual(address) }
  }

  /// Checks the arguments for what was hit and stages the operations.
  private func stage(
    _ arguments: UnsafeBufferPointer<Argument>, of address: UnsafeBufferPointer<UInt8>
  ) throws(Refusal) {
    let parameter = hits[0].parameter
    switch parameter {
    case .crosspoint, .gain, .decibels, .fader:
      if arguments.isEmpty { return try stageAnswers(address) }
      try stageLevel(arguments, parameter.face ?? .gain)
    case .nudge:
      try stageNudge(arguments)
    case .mute, .solo, .soloSafe, .dim, .phase:
      if arguments.isEmpty { return try stageAnswers(address) }
      try stageSwitch(arguments, .toggle)
    case .touch:
      if arguments.isEmpty { return try stageAnswers(address) }
      try stageSwitch(arguments, .touch)
    case .now, .dimensions, .levels, .info, .status, .taper, .glide:
      guard arguments.isEmpty else { throw Refusal(.count, "this can only be asked: no arguments") }
      try stageAnswers(address)
    case .stop:
      guard try acts(arguments) else { return }
      for hit in hits { staged.operations.append(Operation(verb: .stop, target: hit)) }
    case .name:
      if arguments.isEmpty { return try stageAnswers(address) }
      try stageName(arguments)
    case .set:
      try stageTriples(arguments)
    case .row, .column, .all:
      if arguments.isEmpty { return try stageAnswers(address) }
      try stageValues(arguments)
    case .clear, .identity, .clearSolo, .panic, .resume:
      guard try acts(arguments) else { return }
      var operation = Operation(verb: .trigger, target: hits[0])
      if let first = arguments.first { operation.durationFrames = try duration(first) }
      staged.operations.append(operation)
    case .ping:
      try stageEcho(arguments)
    case .dimLevel:
      if arguments.isEmpty { return try stageAnswers(address) }
      try stageSetting(arguments)
    }
  }

  // MARK: Levels

  private func stageLevel(
    _ arguments: UnsafeBufferPointer<Argument>, _ face: Face
  ) throws(Refusal) {
    guard arguments.count <= 3 else {
      throw Refusal(.count, "a level takes a value, a duration in ms and a curve")
    }
    let value = try number(arguments[0], mayBeOff: face == .decibels)
    var operation = try level(value, face) { (hub) in
      for hit in hub.hits { hub.offended.append(hit.gain(in: hub.state.shape)) }
    }
    if arguments.count > 1 { operation.durationFrames = try duration(arguments[1]) }
    if arguments.count > 2 { operation.curve = try curve(arguments[2]) }
    for hit in hits {
      operation.target = hit
      staged.operations.append(operation)
      operation.corrects = false
    }
  }

  /// A level's operation, without its target.
  func level(
    _ value: Double, _ face: Face, offending note: (ControlHub) -> Void
  ) throws(Refusal) -> Operation {
    guard let taken = face.take(value, taper: configuration.taper) else {
      note(self)
      throw Refusal(
        .range, "\(Float(value)) looks like another unit: this takes \(face.expectation)")
    }
    if taken.isClamped { tally.clamped += 1 }
    return Operation(
      verb: .level, target: hits[0], number: taken.level, reading: taken.reading,
      corrects: taken.isClamped)
  }

  private func stageNudge(_ arguments: UnsafeBufferPointer<Argument>) throws(Refusal) {
    guard (1...2).contains(arguments.count) else {
      throw Refusal(.count, "a nudge takes a change in dB and a duration in ms")
    }
    let change = try number(arguments[0])
    guard change <= Level.maximumDB * Level.wrongUnitFactor else {
      for hit in hits { offended.append(hit.gain(in: state.shape)) }
      throw Refusal(.range, "\(Float(change)) looks like another unit: a nudge is a change in dB")
    }
    var operation = Operation(verb: .nudge, target: hits[0], number: change)
    if arguments.count > 1 { operation.durationFrames = try duration(arguments[1]) }
    for hit in hits {
      operation.target = hit
      // Whether it has to be corrected is known once it is applied.
      operation.corrects = hit == hits[0]
      staged.operations.append(operation)
    }
  }

  // MARK: Switches, names, settings

  private func stageSwitch(
    _ arguments: UnsafeBufferPointer<Argument>, _ verb: Operation.Verb
  ) throws(Refusal) {
    guard arguments.count == 1 else { throw Refusal(.count, "a switch takes one value") }
    let on = try number(arguments[0]) >= 0.5
    for hit in hits {
      staged.operations.append(Operation(verb: verb, target: hit, number: on ? 1 : 0))
    }
  }

  private func stageName(_ arguments: UnsafeBufferPointer<Argument>) throws(Refusal) {
    guard arguments.count == 1 else { throw Refusal(.count, "a name is one text") }
    guard case .string(let name) = arguments[0] else { throw Refusal(.type, "a name is a text") }
    guard name.utf8.count <= Level.longestNameBytes else {
      throw Refusal(.size, "a name has at most \(Level.longestNameBytes) bytes")
    }
    guard name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
      throw Refusal(.value, "a name has no control characters")
    }
    let start = staged.payload.count
    staged.payload.append(arguments[0])
    for hit in hits {
      staged.operations.append(
        Operation(verb: .rename, target: hit, payload: start..<start + 1))
    }
  }

  private func stageSetting(_ arguments: UnsafeBufferPointer<Argument>) throws(Refusal) {
    guard arguments.count == 1 else { throw Refusal(.count, "this takes one value") }
    let row = ParameterTable.row(hits[0].parameter, .mixer)
    let range = row.range ?? 0...1
    let value = try number(arguments[0])
    guard abs(value) <= max(abs(range.lowerBound), abs(range.upperBound)) * Level.wrongUnitFactor
    else {
      throw Refusal(
        .range,
        "\(Float(value)) looks like another unit: this takes \(Float(range.lowerBound)) to "
          + "\(Float(range.upperBound)) \(row.unit)")
    }
    let taken = min(max(value, range.lowerBound), range.upperBound)
    if taken != value { tally.clamped += 1 }
    staged.operations.append(
      Operation(
        verb: .setting, target: hits[0], number: taken, reading: Float(taken),
        corrects: taken != value))
  }

  private func stageEcho(_ arguments: UnsafeBufferPointer<Argument>) throws(Refusal) {
    for argument in arguments {
      if case .other = argument {
        throw Refusal(.type, "a ping carries numbers, texts, T, F, N and I")
      }
    }
    let start = staged.payload.count
    staged.payload.append(contentsOf: arguments)
    staged.operations.append(
      Operation(verb: .echo, target: hits[0], payload: start..<staged.payload.count))
  }

  // MARK: Arguments

  /// A finite number, or -inf where that means off.
  func number(_ argument: Argument, mayBeOff: Bool = false) throws(Refusal) -> Double {
    guard let number = argument.number else {
      throw Refusal(.type, "a number is expected, not '\(Character(Unicode.Scalar(argument.tag)))'")
    }
    guard number.isFinite || (mayBeOff && number == -.infinity) else {
      throw Refusal(.nan, "a number must be finite")
    }
    return number
  }

  /// A duration in milliseconds as frames.
  private func duration(_ argument: Argument) throws(Refusal) -> Double {
    if case .impulse = argument { return 0 }
    let milliseconds = try number(argument)
    return min(max(0, milliseconds), Level.longestMilliseconds) * configuration.rate / 1_000
  }

  private func curve(_ argument: Argument) throws(Refusal) -> FadeCurve {
    guard case .string(let name) = argument else {
      throw Refusal(.type, "a curve is one of the words db, lin and s")
    }
    switch name {
    case "db": return .decibels
    case "lin": return .linear
    case "s": return .smooth
    default: throw Refusal(.value, "a curve is one of the words db, lin and s")
    }
  }

  /// Whether something that acts without arguments is to act: a button's release is not.
  private func acts(_ arguments: UnsafeBufferPointer<Argument>) throws(Refusal) -> Bool {
    guard arguments.count <= 1 else { throw Refusal(.count, "this takes one number at most") }
    guard let first = arguments.first, first != .impulse else { return true }
    if try number(first) >= 0.5 { return true }
    tally.ignoredReleases += 1
    return false
  }
}
