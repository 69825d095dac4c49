import MatrixCore

/// What survives the program, out of the hub and back into it.
extension ControlHub {
  /// The mixer as it is to be found again; fades count as having arrived.
  ///
  /// Channels that were restored and that this matrix does not have are in it as they came.
  public func snapshot() -> MixerSnapshot {
    let shape = state.shape
    var snapshot = MixerSnapshot(inputs: shape.inputs, outputs: shape.outputs)
    for input in 0..<shape.inputs {
      for output in 0..<shape.outputs {
        let gain = shape.crosspoint(input: input, output: output)
        var crosspoint = MixerSnapshot.Crosspoint()
        crosspoint.level = state.level(of: gain)
        crosspoint.isMuted = state.isOn(.mute, of: gain)
        crosspoint.isInverted = state.isOn(.phase, of: gain)
        if crosspoint != MixerSnapshot.Crosspoint() { snapshot[input, output] = crosspoint }
      }
      let gain = shape.input(input)
      snapshot[input: input].level = state.level(of: gain)
      snapshot[input: input].isMuted = state.isOn(.mute, of: gain)
      snapshot[input: input].isInverted = state.isOn(.phase, of: gain)
      snapshot[input: input].isSoloSafe = state.isOn(.soloSafe, of: gain)
      snapshot[input: input].name = state.name(of: .input, input)
    }
    for output in 0..<shape.outputs {
      let gain = shape.output(output)
      snapshot[output: output].level = state.level(of: gain)
      snapshot[output: output].isMuted = state.isOn(.mute, of: gain)
      snapshot[output: output].isInverted = state.isOn(.phase, of: gain)
      snapshot[output: output].name = state.name(of: .output, output)
    }
    snapshot.master.level = state.level(of: shape.master)
    snapshot.master.isMuted = state.isOn(.mute, of: shape.master)
    snapshot.dimDB = state.dimDB
    snapshot.groups = groupContents
    snapshot.scenes = sceneContents
    return rest.map { snapshot.beside($0) } ?? snapshot
  }

  /// Puts the mixer back to where a snapshot has it, as one transaction.
  ///
  /// Channels that the snapshot does not know stay as they are; those that this matrix does not
  /// have are kept for the next `snapshot`. Meant for the time before the first frame; later it
  /// glides like everything. Its levels must be 0...`Level.maximum` and finite.
  public func restore(_ snapshot: MixerSnapshot) {
    let shape = state.shape
    let frame = outbox.open(atFrame: board.nextFrame, state)
    // What was there before the program began is no gesture to take back.
    history.isRecording = false
    defer { history.isRecording = true }
    let inputs = min(shape.inputs, snapshot.inputs.count)
    let outputs = min(shape.outputs, snapshot.outputs.count)
    for input in 0..<inputs {
      for output in 0..<outputs {
        let crosspoint = snapshot[input, output]
        let gain = shape.crosspoint(input: input, output: output)
        restore(crosspoint.level, of: gain, atFrame: frame)
        restore(.mute, .mute, of: gain, on: crosspoint.isMuted)
        restore(.phase, .phase, of: gain, on: crosspoint.isInverted)
      }
      let channel = snapshot[input: input]
      let gain = shape.input(input)
      restore(channel.level, of: gain, atFrame: frame)
      restore(.mute, .mute, of: gain, on: channel.isMuted)
      restore(.phase, .phase, of: gain, on: channel.isInverted)
      restore(.soloSafe, .soloSafe, of: gain, on: channel.isSoloSafe)
    }
    for output in 0..<outputs {
      let channel = snapshot[output: output]
      let gain = shape.output(output)
      restore(channel.level, of: gain, atFrame: frame)
      restore(.mute, .mute, of: gain, on: channel.isMuted)
      restore(.phase, .phase, of: gain, on: channel.isInverted)
    }
    restoreNames(
      (0..<inputs).map { (Target(.name, .input, input: $0), snapshot[input: $0].name) }
        + (0..<outputs).map { (Target(.name, .output, output: $0), snapshot[output: $0].name) })
    restore(snapshot.master.level, of: shape.master, atFrame: frame)
    restore(.mute, .mute, of: shape.master, on: snapshot.master.isMuted)
    setDim(snapshot.dimDB, .local)
    restore(snapshot.groups, atFrame: frame)
    restoreScenes(snapshot.scenes)
    rest =
      snapshot.exceeds(inputs: shape.inputs, outputs: shape.outputs) ? snapshot : nil
  }

  private func restore(_ level: Double, of gain: GainID, atFrame frame: Int64) {
    precondition((0...Level.maximum).contains(level), "a level that the mixer has")
    let current = state.fade(of: gain)
    if current.end == level, current.hasEnded(by: frame) { return }
    move(gain, to: level, atFrame: frame, by: .local)
  }

  private func restore(
    _ one: MixState.Switches, _ parameter: Parameter, of gain: GainID, on: Bool
  ) {
    guard state.set(one, of: gain, on: on) else { return }
    changed(parameter, of: gain, by: .local)
    list(gain)
  }

  /// Gives channels their names; one whose name another channel has by now is left without.
  private func restoreNames(_ names: [(target: Target, name: String)]) {
    let before = names.map { state.name(of: $0.target.place, $0.target.channel) }
    // A saved name may be one that another channel has until it gets its own.
    for (target, _) in names { state.setName("", of: target.place, target.channel) }
    for ((target, name), before) in zip(names, before) {
      let isFree = state.names.refusal(of: name, for: target.channel, of: target.place) == nil
      if isFree { state.setName(name, of: target.place, target.channel) }
      if state.name(of: target.place, target.channel) != before { changed(target, by: .local) }
    }
  }
}
