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
  /// Lanes that glide, by entry.
  let moving: UnsafeMutablePointer<UInt8>
  /// Crosspoint lanes that sound or glide, by entry.
  let active: UnsafeMutablePointer<UInt8>
  /// Active crosspoints of each input.
  let activeOfInput: UnsafeMutablePointer<Int32>
  /// The master's latest command, which it is on while the gate is open.
  let master: UnsafeMutablePointer<CMKCommand>
  /// What the kernel has done since it was last looked at.
  let changes: UnsafeMutablePointer<CMKChanges>

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
    moving = arena.take(layout.entries)
    active = arena.take(layout.entries)
    activeOfInput = arena.take(layout.inputs)
    master = arena.take(1)
    changes = arena.take(1)
    state = arena.take(1)
    gains = arena.take(1)
    state.initialize(to: State())
    gains.initialize(
      to: CMKGains(
        target: target, a: a, b: b, stateA: stateA, stateB: stateB,
        settleBlock: arena.take(slots), fadeLevel: arena.take(slots), fadeStep: arena.take(slots),
        fadeStart: arena.take(slots), fadeRate: arena.take(slots), endTarget: arena.take(slots),
        fadeEndBlock: arena.take(slots), moving: moving,
        fadingRatio: arena.take(layout.entries), fadingGain: arena.take(layout.entries),
        fadingSmooth: arena.take(layout.entries),
        active: active, activeOfInput: activeOfInput, nearestEnd: arena.take(layout.groups),
        isStale: lists.isStale, master: master, inputs: layout.inputs, outputs: layout.outputs))
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
      gains.pointee.fadingGain[entry] = 0
    }
    for input in 0..<layout.inputs { activeOfInput[input] = 0 }
    state.pointee = State()
    master.pointee = masterAtRest
    state.pointee.origin = origin(of: frame)
    state.pointee.grid = frame & ~63
    state.pointee.start = frame
    state.pointee.isStale = true
    for group in 0..<layout.groups { lists.isStale[group] = 1 }
  }

  private var masterAtRest: CMKCommand {
    @_noLocks @_noAllocation get {
      CMKCommand(
        frame: 0, startFrame: 0, durationFrames: 0,
        gain: Int32(truncatingIfNeeded: layout.gainCount &- 1), curve: 0, endsTransaction: true,
        unused: 0, factor: 1, start: 1, end: 1, way: 0)
    }
  }

  @_noLocks @_noAllocation
  func clearGlide(_ slot: Int) {
    a[slot] = 0
    b[slot] = 0
    stateA[slot] = 0
    stateB[slot] = 0
  }

  /// The first frame of the epoch that a frame lies in.
  @_noLocks @_noAllocation
  func origin(of frame: Int64) -> Int64 {
    frame & ~Int64(truncatingIfNeeded: law.epochFrames &- 1)
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
    var nearest = law.settleBlocks
    for group in 0..<layout.groups where lists.headers[group].movingCount > 0 {
      nearest = cmk_settle(
        kernel, gains, group, lists.moving + layout.firstEntry(ofGroup: group),
        Int(lists.headers[group].movingCount), block, nearest, changes)
    }
    takeChanges()
    // A fade that ends in the next block settles no sooner than this.
    state.pointee.nearestSettle = block &+ UInt32(bitPattern: nearest)
  }

  /// Counts what the kernel has done to gains.
  @_noLocks @_noAllocation
  func takeChanges() {
    state.pointee.movingCount &+= changes.pointee.moving
    state.pointee.fadingCount &+= changes.pointee.fading
    if changes.pointee.isStale {
      state.pointee.isStale = true
      state.pointee.areStagesStale = true
    }
    changes.pointee = CMKChanges()
  }

  /// Brings the lists of every group up to date that has changed.
  @_noLocks @_noAllocation
  func refreshLists() {
    if !state.pointee.isStale { return }
    state.pointee.isStale = false
    for group in 0..<layout.groups where lists.isStale[group] != 0 {
      lists.refresh(group: group, active: active, gains: gains)
    }
  }
}
