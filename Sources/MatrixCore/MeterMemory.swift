/// What the meters have gathered: peaks, sums of squares, and over how many frames.
///
/// Inputs from place 0, outputs from `firstOutput`, both in whole fours.
struct MeterMemory {
  let inputs: Int
  let firstOutput: Int
  let places: Int
  let peaks: UnsafeMutablePointer<Float>
  let sums: UnsafeMutablePointer<Double>
  let frames: UnsafeMutablePointer<Int>

  init(shape: MatrixShape, arena: Arena) {
    inputs = shape.inputs
    firstOutput = (shape.inputs + 3) / 4 * 4
    places = firstOutput + (shape.outputs + 3) / 4 * 4
    peaks = arena.take(places)
    sums = arena.take(places)
    frames = arena.take(1)
  }

  /// The place of a channel: inputs first, then outputs.
  @_noLocks @_noAllocation
  func place(of channel: Int) -> Int {
    channel < inputs ? channel : firstOutput &+ channel &- inputs
  }

  @_noLocks @_noAllocation
  func reset() {
    for place in 0..<places {
      peaks[place] = 0
      sums[place] = 0
    }
    frames.pointee = 0
  }
}
