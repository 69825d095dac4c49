import CMatrixKernel

extension Renderer {
  // MARK: A render call

  /// Begins a call of so many frames, whose input rows are filled.
  @_noLocks @_noAllocation
  public func begin(frames: Int) {
    let room = maximumFrames
    precondition(frames >= 0 && frames <= room, "no more frames than there is room for")
    callFrames = frames
    cursor = 0
    denormalState = cmk_flush_denormals()
    meterInputs(frames: frames)
    rows.isLoud.update(repeating: 0, count: 4 &* bank.layout.crosspointGroups)
  }

  /// Renders the next frames of the call, with the gains as they are on their way now.
  @_noLocks @_noAllocation
  public func advance(frames: Int) {
    let begun = callFrames &- cursor
    precondition(frames >= 0 && frames <= begun, "no more frames than were begun")
    let grid = GlideLaw.gridFrames
    var left = frames
    while left > 0 {
      bank.moveGrid(to: position)
      bank.refreshLists()
      if bank.state.pointee.areStagesStale { refreshStages() }
      let offset = Int(truncatingIfNeeded: position &- bank.state.pointee.origin)
      // What stands still does not care where the grid lies.
      let count = min(left, bank.isStill ? grid : grid &- offset & (grid &- 1))
      renderSegment(frames: count, offset: offset)
      position &+= Int64(count)
      cursor &+= count
      left &-= count
    }
  }

  /// Ends the call, all of whose frames are rendered.
  @_noLocks @_noAllocation
  public func finish() {
    if bursts.activeCount > 0 { addBursts() }
    meterOutputs()
    cmk_restore_denormals(denormalState)
  }

  @_noLocks @_noAllocation
  private func addBursts() {
    for output in 0..<shape.outputs
    where bursts.add(output: output, to: outputRow(output), frames: cursor) {
      rows.isLoud[output] = 1
    }
  }

  // MARK: A segment: up to 64 frames within which no gain changes its course

  @_noLocks @_noAllocation
  private func renderSegment(frames: Int, offset: Int) {
    let isOff = isMasterOff
    // With the master off only a meter may want to know what is inside.
    if isOff, !hasInnerMeters {
      cmk_zero_rows(bank.kernel, rows.outputs + cursor, rows.pitch, shape.outputs, frames)
      return
    }
    prepareInputs(frames: frames, offset: offset)
    meterCrosspoints(frames: frames, offset: offset)
    for group in 0..<bank.layout.crosspointGroups {
      mix(group: group, frames: frames, offset: offset)
    }
    meterSums(frames: frames)
    if isOff {
      cmk_zero_rows(bank.kernel, rows.outputs + cursor, rows.pitch, shape.outputs, frames)
    } else {
      finishOutputs(frames: frames, offset: offset)
    }
  }

  /// Finds out which heard inputs and which outputs have a gain other than 1.
  ///
  /// An input at unity is read where it lies, an unheard one not at all; when inputs are metered
  /// behind their gains, all of them go there.
  @_noLocks @_noAllocation
  private func refreshStages() {
    bank.state.pointee.areStagesStale = false
    let wantsAll = watches(.inputPost)
    var inputs = 0
    for input in 0..<shape.inputs where wantsAll ? true : bank.activeOfInput[input] > 0 {
      let slot = bank.layout.inputSlot(input)
      let isMoved = wantsAll ? true : bank.isMoving(slot)
      let isGained = isMoved ? true : bank.target[slot] != 1
      rows.sources[input] = UnsafePointer(
        (isGained ? rows.scaled : rows.inputs) + input &* rows.pitch)
      rows.gainedInputs[inputs] = Int32(truncatingIfNeeded: input)
      inputs &+= isGained ? 1 : 0
    }
    var outputs = 0
    for output in 0..<shape.outputs {
      let slot = bank.layout.outputSlot(output)
      let isGained = bank.isMoving(slot) ? true : bank.target[slot] != 1
      rows.gainedOutputs[outputs] = Int32(truncatingIfNeeded: output)
      outputs &+= isGained ? 1 : 0
    }
    rows.gainedCounts.pointee = (inputs, outputs)
  }

  @_noLocks @_noAllocation
  private func prepareInputs(frames: Int, offset: Int) {
    for place in 0..<rows.gainedCounts.pointee.inputs {
      let input = Int(rows.gainedInputs[place])
      let slot = bank.layout.inputSlot(input)
      let from = rows.inputs + (input &* rows.pitch &+ cursor)
      let to = rows.scaled + (input &* rows.pitch &+ cursor)
      if bank.isMoving(slot) {
        glide(slot, from: from, to: to, frames: frames, offset: offset)
      } else {
        cmk_scale(bank.kernel, to, from, bank.target[slot], frames)
      }
    }
  }

  @_noLocks @_noAllocation
  func glide(
    _ slot: Int, from: UnsafeMutablePointer<Float>, to: UnsafeMutablePointer<Float>, frames: Int,
    offset: Int
  ) {
    cmk_glide(
      bank.kernel, to, from, bank.target[slot], bank.a[slot], bank.b[slot],
      bank.law.framePowers + offset, bank.law.scaledFramePowers + offset, frames)
  }

  /// Sums the inputs of four outputs: all targets first, then what glides on top of them.
  @_noLocks @_noAllocation
  private func mix(group: Int, frames: Int, offset: Int) {
    let header = bank.lists.headers[group]
    let firstOutput = 4 &* group
    let laneCount = min(4, shape.outputs &- firstOutput)
    let out = rows.outputs + (firstOutput &* rows.pitch &+ cursor)
    if header.activeCount == 0 {
      cmk_zero_rows(bank.kernel, out, rows.pitch, laneCount, frames)
      return
    }
    let source = CMKRows(rows: rows.sources, at: cursor)
    let firstEntry = bank.layout.firstEntry(ofGroup: group)
    if header.isDense {
      cmk_mix_group(
        bank.kernel, out, rows.pitch, source, bank.lists.active + firstEntry,
        Int(header.activeCount), bank.target + 4 &* firstEntry, frames)
      for lane in 0..<laneCount { rows.isLoud[firstOutput &+ lane] = 1 }
    } else {
      for lane in 0..<laneCount {
        mixSingle(
          output: firstOutput &+ lane, out: out + lane &* rows.pitch, source, frames: frames)
      }
    }
    if header.movingCount == 0 { return }
    let powers = bank.law.framePowers + offset
    let scaledPowers = bank.law.scaledFramePowers + offset
    if header.isMovingDense {
      // A lane that was silent so far is no longer known to be.
      for lane in 0..<laneCount { rows.isLoud[firstOutput &+ lane] = 1 }
      cmk_move_group(
        bank.kernel, out, rows.pitch, source, bank.lists.moving + firstEntry,
        Int(header.movingCount), bank.a + 4 &* firstEntry, bank.b + 4 &* firstEntry, powers,
        scaledPowers, frames)
      return
    }
    for lane in 0..<laneCount {
      let output = firstOutput &+ lane
      let count = Int(bank.lists.movingOfOutputCount[output])
      if count == 0 { continue }
      cmk_move_single(
        bank.kernel, out + lane &* rows.pitch, source,
        bank.lists.movingOfOutput + output &* shape.inputs, count,
        bank.a + (4 &* firstEntry &+ lane), bank.b + (4 &* firstEntry &+ lane), powers,
        scaledPowers, frames)
    }
  }

  @_noLocks @_noAllocation
  private func mixSingle(
    output: Int, out: UnsafeMutablePointer<Float>, _ source: CMKRows, frames: Int
  ) {
    let count = Int(bank.lists.activeOfOutputCount[output])
    if count == 0 {
      cmk_zero_rows(bank.kernel, out, rows.pitch, 1, frames)
      return
    }
    let slot = bank.layout.crosspointSlot(input: 0, output: output)
    cmk_mix_single(
      bank.kernel, out, source, bank.lists.activeOfOutput + output &* shape.inputs, count,
      bank.target + slot, frames)
    rows.isLoud[output] = 1
  }

  /// Applies the output gains and the master, as one factor where both stand still.
  @_noLocks @_noAllocation
  private func finishOutputs(frames: Int, offset: Int) {
    let masterSlot = bank.layout.masterSlot
    if bank.isMoving(masterSlot) {
      glide(masterSlot, from: rows.ones, to: rows.master, frames: frames, offset: offset)
      for output in 0..<shape.outputs {
        finish(output: output, master: 1, frames: frames, offset: offset)
        if rows.isLoud[output] != 0 {
          cmk_multiply(bank.kernel, outputRow(output) + cursor, rows.master, frames)
        }
      }
      return
    }
    let master = bank.target[masterSlot]
    if master != 1 {
      for output in 0..<shape.outputs {
        finish(output: output, master: master, frames: frames, offset: offset)
      }
      return
    }
    for place in 0..<rows.gainedCounts.pointee.outputs {
      let output = Int(rows.gainedOutputs[place])
      finish(output: output, master: 1, frames: frames, offset: offset)
    }
  }

  @_noLocks @_noAllocation
  private func finish(output: Int, master: Float, frames: Int, offset: Int) {
    if rows.isLoud[output] == 0 { return }
    let out = outputRow(output) + cursor
    let slot = bank.layout.outputSlot(output)
    if bank.isMoving(slot) {
      glide(slot, from: out, to: out, frames: frames, offset: offset)
      if master != 1 { cmk_scale(bank.kernel, out, out, master, frames) }
      return
    }
    let gain = bank.target[slot] * master
    if gain != 1 { cmk_scale(bank.kernel, out, out, gain, frames) }
  }
}
