import MatrixCore
import Messages

/// From what is applied to lines that do the same again.
extension ControlHub {
  /// How many transactions reached the audio side after their frame had begun to be rendered: for
  /// those a record is not exact.
  public var lateTransactions: Int { outbox.lateTransactions }

  /// Hands over an operation as it came, if it means the same in every mixer.
  ///
  /// What the others do is handed over gain by gain and switch by switch. So a record knows no
  /// pairs, pans, scenes and undo: what they did to gains is in it.
  func record(_ operation: Operation, _ payload: [Argument], atFrame frame: Int64) {
    let arguments: [Argument]
    switch (operation.verb, operation.target.parameter) {
    case (.trigger, .clear), (.trigger, .identity), (.trigger, .clearSolo):
      arguments = course(operation.durationFrames, .decibels)
    case (.trigger, .panic), (.trigger, .resume):
      // The gate is no gain: it acts with the next render call.
      handOver(
        AppliedChange(frame: board.nextFrame, transaction: nil, target: operation.target))
      isRecorded = true
      return
    case (.enroll, _):
      // Without an argument it would be a question.
      arguments = operation.payload.isEmpty ? [.string("")] : Array(payload[operation.payload])
    default:
      // What it means may depend on who says it and on what is paired; what it does is recorded.
      return
    }
    isRecorded = true
    handOver(operation.target, arguments, atFrame: frame)
  }

  /// Hands over where a gain is sent by something that was not recorded as it came.
  func recordMove(of gain: GainID, from before: Fade, _ fade: Fade) {
    guard !isRecorded else { return }
    let target = Target(.gain, of: gain, in: state.shape)
    say(fade, after: before, atFrame: outbox.frame) {
      handOver(target, $0, atFrame: outbox.frame)
    }
  }

  /// Gives the arguments of the messages that turn a level from one way to another on a frame.
  private func say(
    _ fade: Fade, after before: Fade, atFrame frame: Int64, _ message: ([Argument]) -> Void
  ) {
    // What reads like the level that there is would be taken for it, though it differs beyond the
    // 32 bits of a reading.
    func isTaken(_ level: Double) -> Bool {
      before.end == level || Float(before.end) != Float(level)
    }
    func jump(to level: Double) {
      if !isTaken(level) { message([.double(level > 1 ? 0.5 : level + 1)]) }
      message([.double(level)])
    }
    guard fade.durationFrames > 0 else { return jump(to: fade.end) }
    // A message fades from where the level is; a pan may have put it elsewhere.
    if before.level(at: frame) != fade.start || !isTaken(fade.end) { jump(to: fade.start) }
    message([.double(fade.end)] + course(fade.durationFrames, fade.curve))
  }

  /// Hands over a switch, a name or a setting that was changed by something that was not recorded
  /// as it came.
  func recordChange(of target: Target) {
    guard !isRecorded else { return }
    switch target.parameter {
    case .mute, .solo, .soloSafe, .dim, .phase, .name, .dimLevel:
      handOver(target, current(target), atFrame: outbox.frame)
    default: break
    }
  }

  private func current(_ target: Target) -> [Argument] {
    switch target.parameter {
    case .name: return [.string(state.name(of: target.place, target.channel))]
    case .members: return state.groupTable.words(of: target.input).map { .string($0) }
    case .dimLevel: return [.double(state.dimDB)]
    default: return [.int32(isOn(target) ? 1 : 0)]
    }
  }

  private func handOver(_ target: Target, _ arguments: [Argument], atFrame frame: Int64) {
    handOver(
      AppliedChange(
        frame: frame, transaction: outbox.transactions, target: target, arguments: arguments))
  }

  private func handOver(_ change: AppliedChange) {
    recorder?.hubApplied(change)
  }

  /// A duration and a curve as arguments, as far as they are not what is meant without them.
  private func course(_ frames: Double, _ curve: FadeCurve) -> [Argument] {
    guard frames > 0 else { return [] }
    let milliseconds = Argument.double(Self.milliseconds(ofFrames: frames, configuration.rate))
    switch curve {
    case .decibels: return [milliseconds]
    case .linear: return [milliseconds, .string("lin")]
    case .smooth: return [milliseconds, .string("s")]
    }
  }

  /// The rest of a fade from a frame on, between other levels: a way that a message can say too.
  func rest(of fade: Fade, from start: Double, to end: Double, atFrame frame: Int64) -> Fade {
    let left = Double(fade.startFrame - frame) + fade.durationFrames
    // Not every number of frames is one of milliseconds, to the last bit.
    let milliseconds = left * 1_000 / configuration.rate
    return way(
      from: start, to: end, over: milliseconds * configuration.rate / 1_000, along: fade.curve,
      atFrame: frame)
  }

  /// The duration that is read as exactly so many frames, where there is one.
  static func milliseconds(ofFrames frames: Double, _ rate: Double) -> Double {
    let guess = frames * 1_000 / rate
    var above = guess
    var below = guess
    for _ in 0..<8 {
      if above * rate / 1_000 == frames { return above }
      if below * rate / 1_000 == frames { return below }
      above = above.nextUp
      below = below.nextDown
    }
    return guess
  }

  // MARK: The state at the beginning

  /// Lets every fade that runs begin anew on a frame, where it is and for the rest of its time, so
  /// that a message can say it.
  ///
  /// Before `prepareStream`, which sends it.
  public func takeUpFades(atFrame frame: Int64) {
    for index in 0..<state.shape.levelCount {
      let gain = GainID(index: Int32(index))
      let fade = state.fade(of: gain)
      guard fade.durationFrames > 0 else { continue }
      state.setFade(
        rest(of: fade, from: fade.level(at: frame), to: fade.end, atFrame: frame), of: gain)
    }
  }

  /// The changes that take a mixer at rest to where this one is on a frame.
  ///
  /// Fades that run must begin on that frame, as `takeUpFades` leaves them. Together they are as many
  /// transactions as keeps each of them below `largest` changes.
  public func changesFromRest(atFrame frame: Int64, largest: Int = 8_192) -> [AppliedChange] {
    var changes: [AppliedChange] = []
    func add(_ target: Target, _ arguments: [Argument]) {
      changes.append(
        AppliedChange(frame: frame, transaction: 0, target: target, arguments: arguments))
    }
    add(Target(.dimLevel, .mixer), [.double(state.dimDB)])
    for index in 0..<state.shape.levelCount {
      let gain = GainID(index: Int32(index))
      addLevel(of: gain, atFrame: frame, add)
      for parameter in switches(at: Target(.gain, of: gain, in: state.shape).place) {
        let target = Target(parameter, of: gain, in: state.shape)
        if isOn(target) { add(target, [.int32(1)]) }
      }
    }
    let names =
      (0..<state.shape.inputs).map { Target(.name, .input, input: $0) }
      + (0..<state.shape.outputs).map { Target(.name, .output, output: $0) }
      + (0..<GroupTable.count).map { Target(.name, .group, input: $0) }
    for target in names where current(target) != [.string("")] { add(target, current(target)) }
    for group in 0..<GroupTable.count where !state.groupTable.words(of: group).isEmpty {
      let target = Target(.members, .group, input: group)
      add(target, current(target))
    }
    if board.isPanicking { add(Target(.panic, .mixer), []) }
    let transactions = (changes.count + largest - 1) / largest
    for number in changes.indices {
      changes[number].transaction = number / largest - transactions
    }
    return changes
  }

  private func switches(at place: Place) -> [Parameter] {
    switch place {
    case .crosspoint: [.mute, .phase]
    case .input: [.mute, .solo, .soloSafe, .phase]
    case .output: [.mute, .dim, .phase]
    case .master: [.mute, .dim]
    case .group: [.mute]
    case .mixer, .scene: []
    }
  }

  private func addLevel(
    of gain: GainID, atFrame frame: Int64, _ add: (Target, [Argument]) -> Void
  ) {
    let fade = state.fade(of: gain)
    let isCrosspoint = Int(gain.index) < state.shape.crosspointCount
    let atRest = Fade(steady: isCrosspoint ? 0 : 1)
    guard fade != atRest else { return }
    let target = Target(.gain, of: gain, in: state.shape)
    say(fade, after: atRest, atFrame: frame) { add(target, $0) }
  }
}
