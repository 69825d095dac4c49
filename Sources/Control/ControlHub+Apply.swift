import Glibc
import MatrixCore
import Messages

/// From operations to state: nothing here can fail.
extension ControlHub {
  func apply(
    _ operation: Operation, _ payload: [Argument], atFrame frame: Int64, _ source: Source
  ) {
    let target = operation.target
    switch operation.verb {
    case .answer:
      answer(target, count: operation.count, atFrame: frame, to: source)
    case .level:
      setLevel(operation, frame, source)
    case .nudge:
      nudge(operation, frame, source)
    case .toggle:
      toggle(target, on: operation.number != 0, source)
    case .touch:
      touch(operation, frame, source)
    case .stop:
      stop(target.gain(in: state.shape), frame, source)
    case .rename:
      rename(target, payload[operation.payload.lowerBound], source)
    case .trigger:
      trigger(operation, frame, source)
    case .setting:
      setDim(operation, source)
    case .echo:
      let isEcho = target.parameter == .ping
      send(source, isEcho ? "/pong" : Reply.errorAddress, Array(payload[operation.payload]))
    }
    if operation.corrects, operation.verb != .nudge {
      answer(target, count: operation.count, atFrame: frame, to: source)
    }
  }

  // MARK: Levels

  private func setLevel(_ operation: Operation, _ frame: Int64, _ source: Source) {
    let gain = operation.target.gain(in: state.shape)
    let current = state.fade(of: gain)
    // What was read and is written back leaves the level as it is, to the last bit.
    let face = operation.target.parameter.face ?? .gain
    let isSame = face.reading(of: current.end, taper: configuration.taper) == operation.reading
    if isSame, current.hasEnded(by: frame) { return }
    move(
      gain, to: isSame ? current.end : operation.number, over: operation.durationFrames,
      along: operation.curve,
      atFrame: frame, by: source)
  }

  private func nudge(_ operation: Operation, _ frame: Int64, _ source: Source) {
    let gain = operation.target.gain(in: state.shape)
    let change = operation.number
    let level = state.fade(of: gain).level(at: frame)
    guard change != 0, level > 0 || change > 0 else {
      return stop(gain, frame, source)
    }
    let start = level > 0 ? 20 * log10(level) : Level.nudgeStartDB
    let wanted = start + change
    let end =
      wanted <= Level.offDB
      ? 0 : wanted >= Level.maximumDB ? Level.maximum : pow(10, wanted / 20)
    move(
      gain, to: end, over: operation.durationFrames, along: operation.curve,
      atFrame: frame, by: source)
    guard Float(wanted) > Float(Level.maximumDB) else { return }
    tally.clamped += 1
    guard operation.corrects else { return }
    send(
      source, ParameterTable.address(of: operation.target),
      [.float(Float(Level.maximumDB - start))])
  }

  func stop(_ gain: GainID, _ frame: Int64, _ source: Source) {
    let current = state.fade(of: gain)
    guard !current.hasEnded(by: frame) else { return }
    move(gain, to: current.level(at: frame), atFrame: frame, by: source)
  }

  /// Sends a level on its way, from wherever it is; without a duration it is there at once.
  func move(
    _ gain: GainID, to end: Double, over durationFrames: Double = 0,
    along curve: FadeCurve = .decibels, atFrame frame: Int64, by source: Source
  ) {
    let current = state.fade(of: gain)
    var fade = Fade(steady: end)
    if durationFrames > 0 {
      let start = current.level(at: frame)
      if start != end {
        fade = Fade(
          startFrame: frame, start: start, end: end, durationFrames: durationFrames, curve: curve)
      }
    }
    state.setFade(fade, of: gain)
    if recorder != nil { recordMove(of: gain, fade, atFrame: frame) }
    if current.end != end {
      state.noteRaise(of: gain, from: current.end, to: end, by: source)
      changed(.gain, of: gain, by: source)
    }
    outbox.add(gain)
  }

  // MARK: Switches and names

  private func toggle(_ target: Target, on: Bool, _ source: Source) {
    let gain = target.gain(in: state.shape)
    let hadSolo = state.soloCount > 0
    guard state.set(switchOf(target.parameter), of: gain, on: on) else { return }
    changed(target, by: source)
    if hadSolo == (state.soloCount > 0) {
      outbox.add(gain)
    } else {
      addInputs()
    }
  }

  private func addInputs() {
    for input in 0..<state.shape.inputs { outbox.add(state.shape.input(input)) }
  }

  private func switchOf(_ parameter: Parameter) -> MixState.Switches {
    switch parameter {
    case .mute: .mute
    case .phase: .phase
    case .solo: .solo
    case .soloSafe: .soloSafe
    case .dim: .dim
    default: preconditionFailure("a switch")
    }
  }

  func isOn(_ target: Target) -> Bool {
    state.isOn(switchOf(target.parameter), of: target.gain(in: state.shape))
  }

  private func touch(_ operation: Operation, _ frame: Int64, _ source: Source) {
    let gain = operation.target.gain(in: state.shape)
    guard operation.number != 0 else { return hands.takeOff(source, gain) }
    hands.put(source, on: gain)
    stop(gain, frame, source)
  }

  private func rename(_ target: Target, _ argument: Argument, _ source: Source) {
    let isInput = target.place == .input
    let channel = isInput ? target.input : target.output
    guard case .string(let name) = argument, name != state.name(ofInput: isInput, channel) else {
      return
    }
    state.setName(name, ofInput: isInput, channel)
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
    case .resume:
      board.setPanic(false)
    case .reload:
      requestReload(source)
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
    guard Float(state.dimDB) != operation.reading else { return }
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
