import MatrixCore
import Messages

/// The checking of what is said to scenes and to undo.
extension Draft {
  /// The scenes as they will be when the message that is being read is applied.
  private var scenes: SceneStore { outlook ?? state.scenes }

  /// Lets the messages that follow in a batch know what this one will have done.
  private mutating func foresee(_ change: (inout SceneStore) -> Void) {
    guard !isAlone else { return }
    var next = scenes
    outlook = nil
    change(&next)
    outlook = next
  }

  /// Stages a question that is answered in many messages.
  mutating func stageLongAnswer(weight: Int) {
    transaction.append(Operation(verb: .answer, target: firstHit), weight: weight)
    answerBytes += weight * (Level.longestNameBytes + 32)
  }

  mutating func stageScene(_ arguments: UnsafeBufferPointer<Argument>) throws(Refusal) {
    switch (firstHit.parameter, firstHit.place) {
    case (.sceneStore, .scene):
      guard try acts(arguments) else { return }
      try stageStore(.number(firstHit.input), name: nil, [])
    case (.sceneStore, _):
      try stageStore(arguments)
    case (.sceneRecall, .scene):
      if let first = arguments.first, first.number != nil, try number(first) < 0.5 {
        ignoredReleases += 1
        return
      }
      let isPress = arguments.count == 1 && arguments[0] == .impulse
      try stageRecall(.number(firstHit.input), .null, isPress ? [] : Array(arguments))
    case (.sceneRecall, _):
      guard let first = arguments.first else {
        throw Refusal(.count, "a recall takes the number or the name of a scene")
      }
      try stageRecall(reference(first), first, Array(arguments.dropFirst()))
    case (.sceneRename, _):
      guard arguments.count == 2 else {
        throw Refusal(.count, "this takes the number or the name of a scene, and its new name")
      }
      let number = try scenes.number(of: reference(arguments[0]))
      let name = try name(arguments[1])
      try scenes.check(name, for: number)
      stage(Array(arguments), weight: 1)
      foresee { $0.rename(number, name) }
    case (.sceneDelete, _):
      guard arguments.count == 1 else {
        throw Refusal(.count, "this takes the number or the name of a scene")
      }
      let number = try scenes.number(of: reference(arguments[0]))
      stage(Array(arguments), weight: shape.gainCount)
      foresee { $0.delete(number) }
    default:
      guard try acts(arguments) else { return }
      var durationFrames = 0.0
      if let first = arguments.first { durationFrames = try duration(first) }
      stage([], weight: shape.gainCount, duration: durationFrames)
    }
  }

  /// Which gains recalls are to leave alone, or no more.
  mutating func stageSafe(_ arguments: UnsafeBufferPointer<Argument>) throws(Refusal) {
    guard arguments.count % 2 == 0 else {
      throw Refusal(.count, "this takes a pattern of addresses and 0 or 1, as often as you like")
    }
    for place in stride(from: 0, to: arguments.count, by: 2) {
      guard case .string(let pattern) = arguments[place] else {
        throw Refusal(.type, "what is safe is named by a pattern of addresses")
      }
      try checkScope(pattern)
      _ = try number(arguments[place + 1])
      stage([arguments[place], arguments[place + 1]], weight: shape.gainCount)
      try checkStrain()
    }
  }

  private mutating func stageStore(
    _ arguments: UnsafeBufferPointer<Argument>
  ) throws(Refusal) {
    guard arguments.count <= 2 else {
      throw Refusal(.count, "this takes the number or the name of a scene, and a name for it")
    }
    guard let first = arguments.first, first != .impulse || arguments.count > 1 else {
      return try stageStore(nil, name: nil, [])
    }
    let name: String? = arguments.count > 1 ? try name(arguments[1]) : nil
    try stageStore(reference(first), name: name, Array(arguments))
  }

  private mutating func stageStore(
    _ reference: SceneReference?, name: String?, _ payload: [Argument]
  ) throws(Refusal) {
    let (number, name) = try scenes.place(for: reference, name: name)
    stage(payload, weight: shape.gainCount)
    let outline = Scene(outline: name, shape: shape)
    foresee { $0.put(outline, at: number) }
  }

  /// A recall: a duration, a curve and a pattern may follow, any of them left out.
  private mutating func stageRecall(
    _ reference: SceneReference, _ named: Argument, _ arguments: [Argument]
  ) throws(Refusal) {
    let number = try scenes.number(of: reference)
    var rest = arguments[...]
    var durationFrames = 0.0
    var curve = FadeCurve.decibels
    var payload = [named]
    if let first = rest.first, first.number != nil {
      durationFrames = try duration(first)
      rest.removeFirst()
    }
    if case .string(let word)? = rest.first, !word.hasPrefix("/") {
      curve = try self.curve(.string(word))
      rest.removeFirst()
    }
    if case .string(let pattern)? = rest.first {
      try checkScope(pattern)
      payload.append(.string(pattern))
      rest.removeFirst()
    }
    guard rest.isEmpty else {
      throw Refusal(
        arguments.count > 3 ? .count : .type,
        "behind the scene stand a duration in ms, a curve and a pattern, in that order")
    }
    stage(payload, weight: shape.gainCount, duration: durationFrames, curve)
    if payload.count == 1 { foresee { $0.setCurrent(number) } }
  }

  private mutating func stage(
    _ payload: [Argument], weight: Int, duration durationFrames: Double = 0,
    _ curve: FadeCurve = .decibels
  ) {
    let start = transaction.payload.count
    transaction.payload += payload
    transaction.append(
      Operation(
        verb: .scene, target: firstHit, durationFrames: durationFrames, curve: curve,
        payload: start..<start + payload.count),
      weight: weight)
  }

  // MARK: Arguments

  private func reference(_ argument: Argument) throws(Refusal) -> SceneReference {
    switch argument {
    case .string(let name):
      guard !name.isEmpty else { throw Refusal(.value, "the name of a scene is missing") }
      try SceneName.check(name)
      return .name(name)
    case .int32, .int64, .float, .double:
      let value = try number(argument)
      guard value >= 0, value < Double(SceneStore.most), value.rounded() == value else {
        throw Refusal(.index, "scenes have the numbers 0 to \(SceneStore.most - 1)")
      }
      return .number(Int(value))
    default:
      throw Refusal(
        .type,
        "a scene is meant by its number or its name, not '\(Character(Unicode.Scalar(argument.tag)))'"
      )
    }
  }

  private func name(_ argument: Argument) throws(Refusal) -> String {
    guard case .string(let name) = argument else { throw Refusal(.type, "a name is a text") }
    try SceneName.check(name)
    return name
  }

  private mutating func checkScope(_ pattern: String) throws(Refusal) {
    guard pattern.utf8.count <= Self.longestPatternBytes else {
      throw Refusal(.size, "a pattern may have \(Self.longestPatternBytes) bytes at most")
    }
    strain(byPatternOf: pattern.utf8.count)
    var pattern = pattern
    let meansAny = pattern.withUTF8 { $0.first == UInt8(ascii: "/") && tree.meansParts($0) }
    guard meansAny else {
      throw Refusal(
        .address,
        "the pattern meets no level or switch that scenes keep; /matrix/in/2 and /matrix/in/*/out/3 "
          + "are such patterns")
    }
  }
}
