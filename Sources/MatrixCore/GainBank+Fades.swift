import CMatrixKernel

extension GainBank {
  /// Takes commands from `position` on, up to the end of the first transaction, whatever the gains
  /// did before; answers how many commands that are.
  @_noLocks @_noAllocation
  func apply(_ commands: UnsafePointer<CMKCommand>, count: Int, position: Int64) -> Int {
    var now = moment(at: position)
    // Later retargets end later, so only the first can be the nearest.
    if state.pointee.movingCount == 0 { state.pointee.nearestSettle = now.settleBlock }
    let taken = cmk_follow(kernel, gains, commands, count, &now, changes)
    takeChanges()
    return taken
  }

  /// Opens or closes the gate: a factor on the master.
  ///
  /// Behind a closed gate the master's fade goes on, and is met where it is when the gate opens.
  @_noLocks @_noAllocation
  func setGate(open: Bool, position: Int64) {
    if open == state.pointee.isGateOpen { return }
    let command = master.pointee
    var acting = command
    if !open { acting.factor = 0 }
    state.pointee.isGateOpen = true
    _ = apply(&acting, count: 1, position: position)
    master.pointee = command
    state.pointee.isGateOpen = open
  }

  /// What a frame of the block of the last grid point means for gains that change on it.
  ///
  /// On the frame on which the stream starts, a stage takes its target at once.
  @_noLocks @_noAllocation
  private func moment(at position: Int64) -> CMKMoment {
    let offset = Int(truncatingIfNeeded: position &- state.pointee.origin)
    return CMKMoment(
      position: position, next: state.pointee.grid &+ Int64(GlideLaw.gridFrames),
      aimA: law.aimA[offset], aimB: law.aimB[offset],
      settleBlock: law.settleBlock(retargetedOn: position),
      isStart: position == state.pointee.start, isGateOpen: state.pointee.isGateOpen)
  }

  /// Aims every fading gain at its level at the next grid point.
  @_noLocks @_noAllocation
  func stepFades(block: UInt32) {
    var now = moment(at: state.pointee.grid)
    for group in 0..<layout.groups {
      let header = lists.headers[group]
      if header.ratioCount | header.gainCount == 0 { continue }
      // First: a step beyond the end of a short fade may lead anywhere.
      if GlideLaw.isDue(gains.pointee.nearestEnd[group], at: block) {
        finishFades(group: group, block: block, &now)
      }
      let firstEntry = layout.firstEntry(ofGroup: group)
      if header.ratioCount > 0 {
        cmk_step_ratio(
          kernel, gains, firstEntry, lists.ratio + firstEntry, Int(header.ratioCount), &now)
      }
      if header.gainCount > 0 {
        cmk_step_gain(
          kernel, gains, firstEntry, lists.gain + firstEntry, Int(header.gainCount), &now)
      }
    }
    takeChanges()
  }

  /// Takes fades whose last step this is to their ends exactly.
  @_noLocks @_noAllocation
  private func finishFades(group: Int, block: UInt32, _ now: inout CMKMoment) {
    let header = lists.headers[group]
    let firstEntry = layout.firstEntry(ofGroup: group)
    // Half of all blocks lie ahead; where nothing fades any more the nearest end is half that far.
    var nearest: Int32 = 0x3fff_ffff
    nearest = cmk_finish_fades(
      kernel, gains, group, lists.ratio + firstEntry, Int(header.ratioCount), block, nearest, &now,
      changes)
    nearest = cmk_finish_fades(
      kernel, gains, group, lists.gain + firstEntry, Int(header.gainCount), block, nearest, &now,
      changes)
    gains.pointee.nearestEnd[group] = block &+ UInt32(bitPattern: nearest)
  }
}
