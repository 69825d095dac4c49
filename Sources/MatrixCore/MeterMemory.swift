/// What the meters have gathered: peaks, sums of squares, and over how many frames.
struct MeterMemory {
  let channels: Int
  let peaks: UnsafeMutablePointer<Float>
  let sums: UnsafeMutablePointer<Double>
  let frames: UnsafeMutablePointer<Int>

  init(channels: Int, arena: Arena) {
    self.channels = channels
    peaks = arena.take(channels)
    sums = arena.take(channels)
    frames = arena.take(1)
  }

  @_noLocks @_noAllocation
  func reset() {
    for channel in 0..<channels {
      peaks[channel] = 0
      sums[channel] = 0
    }
    frames.pointee = 0
  }
}
