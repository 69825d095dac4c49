/// The numbers of the default smoothing: two equal one-poles in series, exact at every frame.
///
/// With u0 and w0 the two poles before a change to the target T, and k = 1 on the change's own
/// frame, the second pole is w(k) = T + r^k ((w0 - T) + k (1-r) (u0 - T)), r = exp(-1/(tau rate)).
/// So inside a block every gain is T + A r^k + B k r^k, with powers that all gains share.
struct GlideLaw {
  /// The grid to which every state is tied, in frames.
  static var gridFrames: Int { @_noLocks @_noAllocation get { 64 } }
  /// A glide is over this many time constants after its last retarget.
  static var settleTimeConstants: Double { 22 }

  /// 1 - r.
  let oneMinusR: Double
  /// r^64.
  let blockDecay: Double
  /// How long a glide lasts before it ends exactly, in frames.
  let settleFrames: Int64
  /// r^k for k = 0...64.
  let powers: UnsafeMutablePointer<Double>
  /// r^-k for k = 0...64.
  let inversePowers: UnsafeMutablePointer<Double>
  /// r^k of the n-th frame of a block (k = n + 1), with padding that vectors may read.
  let framePowers: UnsafeMutablePointer<Float>
  /// k r^k of the n-th frame of a block, likewise.
  let scaledFramePowers: UnsafeMutablePointer<Float>

  init(rate: Double, tauSeconds: Double, arena: Arena) {
    let grid = Self.gridFrames
    let tauFrames = tauSeconds * rate
    oneMinusR = 1 - exponential(-1 / tauFrames)
    blockDecay = exponential(-Double(grid) / tauFrames)
    settleFrames = Int64((Self.settleTimeConstants * tauFrames - 1e-6).rounded(.up))
    powers = arena.take(grid + 1)
    inversePowers = arena.take(grid + 1)
    framePowers = arena.take(2 * grid)
    scaledFramePowers = arena.take(2 * grid)
    for k in 0...grid {
      powers[k] = exponential(-Double(k) / tauFrames)
      inversePowers[k] = exponential(Double(k) / tauFrames)
    }
    for frame in 0..<grid {
      framePowers[frame] = Float(powers[frame + 1])
      scaledFramePowers[frame] = Float(Double(frame + 1) * powers[frame + 1])
    }
  }

  /// The grid block that a frame lies in, wrapped; only differences mean anything.
  @_noLocks @_noAllocation
  static func block(of frame: Int64) -> UInt32 {
    UInt32(truncatingIfNeeded: frame >> 6)
  }

  /// The first block whose first frame is at or after `frame`.
  @_noLocks @_noAllocation
  static func block(atOrAfter frame: Int64) -> UInt32 {
    block(of: frame &+ 63)
  }

  /// The block at whose first frame a glide ends that was last retargeted on `frame`.
  @_noLocks @_noAllocation
  func settleBlock(retargetedOn frame: Int64) -> UInt32 {
    Self.block(atOrAfter: frame &+ settleFrames)
  }

  /// Whether a block has come; blocks wrap.
  @_noLocks @_noAllocation
  static func isDue(_ due: UInt32, at block: UInt32) -> Bool {
    Int32(bitPattern: block &- due) >= 0
  }
}
