import MatrixCore

/// Groups and pairs, to be saved and restored.
extension ControlHub {
  /// Groups and pairs as they are, and what was restored for channels that this matrix lacks.
  public var groupContents: GroupContents {
    var contents = GroupContents()
    for number in 0..<GroupTable.count {
      let gain = state.group(number)
      let group = GroupContents.Group(
        number: number, level: state.level(of: gain), isMuted: state.isOn(.mute, of: gain),
        name: state.name(of: .group, number), members: state.groupTable.words(of: number))
      if group != GroupContents.Group(number: number) { contents.groups.append(group) }
    }
    let beyond = state.contentsBeyond
    contents.inputPairs = state.pairs.lefts(of: .input) + beyond.inputPairs
    contents.outputPairs = state.pairs.lefts(of: .output) + beyond.outputPairs
    contents.pans = pansToBeKept + beyond.pans
    return contents
  }

  /// Replaces groups and pairs by saved ones; those that are not among them are as they start.
  ///
  /// What is for channels that this matrix lacks is kept for the next one. A level out of range is
  /// clamped, a pair that cannot be is left out, and a name that is taken is a label only. Restore
  /// the levels of the matrix before: they are taken as gains, one by one. Give the frame that
  /// comes next for as soon as possible; running fades of groups end.
  public func restore(_ contents: GroupContents, atFrame frame: Int64) {
    let first = outbox.open(atFrame: frame, state)
    let shape = state.shape
    state.contentsBeyond = GroupContents(
      inputPairs: contents.inputPairs.filter { $0 + 1 >= shape.inputs },
      outputPairs: contents.outputPairs.filter { $0 + 1 >= shape.outputs },
      pans: contents.pans.filter { $0.input >= shape.inputs || $0.output + 1 >= shape.outputs })
    restorePairs(contents.inputPairs, .input)
    restorePairs(contents.outputPairs, .output)
    state.pansWhileOff.removeAll()
    for pan in contents.pans where isHere(pan) {
      let strand = state.pairs.strand(input: pan.input, output: pan.output)
      guard strand.right != nil, pan.pan.isFinite else { continue }
      state.keepPan(min(max(pan.pan, -1), 1), of: strand)
    }
    // A saved name may be one that another group has now.
    let names = (0..<GroupTable.count).map { state.name(of: .group, $0) }
    for number in names.indices { state.setName("", of: .group, number) }
    for number in names.indices {
      let saved = contents.groups.last { $0.number == number }
      let group = saved ?? GroupContents.Group(number: number)
      state.setName(group.name, of: .group, number)
      if group.name != names[number] { changed(Target(.name, .group, input: number), by: .local) }
      restore(group, atFrame: first)
    }
  }

  private func restore(_ group: GroupContents.Group, atFrame frame: Int64) {
    let gain = state.group(group.number)
    let target = Target(.members, .group, input: group.number)
    if setMembers(group.members, of: group.number) { changed(target, by: .local) }
    let level = group.level.isFinite ? min(max(group.level, 0), Level.maximum) : 1
    if state.level(of: gain) != level || !state.fade(of: gain).hasEnded(by: frame) {
      move(gain, to: level, atFrame: frame, by: .local)
    }
    guard state.set(.mute, of: gain, on: group.isMuted) else { return }
    changed(.mute, of: gain, by: .local)
    list(gain)
  }

  private func restorePairs(_ lefts: [Int], _ side: Place) {
    let limit = side == .input ? state.shape.inputs : state.shape.outputs
    for channel in state.pairs.lefts(of: side) where !lefts.contains(channel) {
      setPair(channel, side, on: false)
    }
    for channel in lefts where channel >= 0 && channel + 1 < limit {
      guard state.pairs.refusal(ofPairing: channel, side) == nil else { continue }
      setPair(channel, side, on: true)
    }
  }

  private func setPair(_ channel: Int, _ side: Place, on: Bool) {
    let target = Target(
      .pair, side, input: side == .input ? channel : 0, output: side == .input ? 0 : channel)
    setPair(Operation(verb: .pair, target: target, number: on ? 1 : 0), .local)
  }

  private func isHere(_ pan: GroupContents.Pan) -> Bool {
    (0..<state.shape.inputs).contains(pan.input)
      && (0..<state.shape.outputs - 1).contains(pan.output)
  }

  private var pansToBeKept: [GroupContents.Pan] {
    var pans: [GroupContents.Pan] = []
    for (gain, pan) in state.pansWhileOff {
      guard case .crosspoint(let input, let output) = state.shape.stage(of: gain),
        state.pairs.isLeft(output, of: .output),
        state.level(of: state.pairs.strand(of: gain)) == 0
      else { continue }
      pans.append(GroupContents.Pan(input: input, output: output, pan: pan))
    }
    return pans.sorted { ($0.input, $0.output) < ($1.input, $1.output) }
  }
}
