/// The numbers of the default smoothing: two equal one-poles in series, exact at every frame.
///
/// With u0 and w0 the two poles before a change to the target T, and k = 1 on the change's own
/// frame, the second pole is w(k) = T + r^k ((w0 - T) + k (1-r) (u0 - T)), r = exp(-1/(tau rate)).
/// So told from any origin every gain is T + A r^k + B k r^k, with powers that all gains share.
///
/// The origin is the beginning of an epoch: as many whole grid blocks as single precision allows,
/// about two time constants. A change of the target by d, k frames into the epoch, adds
/// d r^-k (1 - k (1-r)) to A and d r^-k (1-r) to B.
struct GlideLaw {
  /// The grid on which fades step and glides end, in frames.
  static var gridFrames: Int { @_noLocks @_noAllocation get { 64 } }
  /// A glide is over this many time constants after its last retarget.
  static var settleTimeConstants: Double { 22 }
  /// The longest epoch, in frames.
  static var maximumEpochFrames: Int { 1024 }

  /// The length of an epoch, in frames: a power of two.
  let epochFrames: Int
  /// r to the power of the length of an epoch.
  let epochDecay: Double
  /// How long a glide lasts before it ends exactly, in frames.
  let settleFrames: Int64
  /// What a change k frames into an epoch adds to A.
  let aimA: UnsafeMutablePointer<Double>
  /// What a change k frames into an epoch adds to B.
  let aimB: UnsafeMutablePointer<Double>
  /// r^k of the n-th frame of an epoch (k = n + 1), with padding that vectors may read.
  let framePowers: UnsafeMutablePointer<Float>
  /// k r^k of the n-th frame of an epoch, likewise.
  let scaledFramePowers: UnsafeMutablePointer<Float>

  init(rate: Double, tauSeconds: Double, arena: Arena) {
    let tauFrames = tauSeconds * rate
    var epoch = Self.gridFrames
    while epoch < Self.maximumEpochFrames, Double(2 * epoch) <= 2.4 * tauFrames { epoch *= 2 }
    epochFrames = epoch
    epochDecay = exponential(-Double(epoch) / tauFrames)
    settleFrames = Int64((Self.settleTimeConstants * tauFrames - 1e-6).rounded(.up))
    aimA = arena.take(epoch)
    aimB = arena.take(epoch)
    framePowers = arena.take(epoch + Self.gridFrames)
    scaledFramePowers = arena.take(epoch + Self.gridFrames)
    let oneMinusR = 1 - exponential(-1 / tauFrames)
    for frame in 0..<epoch {
      let inverse = exponential(Double(frame) / tauFrames)
      aimA[frame] = inverse * (1 - Double(frame) * oneMinusR)
      aimB[frame] = inverse * oneMinusR
      let power = exponential(-Double(frame + 1) / tauFrames)
      framePowers[frame] = Float(power)
      scaledFramePowers[frame] = Float(Double(frame + 1) * power)
    }
  }

  /// A glide that is retargeted now ends within so many blocks and one.
  var settleBlocks: Int32 {
    @_noLocks @_noAllocation get { Int32(truncatingIfNeeded: settleFrames >> 6) }
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
