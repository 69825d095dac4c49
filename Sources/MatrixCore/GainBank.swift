import CMatrixKernel

/// Every gain of a matrix as it sounds: targets, glides and fades, on the absolute frame grid.
///
/// Only pointers and sizes: the renderer that made it owns the memory and says which thread it is.
struct GainBank {
  /// What changes beside the gains themselves.
  struct State {
    /// The first frame of the epoch that the glides are told from.
    var origin: Int64 = 0
    /// The grid point that fades have stepped on and glides have ended on.
    var grid: Int64 = 0
    /// A block before which no glide ends.
    var nearestSettle: UInt32 = 0
    /// The frame on which the stream started.
    var start: Int64 = 0
    /// Lanes that glide.
    var movingCount = 0
    /// Lanes with a fade.
    var fadingCount = 0
    /// Whether some group's lists are out of date.
    var isStale = false
    /// Whether what the renderer knows of the stages is out of date.
    var areStagesStale = true
    /// What the master's factor is while the gate is open.
    var masterFactor = 1.0
    /// The course that the master is on while the gate is open.
    var masterFade = Fade(steady: 1)
    /// Whether the gate is open; closed, it makes the master's factor 0.
    var isGateOpen = true
  }

  let layout: GainLayout
  let law: GlideLaw
  let kernel: OpaquePointer
  let lists: GainLists
  let state: UnsafeMutablePointer<State>
  let gains: UnsafeMutablePointer<CMKGains>

  let target: UnsafeMutablePointer<Float>
  let a: UnsafeMutablePointer<Float>
  let b: UnsafeMutablePointer<Float>
  let stateA: UnsafeMutablePointer<Double>
  let stateB: UnsafeMutablePointer<Double>
  let settleBlock: UnsafeMutablePointer<UInt32>
  /// What a fading gain aims at in the end.
  let endTarget: UnsafeMutablePointer<Double>
  /// A block before which no fade of a group ends.
  let nearestEnd: UnsafeMutablePointer<UInt32>
  /// Lanes that glide, by entry.
  let moving: UnsafeMutablePointer<UInt8>
  /// Crosspoint lanes that sound or glide, by entry.
  let active: UnsafeMutablePointer<UInt8>
  /// Active crosspoints of each input.
  let activeOfInput: UnsafeMutablePointer<Int32>
  /// Where the kernel names the entries that need a look.
  let found: UnsafeMutablePointer<UInt16>

  init(layout: GainLayout, law: GlideLaw, kernel: OpaquePointer, arena: Arena) {
    let slots = layout.slots
    self.layout = layout
    self.law = law
    self.kernel = kernel
    lists = GainLists(layout: layout, arena: arena)
    target = arena.take(slots)
    a = arena.take(slots)
    b = arena.take(slots)
    stateA = arena.take(slots)
    stateB = arena.take(slots)
    settleBlock = arena.take(slots)
    endTarget = arena.take(slots)
    nearestEnd = arena.take(layout.groups)
    moving = arena.take(layout.entries)
    active = arena.take(layout.entries)
    activeOfInput = arena.take(layout.inputs)
    found = arena.take(layout.entries + 1)
    state = arena.take(1)
    gains = arena.take(1)
    state.initialize(to: State())
    gains.initialize(
      to: CMKGains(
        target: target, a: a, b: b, stateA: stateA, stateB: stateB, settleBlock: settleBlock,
        fadeLevel: arena.take(slots), fadeStep: arena.take(slots),
        fadeSecondStep: arena.take(slots), fadeThirdStep: arena.take(slots),
        fadeEndBlock: arena.take(slots), moving: moving, fadingRatio: arena.take(layout.entries),
        fadingCubic: arena.take(layout.entries)))
  }

  /// Whether nothing glides and nothing fades.
  var isStill: Bool {
    @_noLocks @_noAllocation get {
      state.pointee.movingCount == 0 && state.pointee.fadingCount == 0
    }
  }

  /// Whether the gain in a slot glides.
  @_noLocks @_noAllocation
  func isMoving(_ slot: Int) -> Bool {
    moving[slot >> 2] & (1 << UInt8(truncatingIfNeeded: slot & 3)) != 0
  }

  /// Makes everything silent at a frame: crosspoints off, stages at unity, no glide, no fade.
  @_noLocks @_noAllocation
  func restart(atFrame frame: Int64) {
    for slot in 0..<layout.slots {
      target[slot] = slot >= 4 * layout.inputStageEntry ? 1 : 0
      clearGlide(slot)
    }
    for entry in 0..<layout.entries {
      moving[entry] = 0
      active[entry] = 0
      gains.pointee.fadingRatio[entry] = 0
      gains.pointee.fadingCubic[entry] = 0
    }
    for input in 0..<layout.inputs { activeOfInput[input] = 0 }
    state.pointee = State()
    state.pointee.origin = origin(of: frame)
    state.pointee.grid = frame & ~63
    state.pointee.start = frame
    for group in 0..<layout.groups { markStale(group: group) }
  }

  @_noLocks @_noAllocation
  func clearGlide(_ slot: Int) {
    a[slot] = 0
    b[slot] = 0
    stateA[slot] = 0
    stateB[slot] = 0
  }

  @_noLocks @_noAllocation
  func markStale(group: Int) {
    lists.headers[group].isStale = true
    state.pointee.isStale = true
    state.pointee.areStagesStale = true
  }

  /// Aims a gain at a target from `position` on, which lies in the block of the last grid point.
  ///
  /// On the frame on which the stream starts, a stage takes its target at once.
  @_noLocks @_noAllocation
  func aim(_ slot: Int, at wanted: Double, position: Int64) {
    let before = target[slot]
    let after = Self.audible(wanted)
    if position == state.pointee.start, slot >= 4 * layout.inputStageEntry {
      target[slot] = after
      clearGlide(slot)
      state.pointee.areStagesStale = true
      return
    }
    if before == after { return }
    let change = Double(before) - Double(after)
    let offset = Int(truncatingIfNeeded: position &- state.pointee.origin)
    stateA[slot] += change * law.aimA[offset]
    stateB[slot] += change * law.aimB[offset]
    target[slot] = after
    a[slot] = Float(stateA[slot])
    b[slot] = Float(stateB[slot])
    settleLater(slot, position: position)
    startMoving(slot)
  }

  /// What the kernel multiplies by: nothing that is not finite, and no denormals.
  @_noLocks @_noAllocation
  static func audible(_ gain: Double) -> Float {
    let value = Float(gain)
    return value.magnitude >= Float.leastNormalMagnitude && value.isFinite ? value : 0
  }

  @_noLocks @_noAllocation
  func startMoving(_ slot: Int) {
    let entry = slot >> 2
    let bit: UInt8 = 1 << UInt8(truncatingIfNeeded: slot & 3)
    if moving[entry] & bit != 0 { return }
    moving[entry] |= bit
    state.pointee.movingCount &+= 1
    let group = layout.group(ofEntry: entry)
    if group < layout.crosspointGroups, active[entry] & bit == 0 {
      active[entry] |= bit
      activeOfInput[entry &- layout.firstEntry(ofGroup: group)] &+= 1
    }
    markStale(group: group)
  }

  /// The first frame of the epoch that a frame lies in.
  @_noLocks @_noAllocation
  func origin(of frame: Int64) -> Int64 {
    frame & ~Int64(truncatingIfNeeded: law.epochFrames &- 1)
  }

  /// Puts the end of a gain's glide off, after a retarget on `position`.
  @_noLocks @_noAllocation
  func settleLater(_ slot: Int, position: Int64) {
    let block = law.settleBlock(retargetedOn: position)
    settleBlock[slot] = block
    // Later retargets end later, so only the first can be the nearest.
    if state.pointee.movingCount == 0 { state.pointee.nearestSettle = block }
  }

  /// Comes to the grid block of `position`: glides that are due end, fades step.
  ///
  /// Called at every grid point while anything moves.
  @_noLocks @_noAllocation
  func moveGrid(to position: Int64) {
    let grid = position & ~63
    if grid == state.pointee.grid { return }
    state.pointee.grid = grid
    let origin = origin(of: position)
    if isStill {
      state.pointee.origin = origin
      return
    }
    refreshLists()
    if origin != state.pointee.origin {
      state.pointee.origin = origin
      rebase()
    }
    let block = GlideLaw.block(of: grid)
    if GlideLaw.isDue(state.pointee.nearestSettle, at: block) { settle(block: block) }
    if state.pointee.fadingCount > 0 { stepFades(block: block) }
  }

  @_noLocks @_noAllocation
  private func rebase() {
    for group in 0..<layout.groups where lists.headers[group].movingCount > 0 {
      let firstEntry = layout.firstEntry(ofGroup: group)
      cmk_rebase(
        kernel, gains, firstEntry, lists.moving + firstEntry,
        Int(lists.headers[group].movingCount), law.epochDecay, Double(law.epochFrames))
    }
  }

  @_noLocks @_noAllocation
  private func settle(block: UInt32) {
    var nearest = Int32.max
    for group in 0..<layout.groups where lists.headers[group].movingCount > 0 {
      let firstEntry = layout.firstEntry(ofGroup: group)
      let list = lists.moving + firstEntry
      let count = cmk_find_due(
        kernel, gains, firstEntry, list, Int(lists.headers[group].movingCount), block, found,
        &nearest)
      for place in 0..<count {
        settle(entry: firstEntry &+ Int(list[Int(found[place])]), group: group, block: block)
      }
    }
    // A fade that ends in the next block settles no sooner than this.
    state.pointee.nearestSettle = block &+ UInt32(bitPattern: min(nearest, law.settleBlocks))
  }

  @_noLocks @_noAllocation
  private func settle(entry: Int, group: Int, block: UInt32) {
    let fading = gains.pointee.fadingRatio[entry] | gains.pointee.fadingCubic[entry]
    let moving = self.moving
    for lane in 0..<4 {
      let slot = 4 &* entry &+ lane
      let bit: UInt8 = 1 << UInt8(truncatingIfNeeded: lane)
      if moving[entry] & ~fading & bit == 0 || !GlideLaw.isDue(settleBlock[slot], at: block) {
        continue
      }
      moving[entry] &= ~bit
      state.pointee.movingCount &-= 1
      clearGlide(slot)
      if active[entry] & bit != 0, target[slot] == 0 {
        active[entry] &= ~bit
        activeOfInput[entry &- layout.firstEntry(ofGroup: group)] &-= 1
      }
    }
    markStale(group: group)
  }

  /// Brings the lists of every group up to date that has changed.
  @_noLocks @_noAllocation
  func refreshLists() {
    if !state.pointee.isStale { return }
    state.pointee.isStale = false
    for group in 0..<layout.groups where lists.headers[group].isStale {
      lists.refresh(group: group, active: active, gains: gains)
    }
  }
}
