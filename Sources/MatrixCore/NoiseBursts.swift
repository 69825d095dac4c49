import Glibc

/// Soft bursts of noise by which somebody finds out which loudspeaker an output is.
///
/// Pink noise of -30 dBFS (root mean square) that never exceeds -20 dBFS, for one second, with
/// ramps of 100 ms at both ends; the same samples each time. One thread at a time; only `init`
/// allocates.
struct NoiseBursts {
  /// Where one output's burst is, and its generator.
  private struct Burst {
    /// The next frame of the burst, or -1 while there is none.
    var place = -1
    var seed: UInt32 = 0
    var slow: Float = 0
    var middle: Float = 0
    var fast: Float = 0
  }

  /// How long a burst is, in seconds.
  static var seconds: Double { 1 }
  /// How long each of its ramps is, in seconds.
  static var rampSeconds: Double { 0.1 }
  /// Above this no sample of a burst ever is: -20 dBFS.
  static var limit: Float { @_noLocks @_noAllocation get { 0.1 } }
  /// From the filtered noise, whose root mean square is 1.72, to -30 dBFS.
  private static var scale: Float { @_noLocks @_noAllocation get { 0.018_38 } }

  private let bursts: UnsafeMutablePointer<Burst>
  private let ramp: UnsafeMutablePointer<Float>
  private let active: UnsafeMutablePointer<Int>
  private let outputs: Int
  private let frames: Int
  private let rampFrames: Int

  init(outputs: Int, rate: Double, arena: Arena) {
    self.outputs = outputs
    rampFrames = Int((Self.rampSeconds * rate).rounded(.up))
    frames = max(Int((Self.seconds * rate).rounded()), 2 * rampFrames)
    bursts = arena.take(outputs)
    bursts.initialize(repeating: Burst(), count: outputs)
    ramp = arena.take(rampFrames)
    active = arena.take(1)
    for frame in 0..<rampFrames {
      let part = (Double(frame) + 0.5) / Double(rampFrames)
      ramp[frame] = Float(0.5 - 0.5 * cos(part * .pi))
    }
  }

  /// How many outputs have a burst.
  var activeCount: Int { @_noLocks @_noAllocation get { active.pointee } }

  /// Begins a burst; one that is under way goes on from where it is as if it had just come up.
  @_noLocks @_noAllocation
  func start(output: Int) {
    if output < 0 || output >= outputs { return }
    let place = bursts[output].place
    if place < 0 {
      bursts[output] = Burst()
      bursts[output].place = 0
      bursts[output].seed = 0x2545_f491
      active.pointee &+= 1
    } else if place >= frames &- rampFrames {
      bursts[output].place = frames &- 1 &- place
    } else if place > rampFrames {
      bursts[output].place = rampFrames
    }
  }

  /// Lets every burst fade out from where it is.
  @_noLocks @_noAllocation
  func release() {
    if active.pointee == 0 { return }
    for output in 0..<outputs where bursts[output].place >= 0 {
      let place = bursts[output].place
      if place < rampFrames {
        bursts[output].place = frames &- place
        if place == 0 { end(output) }
      } else if place < frames &- rampFrames {
        bursts[output].place = frames &- rampFrames
      }
    }
  }

  /// Forgets every burst.
  @_noLocks @_noAllocation
  func clear() {
    for output in 0..<outputs { bursts[output].place = -1 }
    active.pointee = 0
  }

  /// Adds the next frames of an output's burst to its row; false when it has none.
  @_noLocks @_noAllocation
  func add(output: Int, to row: UnsafeMutablePointer<Float>, frames count: Int) -> Bool {
    var burst = bursts[output]
    if burst.place < 0 { return false }
    let last = min(count, frames &- burst.place)
    for frame in 0..<last {
      row[frame] += Self.sample(&burst) * level(at: burst.place)
      burst.place &+= 1
    }
    bursts[output] = burst
    if burst.place >= frames { end(output) }
    return true
  }

  @_noLocks @_noAllocation
  private func end(_ output: Int) {
    bursts[output].place = -1
    active.pointee &-= 1
  }

  @_noLocks @_noAllocation
  private func level(at place: Int) -> Float {
    if place < rampFrames { return ramp[place] }
    if place >= frames &- rampFrames { return ramp[frames &- 1 &- place] }
    return 1
  }

  /// White noise by Marsaglia's xorshift, made pink by the filter of three poles of Paul Kellet.
  @inline(__always) @_noLocks @_noAllocation
  private static func sample(_ burst: inout Burst) -> Float {
    burst.seed ^= burst.seed &<< 13
    burst.seed ^= burst.seed &>> 17
    burst.seed ^= burst.seed &<< 5
    let white = Float(Int32(bitPattern: burst.seed)) * 0x1p-31
    burst.slow = 0.997_65 * burst.slow + white * 0.099_046
    burst.middle = 0.963 * burst.middle + white * 0.296_516_4
    burst.fast = 0.57 * burst.fast + white * 1.052_691_3
    let pink = (burst.slow + burst.middle + burst.fast + white * 0.184_8) * scale
    return pink > limit ? limit : (pink < -limit ? -limit : pink)
  }
}
