import CMatrixKernel

extension GainBank {
  /// Takes a command from `position` on, whatever the gain did before.
  @_noLocks @_noAllocation
  func apply(_ command: GainCommand, position: Int64) {
    let slot = layout.slot(of: command.gain)
    endFade(slot, position: position)
    endLevel[slot] = command.fade.end
    setFactor(slot, command.factor)
    let next = state.pointee.grid &+ Int64(GlideLaw.gridFrames)
    var fade = command.fade
    if fade.startFrame > position { fade.startFrame = position }
    let level =
      fade.hasEnded(by: next) ? fade.end : startFade(slot, fade, position: position, next: next)
    aim(slot, at: Double(factor[slot]) * level, position: position)
  }

  /// Opens or closes the gate: a factor on the master.
  @_noLocks @_noAllocation
  func setGate(open: Bool, position: Int64) {
    if open == state.pointee.isGateOpen { return }
    state.pointee.isGateOpen = open
    let slot = layout.masterSlot
    factor[slot] = open ? Float(state.pointee.masterFactor) : 0
    aim(slot, at: Double(factor[slot]) * aimedLevel(slot), position: position)
  }

  @_noLocks @_noAllocation
  private func setFactor(_ slot: Int, _ value: Double) {
    if slot == layout.masterSlot {
      state.pointee.masterFactor = value
      factor[slot] = state.pointee.isGateOpen ? Float(value) : 0
    } else {
      factor[slot] = Float(value)
    }
  }

  /// The level at the next grid point, or the one that the gain stands at.
  @_noLocks @_noAllocation
  private func aimedLevel(_ slot: Int) -> Double {
    let entry = slot >> 2
    let bit: UInt8 = 1 << UInt8(truncatingIfNeeded: slot & 3)
    let fades = gains.pointee
    if fades.fadingRatio[entry] & bit != 0 { return fades.fadeLevel[slot] }
    if fades.fadingPolynomial[entry] & bit != 0 {
      let time = fades.fadeTime[slot]
      let way = fades.fadingSmooth[entry] & bit != 0 ? time * time * (3 - 2 * time) : time
      return Double(fades.fadeStart[slot]) + Double(fades.fadeDelta[slot]) * way
    }
    return endLevel[slot]
  }

  /// Sets a fade up for its steps, the first of them at `next`; answers its level there.
  ///
  /// A fading gain counts as moving throughout, even while its factor is 0.
  @_noLocks @_noAllocation
  private func startFade(_ slot: Int, _ fade: Fade, position: Int64, next: Int64) -> Double {
    let entry = slot >> 2
    let bit: UInt8 = 1 << UInt8(truncatingIfNeeded: slot & 3)
    let grid = Double(GlideLaw.gridFrames)
    let time = Double(next &- fade.startFrame) / fade.durationFrames
    let level: Double
    let fades = gains.pointee
    switch fade.curve {
    case .decibels:
      let way = logarithm(fade.wayEnd / fade.wayStart)
      level = fade.wayStart * exponential(time * way)
      fades.fadeLevel[slot] = level
      fades.fadeRatio[slot] = exponential(grid / fade.durationFrames * way)
      fades.fadingRatio[entry] |= bit
    case .linear, .smooth:
      level = fade.level(at: next)
      fades.fadeStart[slot] = Float(fade.start)
      fades.fadeDelta[slot] = Float(fade.end - fade.start)
      fades.fadeTime[slot] = time
      fades.fadeTimeStep[slot] = Float(grid / fade.durationFrames)
      fades.fadingPolynomial[entry] |= bit
      if case .smooth = fade.curve { fades.fadingSmooth[entry] |= bit }
    }
    // The last step is the one whose next grid point the fade has ended by.
    let duration = fade.durationFrames < 1e12 ? fade.durationFrames : 1e12
    var wholeFrames = Int64(duration)
    if Double(wholeFrames) < duration { wholeFrames &+= 1 }
    fades.fadeEndBlock[slot] = GlideLaw.block(atOrAfter: fade.startFrame &+ wholeFrames) &- 1
    settleLater(slot, position: position)
    state.pointee.fadingCount &+= 1
    startMoving(slot)
    markStale(group: layout.group(ofEntry: entry))
    return level
  }

  /// Forgets a fade; what it has set in motion glides on for as long as after any retarget.
  @_noLocks @_noAllocation
  private func endFade(_ slot: Int, position: Int64) {
    let entry = slot >> 2
    let bit: UInt8 = 1 << UInt8(truncatingIfNeeded: slot & 3)
    let fades = gains.pointee
    if (fades.fadingRatio[entry] | fades.fadingPolynomial[entry]) & bit == 0 { return }
    fades.fadingRatio[entry] &= ~bit
    fades.fadingPolynomial[entry] &= ~bit
    fades.fadingSmooth[entry] &= ~bit
    state.pointee.fadingCount &-= 1
    settleLater(slot, position: position)
    markStale(group: layout.group(ofEntry: entry))
  }

  /// Aims every fading gain at its level at the next grid point.
  @_noLocks @_noAllocation
  func stepFades(block: UInt32) {
    let offset = Int(truncatingIfNeeded: state.pointee.grid &- state.pointee.origin)
    let aimA = law.aimA[offset]
    let aimB = law.aimB[offset]
    for group in 0..<layout.groups {
      let firstEntry = layout.firstEntry(ofGroup: group)
      let header = lists.headers[group]
      if header.ratioCount > 0 {
        let list = lists.ratio + firstEntry
        let count = cmk_step_ratio(
          kernel, gains, firstEntry, list, Int(header.ratioCount), aimA, aimB, block, found)
        finishFades(firstEntry, list, count, block)
      }
      if header.polynomialCount > 0 {
        let list = lists.polynomial + firstEntry
        let count = cmk_step_polynomial(
          kernel, gains, firstEntry, list, Int(header.polynomialCount), aimA, aimB, block, found)
        finishFades(firstEntry, list, count, block)
      }
    }
  }

  /// Takes fades whose last step this was to their ends exactly.
  @_noLocks @_noAllocation
  private func finishFades(
    _ firstEntry: Int, _ list: UnsafeMutablePointer<UInt16>, _ count: Int, _ block: UInt32
  ) {
    let fades = gains.pointee
    for place in 0..<count {
      let entry = firstEntry &+ Int(list[Int(found[place])])
      for lane in 0..<4 {
        let slot = 4 &* entry &+ lane
        let bit: UInt8 = 1 << UInt8(truncatingIfNeeded: lane)
        let fading = fades.fadingRatio[entry] | fades.fadingPolynomial[entry]
        if fading & bit == 0 || !GlideLaw.isDue(fades.fadeEndBlock[slot], at: block) { continue }
        endFade(slot, position: state.pointee.grid)
        aim(slot, at: Double(factor[slot]) * endLevel[slot], position: state.pointee.grid)
      }
    }
  }
}
