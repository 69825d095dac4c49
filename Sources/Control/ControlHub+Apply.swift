import Glibc
import MatrixCore
import Messages

/// From operations to state: nothing here can fail.
extension ControlHub {
  func apply(
    _ operation: Operation, _ payload: [Argument], atFrame frame: Int64, _ source: Source
  ) {
    let target = operation.target
    said = saysReading(operation) ? (target, operation.verb == .level) : nil
    defer { said = nil }
    switch operation.verb {
    case .answer:
      answer(
        target, count: operation.count, atFrame: frame, to: source,
        as: address(in: payload[operation.payload]), isCorrection: operation.corrects)
    case .level:
      setLevel(operation, frame, source)
    case .nudge:
      nudge(operation, frame, source, address(in: payload[operation.payload]))
    case .toggle:
      toggle(target, on: operation.number != 0, source)
    case .touch:
      touch(operation, frame, source)
    case .stop:
      let gain = target.gain(in: state.shape)
      stop(state.pairs.strands(of: gain), addressed: gain, frame, source)
    case .rename:
      rename(target, payload[operation.payload.lowerBound], source)
    case .trigger:
      trigger(operation, frame, source)
    case .setting:
      setDim(operation, source)
    case .echo:
      let isEcho = target.parameter == .ping
      send(source, isEcho ? "/pong" : Reply.errorAddress, Array(payload[operation.payload]))
    case .enroll:
      enroll(target, payload[operation.payload], source)
    case .pair:
      setPair(operation, source)
    case .pan:
      setPan(operation, frame, source)
    case .scene:
      applyScene(operation, payload[operation.payload], frame, source)
    case .client:
      request(operation, payload, from: source)
    }
    if operation.corrects, operation.verb != .nudge, operation.verb != .answer {
      answer(
        target, count: operation.count, atFrame: frame, to: source,
        as: address(in: payload[operation.payload]), isCorrection: true)
    }
  }

  /// Whether an operation says what its address will read, so that its source knows that.
  private func saysReading(_ operation: Operation) -> Bool {
    // What a list says is a gain by itself, and not the level to a pair that the address reads.
    operation.saysValue
      && (operation.verb != .level || operation.isLinked
        || strand(of: operation.target).right == nil)
  }

  /// The address that a sender used, where its numbers alone do not spell it.
  private func address(in payload: ArraySlice<Argument>) -> String? {
    guard case .string(let address) = payload.first else { return nil }
    return address
  }

  // MARK: Levels

  private func setLevel(_ operation: Operation, _ frame: Int64, _ source: Source) {
    let gain = operation.target.gain(in: state.shape)
    let strands = operation.isLinked ? state.pairs.strands(of: gain) : Strands(Strand(gain))
    // What was read and is written back leaves the level as it is, to the last bit.
    let face = operation.target.parameter.face ?? .gain
    func reads(_ level: Double) -> Bool {
      face.reading(of: level, taper: configuration.taper) == operation.reading
    }
    let hasEnded = state.hasEnded(strands.first, by: frame)
    let isSame = reads(state.level(of: strands.first))
    // Where a fade began, or goes, may be set to end it there.
    let isEcho =
      operation.durationFrames == 0
      && isEcho(
        operation.target, bits: operation.reading.bitPattern, isSame: isSame,
        mayBeMeant: !hasEnded && (isSame || reads(state.startLevel(of: strands.first))),
        from: source)
    if isSame, hasEnded { return confirmed(source) }
    if isEcho {
      tally.ignoredEchoes += 1
      return
    }
    let end = isSame ? nil : operation.number
    move(strands.first, to: end, of: operation, atFrame: frame, by: source)
    if let second = strands.second {
      move(second, to: end, of: operation, atFrame: frame, by: source)
    }
  }

  private func nudge(
    _ operation: Operation, _ frame: Int64, _ source: Source, _ address: String?
  ) {
    let gain = operation.target.gain(in: state.shape)
    let strands = state.pairs.strands(of: gain)
    let room = nudge(strands.first, operation, frame, source)
    if let second = strands.second { _ = nudge(second, operation, frame, source) }
    guard let room else { return }
    tally.clamped += 1
    guard operation.corrects else { return }
    send(
      source, address ?? ParameterTable.address(of: operation.target), [.float(Float(room))],
      isForListener: true)
  }

  /// Nudges what moves as one; gives how far it could go up where that was not far enough.
  private func nudge(
    _ strand: Strand, _ operation: Operation, _ frame: Int64, _ source: Source
  ) -> Double? {
    let change = operation.number
    let level = state.level(of: strand, at: frame)
    guard change != 0, level > 0 || change > 0 else {
      stop(Strands(strand), addressed: operation.target.gain(in: state.shape), frame, source)
      return nil
    }
    let start = level > 0 ? 20 * log10(level) : Level.nudgeStartDB
    let wanted = start + change
    let end =
      wanted <= Level.offDB
      ? 0 : wanted >= Level.maximumDB ? Level.maximum : pow(10, wanted / 20)
    move(strand, to: end, of: operation, atFrame: frame, by: source)
    return Float(wanted) > Float(Level.maximumDB) ? Level.maximumDB - start : nil
  }

  func stop(_ gain: GainID, _ frame: Int64, _ source: Source, told: Source) {
    let current = state.fade(of: gain)
    guard !current.hasEnded(by: frame) else { return }
    move(gain, to: current.level(at: frame), atFrame: frame, by: source, told: told)
  }

  /// Sends a level on its way, from wherever it is; without a duration it is there at once.
  ///
  /// Observers are told that `told` has done it, or `source` where that is left out.
  func move(
    _ gain: GainID, to end: Double, over durationFrames: Double = 0,
    along curve: FadeCurve = .decibels, atFrame frame: Int64, by source: Source,
    told: Source? = nil
  ) {
    let current = state.fade(of: gain)
    let fade = travel(
      from: current, to: end, over: durationFrames, along: curve, atFrame: frame)
    guard follow(fade, gain, raisedFrom: current.end, to: end, by: source) else { return }
    changed(.gain, of: gain, by: told ?? source)
    if !state.pairs.isEmpty { toldAlone(gain) }
  }

  /// Gives a gain the way that it goes from now on: nothing else changes a level.
  ///
  /// `raisedFrom` and `to` are the levels that count as raised above unity, of the gain or of what
  /// it is a part of. Says whether the gain goes elsewhere now; observers are still to be told.
  func follow(
    _ fade: Fade, _ gain: GainID, raisedFrom before: Double, to after: Double, by source: Source
  ) -> Bool {
    let current = state.fade(of: gain)
    state.setFade(fade, of: gain)
    if hasRecorder { recordMove(of: gain, from: current, fade) }
    list(gain)
    guard current.end != fade.end else { return false }
    state.noteRaise(of: gain, from: before, to: after, by: source)
    noteChange(of: gain, from: current.end, state.storedSwitches(of: gain), by: source)
    return true
  }

  /// The way of a level from where it is.
  func travel(
    from current: Fade, to end: Double, over durationFrames: Double, along curve: FadeCurve,
    atFrame frame: Int64
  ) -> Fade {
    way(
      from: current.level(at: frame), to: end, over: durationFrames, along: curve, atFrame: frame)
  }

  /// The way from one level to another; there is none between levels that read the same.
  func way(
    from start: Double, to end: Double, over durationFrames: Double, along curve: FadeCurve,
    atFrame frame: Int64
  ) -> Fade {
    guard durationFrames > 0, Float(start) != Float(end) else { return Fade(steady: end) }
    return Fade(
      startFrame: frame, start: start, end: end, durationFrames: durationFrames, curve: curve)
  }

  // MARK: Switches and names

  /// Turns a switch of a gain, and of those that are linked with it.
  func toggle(_ target: Target, on: Bool, _ source: Source) {
    let gain = target.gain(in: state.shape)
    let strands =
      target.parameter == .phase ? Strands(Strand(gain)) : state.pairs.strands(of: gain)
    let hadSolo = state.soloCount > 0
    let isSame = isOn(target) == on
    if said != nil, isEcho(target, bits: on ? 1 : 0, isSame: isSame, from: source), !isSame {
      tally.ignoredEchoes += 1
      return
    }
    guard turn(target.parameter, of: gain, on: on, by: source, told: source) else {
      return confirmed(source)
    }
    strands.eachGain { linked in
      if linked != gain { turn(target.parameter, of: linked, on: on, by: source, told: .local) }
    }
    if hadSolo == (state.soloCount > 0) {
      strands.eachGain { list($0) }
    } else {
      addInputs()
    }
  }

  /// Turns a switch of a gain alone, and says whether that changed anything.
  ///
  /// The gain is still to be listed. Observers are told that `told` has done it.
  @discardableResult
  func turn(
    _ parameter: Parameter, of gain: GainID, on: Bool, by source: Source, told: Source
  ) -> Bool {
    let before = state.storedSwitches(of: gain)
    guard state.set(switchOf(parameter), of: gain, on: on) else { return false }
    if before != state.storedSwitches(of: gain) {
      noteChange(of: gain, from: state.level(of: gain), before, by: source)
    }
    changed(parameter, of: gain, by: told)
    return true
  }

  private func addInputs() {
    for input in 0..<state.shape.inputs { outbox.add(state.shape.input(input)) }
  }

  func switchOf(_ parameter: Parameter) -> MixState.Switches {
    switch parameter {
    case .mute: .mute
    case .phase: .phase
    case .solo: .solo
    case .soloSafe: .soloSafe
    case .dim: .dim
    default: preconditionFailure("a switch")
    }
  }

  private func touch(_ operation: Operation, _ frame: Int64, _ source: Source) {
    let gain = operation.target.gain(in: state.shape)
    guard operation.number != 0 else {
      if hands.takeOff(source, gain) { released(gain, by: source) }
      // Whoever has let go of everything has ended a gesture.
      if !hands.areOnAnything(of: source) { history.endGesture(of: source) }
      return
    }
    hands.put(source, on: gain)
    stop(state.pairs.strands(of: gain), addressed: gain, frame, source)
  }

  private func rename(_ target: Target, _ argument: Argument, _ source: Source) {
    let number = target.channel
    guard case .string(let name) = argument else { return }
    guard name != state.name(of: target.place, number) else { return confirmed(source) }
    // A name that waited for its time may have been given to another one meanwhile.
    if let refusal = state.names.refusal(of: name, for: number, of: target.place) {
      return refuse(target, refusal, source)
    }
    state.setName(name, of: target.place, number)
    changed(target, by: source)
  }

  // MARK: Triggers and settings

  private func trigger(_ operation: Operation, _ frame: Int64, _ source: Source) {
    switch operation.target.parameter {
    case .clear:
      setAll(operation, frame, source) { _, _ in 0 }
    case .identity:
      setAll(operation, frame, source) { input, output in input == output ? 1 : 0 }
    case .clearSolo:
      clearSolo(source)
    case .panic:
      board.setPanic(true)
      tellEngineState(by: source)
    case .resume:
      board.setPanic(false)
      tellEngineState(by: source)
    case .reload:
      requestReload(source)
    case .identify:
      identify(operation.target, source)
    default:
      preconditionFailure("a trigger")
    }
  }

  private func setAll(
    _ operation: Operation, _ frame: Int64, _ source: Source, _ level: (Int, Int) -> Double
  ) {
    for input in 0..<state.shape.inputs {
      for output in 0..<state.shape.outputs {
        let gain = state.shape.crosspoint(input: input, output: output)
        let current = state.fade(of: gain)
        let end = level(input, output)
        if current.end == end, current.hasEnded(by: frame) { continue }
        move(
          gain, to: end, over: operation.durationFrames, along: operation.curve,
          atFrame: frame, by: source)
      }
    }
  }

  private func clearSolo(_ source: Source) {
    guard state.soloCount > 0 else { return }
    for input in 0..<state.shape.inputs
    where state.set(.solo, of: state.shape.input(input), on: false) {
      changed(Target(.solo, .input, input: input), by: source)
    }
    addInputs()
  }

  private func setDim(_ operation: Operation, _ source: Source) {
    let isSame = Float(state.dimDB) == operation.reading
    let isEcho = isEcho(
      operation.target, bits: operation.reading.bitPattern, isSame: isSame, from: source)
    if isSame { return confirmed(source) }
    if isEcho {
      tally.ignoredEchoes += 1
      return
    }
    setDim(operation.number, source)
  }

  /// Sets what dim changes levels by, in dB.
  func setDim(_ amountDB: Double, _ source: Source) {
    guard state.dimDB != amountDB else { return }
    state.dimDB = amountDB
    changed(Target(.dimLevel, .mixer), by: source)
    for output in 0..<state.shape.outputs where state.isOn(.dim, of: state.shape.output(output)) {
      outbox.add(state.shape.output(output))
    }
    if state.isOn(.dim, of: state.shape.master) { outbox.add(state.shape.master) }
  }
}
