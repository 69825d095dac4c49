import CMatrixKernel

extension Renderer {
  // MARK: A render call

  /// Begins a call of so many frames, whose input rows are filled, and meters the inputs.
  @_noLocks @_noAllocation
  public func begin(frames: Int) {
    let room = maximumFrames
    precondition(frames >= 0 && frames <= room, "no more frames than there is room for")
    callFrames = frames
    cursor = 0
    denormalState = cmk_flush_denormals()
    cmk_measure_rows(
      bank.kernel, rows.inputs, rows.pitch, shape.inputs, nil, frames, meters.peaks, meters.sums)
    for output in 0..<shape.outputs { rows.isLoud[output] = 0 }
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
      let offset = Int(truncatingIfNeeded: position &- bank.state.pointee.origin)
      // What stands still does not care where the grid lies.
      let count = min(left, bank.isStill ? grid : grid &- offset & (grid &- 1))
      renderSegment(frames: count, offset: offset)
      position &+= Int64(count)
      cursor &+= count
      left &-= count
    }
  }

  /// Ends the call, all of whose frames are rendered, and meters the outputs.
  @_noLocks @_noAllocation
  public func finish() {
    cmk_measure_rows(
      bank.kernel, rows.outputs, rows.pitch, shape.outputs, rows.isLoud, cursor,
      meters.peaks + shape.inputs, meters.sums + shape.inputs)
    meters.frames.pointee &+= cursor
    cmk_restore_denormals(denormalState)
  }

  // MARK: A segment: up to 64 frames within which no gain changes its course

  @_noLocks @_noAllocation
  private func renderSegment(frames: Int, offset: Int) {
    if isMasterOff {
      cmk_zero_rows(rows.outputs + cursor, rows.pitch, shape.outputs, frames)
      return
    }
    prepareInputs(frames: frames, offset: offset)
    for group in 0..<bank.layout.crosspointGroups {
      mix(group: group, frames: frames, offset: offset)
    }
    finishOutputs(frames: frames, offset: offset)
  }

  /// Applies the input gains; an input at unity is read where it lies, an unheard one not at all.
  @_noLocks @_noAllocation
  private func prepareInputs(frames: Int, offset: Int) {
    for input in 0..<shape.inputs where bank.activeOfInput[input] > 0 {
      let slot = bank.layout.inputSlot(input)
      let row = rows.inputs + input &* rows.pitch
      let scaled = rows.scaled + input &* rows.pitch
      if bank.isMoving(slot) {
        glide(slot, from: row + cursor, to: scaled + cursor, frames: frames, offset: offset)
      } else if bank.target[slot] == 1 {
        rows.sources[input] = UnsafePointer(row)
        continue
      } else {
        cmk_scale(bank.kernel, scaled + cursor, row + cursor, bank.target[slot], frames)
      }
      rows.sources[input] = UnsafePointer(scaled)
    }
  }

  @_noLocks @_noAllocation
  private func glide(
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
      cmk_zero_rows(out, rows.pitch, laneCount, frames)
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
      cmk_zero_rows(out, rows.pitch, 1, frames)
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
    let isMasterMoving = bank.isMoving(masterSlot)
    let master = bank.target[masterSlot]
    if isMasterMoving {
      glide(masterSlot, from: rows.ones, to: rows.master, frames: frames, offset: offset)
    }
    for output in 0..<shape.outputs where rows.isLoud[output] != 0 {
      let out = rows.outputs + (output &* rows.pitch &+ cursor)
      let slot = bank.layout.outputSlot(output)
      if bank.isMoving(slot) {
        glide(slot, from: out, to: out, frames: frames, offset: offset)
        if !isMasterMoving, master != 1 { cmk_scale(bank.kernel, out, out, master, frames) }
      } else {
        let gain = isMasterMoving ? bank.target[slot] : bank.target[slot] * master
        if gain != 1 { cmk_scale(bank.kernel, out, out, gain, frames) }
      }
      if isMasterMoving { cmk_multiply(bank.kernel, out, rows.master, frames) }
    }
  }
}
