import CMatrixKernel

extension GainBank {
  /// Takes a command from `position` on, whatever the gain did before.
  @_noLocks @_noAllocation
  func apply(_ command: GainCommand, position: Int64) {
    var fade = command.fade
    if fade.startFrame > position { fade.startFrame = position }
    let slot = layout.slot(of: command.gain)
    if slot == layout.masterSlot {
      state.pointee.masterFactor = command.factor
      state.pointee.masterFade = fade
      if !state.pointee.isGateOpen { return }
    }
    follow(slot, fade, factor: command.factor, position: position)
  }

  /// Opens or closes the gate: a factor on the master.
  ///
  /// Behind a closed gate the master's fade goes on, and is met where it is when the gate opens.
  @_noLocks @_noAllocation
  func setGate(open: Bool, position: Int64) {
    if open == state.pointee.isGateOpen { return }
    state.pointee.isGateOpen = open
    follow(
      layout.masterSlot, state.pointee.masterFade,
      factor: open ? state.pointee.masterFactor : 0, position: position)
  }

  /// Puts a gain on a course that has begun at `position` or before.
  @_noLocks @_noAllocation
  private func follow(_ slot: Int, _ fade: Fade, factor: Double, position: Int64) {
    endFade(slot, position: position)
    let next = state.pointee.grid &+ Int64(GlideLaw.gridFrames)
    if fade.hasEnded(by: next) {
      aim(slot, at: factor * fade.end, position: position)
      return
    }
    endTarget[slot] = factor * fade.end
    let level = startFade(slot, fade, factor: factor, position: position, next: next)
    aim(slot, at: level, position: position)
  }

  /// Sets a fade up for its steps, the first of them at `next`; answers its level there, times the
  /// factor.
  ///
  /// A fading gain counts as moving throughout, even while its factor is 0.
  @_noLocks @_noAllocation
  private func startFade(
    _ slot: Int, _ fade: Fade, factor: Double, position: Int64, next: Int64
  ) -> Double {
    let entry = slot >> 2
    let bit: UInt8 = 1 << UInt8(truncatingIfNeeded: slot & 3)
    // The fade's place at `next`, and how far a grid step takes it, in parts of the whole way.
    let time = Double(next &- fade.startFrame) / fade.durationFrames
    let step = Double(GlideLaw.gridFrames) / fade.durationFrames
    let level: Double
    let fades = gains.pointee
    switch fade.curve {
    case .decibels:
      let way = logarithm(fade.wayEnd / fade.wayStart)
      level = Self.finite(factor * fade.wayStart * exponential(time * way))
      fades.fadeStep[slot] = Self.finite(exponential(step * way))
      fades.fadingRatio[entry] |= bit
    case .linear, .smooth:
      level = Self.finite(factor * fade.level(at: next))
      let delta = Self.finite(factor * (fade.end - fade.start))
      var steps = (step, 0.0, 0.0)
      if case .smooth = fade.curve { steps = Self.smoothSteps(time, step) }
      fades.fadeStep[slot] = delta * steps.0
      fades.fadeSecondStep[slot] = delta * steps.1
      fades.fadeThirdStep[slot] = delta * steps.2
      fades.fadingCubic[entry] |= bit
    }
    fades.fadeLevel[slot] = level
    noteEnd(slot, fade)
    settleLater(slot, position: position)
    state.pointee.fadingCount &+= 1
    startMoving(slot)
    markStale(group: layout.group(ofEntry: entry))
    return level
  }

  /// The first three forward differences of 3 t^2 - 2 t^3.
  ///
  /// The third is constant, so that sums of them give every later value of the curve; in Double
  /// their rounding stays below 1e-9 of the way for as many steps as a fade may have.
  @_noLocks @_noAllocation
  private static func smoothSteps(_ t: Double, _ h: Double) -> (Double, Double, Double) {
    let first = h * (6 * t * (1 - t - h) + h * (3 - 2 * h))
    let second = h * h * (6 - 12 * (t + h))
    return (first, second, -12 * h * h * h)
  }

  @_noLocks @_noAllocation
  private static func finite(_ value: Double) -> Double {
    value.isFinite ? value : 0
  }

  /// Notes the grid block of a fade's last step: the one whose next grid point it has ended by.
  @_noLocks @_noAllocation
  private func noteEnd(_ slot: Int, _ fade: Fade) {
    // Blocks wrap, and only the nearer half of them lies ahead.
    let duration = fade.durationFrames < 0x1p36 ? fade.durationFrames : 0x1p36
    var wholeFrames = Int64(duration)
    if Double(wholeFrames) < duration { wholeFrames &+= 1 }
    let end = GlideLaw.block(atOrAfter: fade.startFrame &+ wholeFrames) &- 1
    gains.pointee.fadeEndBlock[slot] = end
    // One that has passed costs a look and is right again then.
    let group = layout.group(ofEntry: slot >> 2)
    if Int32(bitPattern: end &- nearestEnd[group]) < 0 { nearestEnd[group] = end }
  }

  /// Forgets a fade; what it has set in motion glides on for as long as after any retarget.
  @_noLocks @_noAllocation
  private func endFade(_ slot: Int, position: Int64) {
    let entry = slot >> 2
    let bit: UInt8 = 1 << UInt8(truncatingIfNeeded: slot & 3)
    let fades = gains.pointee
    if (fades.fadingRatio[entry] | fades.fadingCubic[entry]) & bit == 0 { return }
    fades.fadingRatio[entry] &= ~bit
    fades.fadingCubic[entry] &= ~bit
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
      let header = lists.headers[group]
      if header.ratioCount | header.cubicCount == 0 { continue }
      // First: a step beyond the end of a short fade may lead anywhere.
      if GlideLaw.isDue(nearestEnd[group], at: block) { finishFades(group: group, block: block) }
      let firstEntry = layout.firstEntry(ofGroup: group)
      if header.ratioCount > 0 {
        cmk_step_ratio(
          kernel, gains, firstEntry, lists.ratio + firstEntry, Int(header.ratioCount), aimA, aimB)
      }
      if header.cubicCount > 0 {
        cmk_step_cubic(
          kernel, gains, firstEntry, lists.cubic + firstEntry, Int(header.cubicCount), aimA, aimB)
      }
    }
  }

  /// Takes fades whose last step this is to their ends exactly.
  @_noLocks @_noAllocation
  private func finishFades(group: Int, block: UInt32) {
    let header = lists.headers[group]
    let firstEntry = layout.firstEntry(ofGroup: group)
    // Half of all blocks lie ahead; where nothing fades any more the nearest end is half that far.
    var nearest: Int32 = 0x3fff_ffff
    finishFades(
      firstEntry, lists.ratio + firstEntry, Int(header.ratioCount), block, &nearest)
    finishFades(
      firstEntry, lists.cubic + firstEntry, Int(header.cubicCount), block, &nearest)
    nearestEnd[group] = block &+ UInt32(bitPattern: nearest)
  }

  @_noLocks @_noAllocation
  private func finishFades(
    _ firstEntry: Int, _ list: UnsafeMutablePointer<UInt16>, _ listCount: Int, _ block: UInt32,
    _ nearest: inout Int32
  ) {
    let fades = gains.pointee
    let count = cmk_find_ended(
      kernel, gains, firstEntry, list, listCount, block, found, &nearest)
    for place in 0..<count {
      let entry = firstEntry &+ Int(list[Int(found[place])])
      for lane in 0..<4 {
        let slot = 4 &* entry &+ lane
        let bit: UInt8 = 1 << UInt8(truncatingIfNeeded: lane)
        let fading = fades.fadingRatio[entry] | fades.fadingCubic[entry]
        if fading & bit == 0 || !GlideLaw.isDue(fades.fadeEndBlock[slot], at: block) { continue }
        endFade(slot, position: state.pointee.grid)
        aim(slot, at: endTarget[slot], position: state.pointee.grid)
      }
    }
  }
}
