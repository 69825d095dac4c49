import CMatrixKernel

/// The planar samples of a render call.
struct RowMemory {
  /// From one row to the next, in frames: an odd number of cache lines, so that the rows spread
  /// evenly over the sets of a cache.
  let pitch: Int
  /// A multiple of four rows, for the meters.
  let inputs: UnsafeMutablePointer<Float>
  /// Inputs after their gain, where that is not unity; a multiple of four rows.
  let scaled: UnsafeMutablePointer<Float>
  /// Four rows for every group, so that the last may be part empty.
  let outputs: UnsafeMutablePointer<Float>
  /// Where each input is read from in a segment.
  let sources: UnsafeMutablePointer<UnsafePointer<Float>>
  /// Heard inputs whose gain is not plainly 1, as long as the bank does not say otherwise.
  let gainedInputs: UnsafeMutablePointer<Int32>
  /// Outputs whose gain is not plainly 1, likewise.
  let gainedOutputs: UnsafeMutablePointer<Int32>
  /// How many of both there are.
  let gainedCounts: UnsafeMutablePointer<(inputs: Int, outputs: Int)>
  /// Not 0 for outputs that were not plainly silent in this call.
  let isLoud: UnsafeMutablePointer<UInt8>
  /// A segment of each watched crosspoint.
  let watched: UnsafeMutablePointer<Float>
  /// The master's course over a segment.
  let master: UnsafeMutablePointer<Float>
  /// A row of ones, from which a course is made.
  let ones: UnsafeMutablePointer<Float>

  /// From one watched crosspoint's segment to the next, in frames.
  static var watchedPitch: Int {
    @_noLocks @_noAllocation get { GlideLaw.gridFrames &+ Int(CMK_OVERRUN) }
  }

  init(layout: GainLayout, maximumFrames: Int, arena: Arena) {
    let lineFrames = 16
    let lines = (maximumFrames + Int(CMK_OVERRUN) + lineFrames - 1) / lineFrames
    pitch = (lines | 1) * lineFrames
    let paddedOutputs = 4 * layout.crosspointGroups
    inputs = arena.take((layout.inputs + 3) / 4 * 4 * pitch)
    scaled = arena.take((layout.inputs + 3) / 4 * 4 * pitch)
    outputs = arena.take(paddedOutputs * pitch)
    sources = UnsafeMutableRawPointer(arena.take(layout.inputs, of: Int.self))
      .bindMemory(to: UnsafePointer<Float>.self, capacity: layout.inputs)
    for input in 0..<layout.inputs { sources[input] = UnsafePointer(inputs + input * pitch) }
    gainedInputs = arena.take(layout.inputs)
    gainedOutputs = arena.take(layout.outputs)
    gainedCounts = UnsafeMutableRawPointer(arena.take(2, of: Int.self))
      .bindMemory(to: (inputs: Int, outputs: Int).self, capacity: 1)
    isLoud = arena.take(paddedOutputs)
    watched = arena.take(MeterPoint.maximumCrosspoints * Self.watchedPitch)
    master = arena.take(2 * GlideLaw.gridFrames)
    ones = arena.take(2 * GlideLaw.gridFrames)
    ones.initialize(repeating: 1, count: 2 * GlideLaw.gridFrames)
  }
}
