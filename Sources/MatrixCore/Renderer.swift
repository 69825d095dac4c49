import CMatrixKernel

/// Mixes N input rows through a matrix of gliding gains to M output rows, and meters what is watched.
///
/// `out[o] = master · outGain[o] · Σ_i crosspoint[i,o] · inGain[i] · in[i]`. Every gain glides
/// from where it is to where it is sent; the result depends on the absolute frames of the commands
/// alone, not on how rendering is cut into calls.
///
/// A call is `begin`, as many `apply` and `advance` as there are cuts, `finish`. Made on any
/// thread; then one thread at a time uses it. Nothing but `init` and `deinit` locks or allocates.
///
/// `@unchecked Sendable`: it may be handed from thread to thread, and whoever hands it over makes
/// sure that no two use it at once.
public final class Renderer: @unchecked Sendable {
  /// How many inputs and outputs there are.
  public let shape: MatrixShape
  /// The most frames that one call may have.
  public let maximumFrames: Int
  /// The instructions that the inner loops use.
  public let instructionSet: InstructionSet

  let arena: Arena
  let bank: GainBank
  let rows: RowMemory
  let meters: MeterMemory
  let bursts: NoiseBursts

  /// The next frame to be rendered, in frames since the router started.
  public internal(set) var position: Int64 = 0
  /// How far the call under way has come, in frames.
  var cursor = 0
  var callFrames = 0
  var denormalState: UInt64 = 0

  /// Makes a renderer, silent, at frame 0.
  ///
  /// `rate` is in Hz; `tauSeconds` is the time constant of each of the two poles of a glide;
  /// `instructionSet` is the widest (or what `CROSSPOINT_ISA` asks for) unless told otherwise, and
  /// has to be one that this processor has.
  public init(
    shape: MatrixShape, rate: Double, tauSeconds: Double, maximumFrames: Int,
    instructionSet: InstructionSet? = nil
  ) {
    precondition(rate > 0 && tauSeconds > 0, "a rate and a time")
    precondition(maximumFrames > 0, "room for a frame")
    let set = instructionSet ?? ((try? InstructionSet.selected()) ?? .widest)
    precondition(set.isSupported, "an instruction set of this processor")
    let arena = Arena()
    let layout = GainLayout(shape: shape)
    let law = GlideLaw(rate: rate, tauSeconds: tauSeconds, arena: arena)
    self.shape = shape
    self.maximumFrames = maximumFrames
    self.instructionSet = set
    self.arena = arena
    bank = GainBank(layout: layout, law: law, kernel: set.table, arena: arena)
    rows = RowMemory(layout: layout, maximumFrames: maximumFrames, arena: arena)
    meters = MeterMemory(shape: shape, arena: arena)
    bursts = NoiseBursts(outputs: shape.outputs, rate: rate, arena: arena)
    restart(atFrame: 0)
  }

  /// All memory that rendering touches, for whoever wants to lock it.
  public func forEachMemoryBlock(_ body: (UnsafeRawBufferPointer) -> Void) {
    for block in arena.blocks { body(UnsafeRawBufferPointer(block)) }
  }

  // MARK: Rows

  /// The samples of an input, 64-byte aligned; to be filled before `begin` with finite samples.
  ///
  /// There is room for `maximumFrames`; 1.0 is full scale.
  @_noLocks @_noAllocation
  public func inputRow(_ input: Int) -> UnsafeMutablePointer<Float> {
    rows.inputs + input &* rows.pitch
  }

  /// The samples of an output, 64-byte aligned; valid between `finish` and the next `begin`.
  ///
  /// Sums above full scale are passed on as they are.
  @_noLocks @_noAllocation
  public func outputRow(_ output: Int) -> UnsafeMutablePointer<Float> {
    rows.outputs + output &* rows.pitch
  }

  // MARK: Gains

  /// Begins a stream at a frame: every crosspoint at 0, every stage at 1, the gate open.
  ///
  /// Commands that are applied on this very frame set stages at once; crosspoints glide from 0, so
  /// a stream begins from silence and follows the exact law from its first frame.
  @_noLocks @_noAllocation
  public func restart(atFrame frame: Int64) {
    position = frame
    bank.restart(atFrame: frame)
    bursts.clear()
  }

  /// Takes a gain's new course from the next frame on.
  ///
  /// The command's own frame plays no part; `fade` may have begun earlier and is then continued.
  @_noLocks @_noAllocation
  public func apply(_ command: GainCommand) {
    var command = command
    _ = apply(&command, count: 1)
  }

  /// The same for commands that lie side by side, up to the end of the first transaction; answers
  /// how many commands that are, at least one of at least one.
  ///
  /// Many are taken over fastest in the order of `MatrixShape.gainsInMemoryOrder`, and where those
  /// that follow each other are on one course; what comes of them is the same in any order.
  @_noLocks @_noAllocation
  public func apply(_ commands: UnsafePointer<GainCommand>, count: Int) -> Int {
    bank.moveGrid(to: position)
    // A command is nothing but what the kernel reads.
    let stored = UnsafeRawPointer(commands).assumingMemoryBound(to: CMKCommand.self)
    return bank.apply(stored, count: count, position: position)
  }

  /// Lets everything glide to silence, or back.
  @_noLocks @_noAllocation
  public func setGate(open: Bool) {
    if !open { bursts.release() }
    bank.moveGrid(to: position)
    bank.setGate(open: open, position: position)
  }

  /// Whether the gate is closed and its glide over, so that everything is exactly silent.
  public var isGateSettled: Bool {
    @_noLocks @_noAllocation get {
      if bank.state.pointee.isGateOpen { return false }
      return bursts.activeCount > 0 ? false : isMasterOff
    }
  }

  /// Whether the master stands at exactly 0.
  var isMasterOff: Bool {
    @_noLocks @_noAllocation get {
      let slot = bank.layout.masterSlot
      return bank.target[slot] == 0 ? !bank.isMoving(slot) : false
    }
  }

  // MARK: Finding loudspeakers

  /// Lets an output say which one it is: a second of soft noise from the next call on, whatever its
  /// gains are; nothing while the gate is closed.
  @_noLocks @_noAllocation
  public func identify(output: Int) {
    if bank.state.pointee.isGateOpen { bursts.start(output: output) }
  }
}
