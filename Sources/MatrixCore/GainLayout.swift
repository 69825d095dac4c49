/// Where gains lie in memory: entries of four neighbours, in groups.
///
/// A crosspoint group is four outputs and has an entry per input; the last group holds the stages:
/// inputs, outputs, master, each from a new entry on. A gain's slot is 4 x its entry + its lane.
struct GainLayout {
  let inputs: Int
  let outputs: Int
  /// Groups of four outputs; the last may be part empty.
  let crosspointGroups: Int
  let inputStageEntry: Int
  let outputStageEntry: Int
  let masterEntry: Int

  init(shape: MatrixShape) {
    inputs = shape.inputs
    outputs = shape.outputs
    crosspointGroups = (outputs + 3) / 4
    inputStageEntry = crosspointGroups * inputs
    outputStageEntry = inputStageEntry + (inputs + 3) / 4
    masterEntry = outputStageEntry + crosspointGroups
  }

  var entries: Int { @_noLocks @_noAllocation get { masterEntry + 1 } }
  var slots: Int { @_noLocks @_noAllocation get { 4 * entries } }
  var groups: Int { @_noLocks @_noAllocation get { crosspointGroups + 1 } }
  var gainCount: Int { @_noLocks @_noAllocation get { inputs * outputs + inputs + outputs + 1 } }
  var masterSlot: Int { @_noLocks @_noAllocation get { 4 * masterEntry } }

  /// The first entry of a group.
  @_noLocks @_noAllocation
  func firstEntry(ofGroup group: Int) -> Int { group * inputs }

  /// How many entries a group has.
  @_noLocks @_noAllocation
  func entryCount(ofGroup group: Int) -> Int {
    group < crosspointGroups ? inputs : entries - inputStageEntry
  }

  @_noLocks @_noAllocation
  func inputSlot(_ input: Int) -> Int { 4 * inputStageEntry + input }

  @_noLocks @_noAllocation
  func outputSlot(_ output: Int) -> Int { 4 * outputStageEntry + output }

  @_noLocks @_noAllocation
  func crosspointSlot(input: Int, output: Int) -> Int {
    4 * ((output >> 2) * inputs + input) + (output & 3)
  }

  /// The slot of a gain in the flat numbering that every module shares.
  @_noLocks @_noAllocation
  func slot(of gain: GainID) -> Int {
    let index = Int(gain.index)
    let crosspoints = inputs &* outputs
    if index < crosspoints {
      let input = index / outputs
      return crosspointSlot(input: input, output: index &- input &* outputs)
    }
    let channel = index &- crosspoints
    if channel < inputs { return inputSlot(channel) }
    if channel < inputs &+ outputs { return outputSlot(channel &- inputs) }
    return masterSlot
  }
}
