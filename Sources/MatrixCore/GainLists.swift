import CMatrixKernel

/// Which inputs each group of outputs has to look at, kept as lists for the inner loops.
struct GainLists {
  /// One group's list lengths, and how it is mixed.
  struct Header {
    /// Inputs that any of the four outputs hears.
    var activeCount: Int32 = 0
    /// Entries in which a gain glides.
    var movingCount: Int32 = 0
    /// Entries in which a gain fades in decibels.
    var ratioCount: Int32 = 0
    /// Entries in which a gain fades in linear gain.
    var gainCount: Int32 = 0
    /// Whether the four outputs are mixed together, or one by one because few gains are active.
    var isDense = false
    /// The same for the gliding part.
    var isMovingDense = false
  }

  let layout: GainLayout
  let headers: UnsafeMutablePointer<Header>
  /// Whether the lists of a group are out of date: then not 0.
  let isStale: UnsafeMutablePointer<UInt8>
  // By first entry of the group.
  let active: UnsafeMutablePointer<UInt16>
  let moving: UnsafeMutablePointer<UInt16>
  let ratio: UnsafeMutablePointer<UInt16>
  let gain: UnsafeMutablePointer<UInt16>
  // By output x inputs.
  let activeOfOutput: UnsafeMutablePointer<UInt16>
  let movingOfOutput: UnsafeMutablePointer<UInt16>
  let activeOfOutputCount: UnsafeMutablePointer<Int32>
  let movingOfOutputCount: UnsafeMutablePointer<Int32>

  init(layout: GainLayout, arena: Arena) {
    self.layout = layout
    let paddedOutputs = 4 * layout.crosspointGroups
    headers = arena.take(layout.groups)
    headers.initialize(repeating: Header(), count: layout.groups)
    isStale = arena.take(layout.groups)
    active = arena.take(layout.entries)
    moving = arena.take(layout.entries)
    ratio = arena.take(layout.entries)
    gain = arena.take(layout.entries)
    activeOfOutput = arena.take(paddedOutputs * layout.inputs)
    movingOfOutput = arena.take(paddedOutputs * layout.inputs)
    activeOfOutputCount = arena.take(paddedOutputs)
    movingOfOutputCount = arena.take(paddedOutputs)
  }

  /// Lists a group's entries anew from the masks.
  @_noLocks @_noAllocation
  func refresh(
    group: Int, active activeMasks: UnsafeMutablePointer<UInt8>,
    gains: UnsafeMutablePointer<CMKGains>
  ) {
    let firstEntry = layout.firstEntry(ofGroup: group)
    let entryCount = layout.entryCount(ofGroup: group)
    let fades = gains.pointee
    var header = Header()
    isStale[group] = 0
    header.ratioCount = list(fades.fadingRatio, firstEntry, entryCount, into: ratio).count
    header.gainCount = list(fades.fadingGain, firstEntry, entryCount, into: gain).count
    let moves = list(fades.moving, firstEntry, entryCount, into: moving)
    header.movingCount = moves.count
    if group < layout.crosspointGroups {
      let sounds = list(activeMasks, firstEntry, entryCount, into: active)
      header.activeCount = sounds.count
      header.isDense = isDense(sounds)
      header.isMovingDense = isDense(moves)
      if !header.isDense {
        split(
          activeMasks + firstEntry, active + firstEntry, sounds.count, group, into: activeOfOutput,
          counts: activeOfOutputCount)
      }
      if !header.isMovingDense {
        split(
          fades.moving + firstEntry, moving + firstEntry, moves.count, group, into: movingOfOutput,
          counts: movingOfOutputCount)
      }
    }
    headers[group] = header
  }

  /// Lists the entries with a bit set, ascending; answers how many they are, and their bits.
  @_noLocks @_noAllocation
  private func list(
    _ masks: UnsafeMutablePointer<UInt8>, _ firstEntry: Int, _ entryCount: Int,
    into list: UnsafeMutablePointer<UInt16>
  ) -> (count: Int32, bits: Int) {
    var bits = 0
    let count = cmk_list(masks + firstEntry, entryCount, list + firstEntry, &bits)
    return (Int32(truncatingIfNeeded: count), bits)
  }

  /// Whether four outputs are mixed together: when at least half of the gains between the listed
  /// inputs and them have their bit set.
  @_noLocks @_noAllocation
  private func isDense(_ listed: (count: Int32, bits: Int)) -> Bool {
    listed.bits &* 2 >= 4 &* Int(listed.count)
  }

  /// Lists the inputs of each output of a group.
  @_noLocks @_noAllocation
  private func split(
    _ masks: UnsafeMutablePointer<UInt8>, _ list: UnsafeMutablePointer<UInt16>, _ count: Int32,
    _ group: Int, into lists: UnsafeMutablePointer<UInt16>, counts: UnsafeMutablePointer<Int32>
  ) {
    for lane in 0..<4 {
      let output = 4 &* group &+ lane
      let bit: UInt8 = 1 << UInt8(truncatingIfNeeded: lane)
      let own = lists + output &* layout.inputs
      var ownCount = 0
      for place in 0..<Int(count) {
        let input = list[place]
        if masks[Int(input)] & bit != 0 {
          own[ownCount] = input
          ownCount &+= 1
        }
      }
      counts[output] = Int32(truncatingIfNeeded: ownCount)
    }
  }
}
