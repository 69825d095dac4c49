import MatrixCore
import Messages

/// The checking of arguments, parameter by parameter.
extension Draft {
  // MARK: Levels

  mutating func stageLevel(
    _ arguments: UnsafeBufferPointer<Argument>, _ face: Face
  ) throws(Refusal) {
    guard arguments.count <= 3 else {
      throw Refusal(.count, "a level takes a value, a duration in ms and a curve")
    }
    let value = try number(arguments[0], mayBeOff: face == .decibels)
    var operation = try level(value, face, of: nil)
    operation.isLinked = true
    if arguments.count > 1 { operation.durationFrames = try duration(arguments[1]) }
    if arguments.count > 2 { operation.curve = try curve(arguments[2]) }
    stageForEachHit(operation)
  }

  /// A level's operation, for one target or for all that was hit.
  mutating func level(_ value: Double, _ face: Face, of target: Target?) throws(Refusal)
    -> Operation
  {
    guard let taken = face.take(value, taper: taper) else {
      offend(target)
      throw Refusal(
        .range, "\(Self.words(value)) looks like another unit: this takes \(face.expectation)")
    }
    if taken.isClamped { clamped += 1 }
    return Operation(
      verb: .level, target: target ?? firstHit, number: taken.level, reading: taken.reading,
      asSent: value, corrects: taken.isClamped)
  }

  /// A number in the digits that a sender has most likely written.
  static func words(_ number: Double) -> String {
    let single = Float(number)
    return single.isFinite ? "\(single)" : "\(number)"
  }

  private mutating func offend(_ target: Target?) {
    if let target {
      offended.append(target.gain(in: shape))
    } else {
      for number in 0..<hitCount { offended.append(hit(number).gain(in: shape)) }
    }
  }

  mutating func stageNudge(_ arguments: UnsafeBufferPointer<Argument>) throws(Refusal) {
    guard (1...2).contains(arguments.count) else {
      throw Refusal(.count, "a nudge takes a change in dB and a duration in ms")
    }
    let change = try number(arguments[0])
    guard change <= Level.maximumDB * Level.wrongUnitFactor else {
      offend(nil)
      throw Refusal(
        .range, "\(Self.words(change)) looks like another unit: a nudge is a change in dB")
    }
    // Whether it has to be corrected is known once it is applied.
    var operation = Operation(verb: .nudge, target: firstHit, number: change, corrects: true)
    if arguments.count > 1 { operation.durationFrames = try duration(arguments[1]) }
    leaveOneHitOfEachPair()
    operation.target = firstHit
    stageForEachHit(operation)
  }

  /// What moves together is nudged once, however many of it a pattern meets.
  private mutating func leaveOneHitOfEachPair() {
    guard hits.count > 1, !pairs.isEmpty else { return }
    var met: Set<GainID> = []
    hits.removeAll { !met.insert(pairs.strands(of: $0.gain(in: shape)).leader).inserted }
  }

  // MARK: Switches, names, settings

  mutating func stageSwitch(
    _ arguments: UnsafeBufferPointer<Argument>, _ verb: Operation.Verb
  ) throws(Refusal) {
    guard arguments.count == 1 else { throw Refusal(.count, "a switch takes one value") }
    let on = try number(arguments[0]) >= 0.5
    stageForEachHit(Operation(verb: verb, target: firstHit, number: on ? 1 : 0))
  }

  mutating func stageName(_ arguments: UnsafeBufferPointer<Argument>) throws(Refusal) {
    guard arguments.count == 1 else { throw Refusal(.count, "a name is one text") }
    guard case .string(let name) = arguments[0] else { throw Refusal(.type, "a name is a text") }
    try Self.checkName(name)
    for number in 0..<hitCount { try rename(hit(number), to: name) }
    let start = transaction.payload.count
    transaction.payload.append(arguments[0])
    stageForEachHit(Operation(verb: .rename, target: firstHit, payload: start..<start + 1))
  }

  /// Refuses a name that is too long or cannot be shown.
  static func checkName(_ name: String) throws(Refusal) {
    guard name.utf8.count <= Level.longestNameBytes else {
      throw Refusal(.size, "a name has at most \(Level.longestNameBytes) bytes")
    }
    // Where a text came as other bytes, there are replacement characters now.
    guard !name.unicodeScalars.contains("\u{FFFD}") else {
      throw Refusal(.value, "a name is written in UTF-8")
    }
    guard name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
      throw Refusal(.value, "a name has no control characters")
    }
  }

  mutating func stageSetting(_ arguments: UnsafeBufferPointer<Argument>) throws(Refusal) {
    guard arguments.count == 1 else { throw Refusal(.count, "this takes one value") }
    let row = ParameterTable.row(firstHit.parameter, .mixer)
    let range = row.range ?? 0...1
    let value = try number(arguments[0])
    guard abs(value) <= max(abs(range.lowerBound), abs(range.upperBound)) * Level.wrongUnitFactor
    else {
      throw Refusal(
        .range,
        "\(Self.words(value)) looks like another unit: this takes \(Float(range.lowerBound)) to "
          + "\(Float(range.upperBound)) \(row.unit)")
    }
    let taken = min(max(value, range.lowerBound), range.upperBound)
    if taken != value { clamped += 1 }
    transaction.operations.append(
      Operation(
        verb: .setting, target: firstHit, number: taken, reading: Float(taken),
        corrects: taken != value))
  }

  mutating func stageEcho(_ arguments: UnsafeBufferPointer<Argument>) throws(Refusal) {
    for argument in arguments {
      if case .other = argument {
        throw Refusal(.type, "a ping carries numbers, texts, T, F, N and I")
      }
    }
    let start = transaction.payload.count
    transaction.payload.append(contentsOf: arguments)
    transaction.operations.append(
      Operation(verb: .echo, target: firstHit, payload: start..<transaction.payload.count))
  }
}
