import Handoff
import MatrixCore

/// One call of the renderer with everything that belongs to it: commands at their frames, the
/// panic gate, meters, and the frame that comes next.
///
/// The audio thread of every device and the offline render use it alike. What it renders does not
/// depend on how frames are split into calls, for commands that are in the ring before the call
/// with their frame. One thread at a time.
///
/// A cut is a place inside a grid block of 64 frames where gains change: the transactions of one
/// frame that is no grid point. A block has at most eight; a transaction that would make a ninth,
/// and all behind it, take effect at the next grid point and are counted as `lateCuts`.
public final class RenderCycle {
  private static let gridFrames: Int64 = 64
  private static let maximumCuts = 8

  /// What renders; its rows are filled before `render` and read after it.
  public let renderer: Renderer
  private let ring: CommandRing
  private let board: EngineBoard
  private let meters: MeterBoard
  private let objects: UncountedObjects
  private let state: UnsafeMutablePointer<State>

  private struct State {
    /// The grid block that the cuts were counted in.
    var block: Int64 = .min
    /// The cuts of that block so far.
    var cuts = 0
    /// The frame of the last of them.
    var lastCut: Int64 = .min
    /// The grid point that waiting transactions take effect at; a past one when none waits.
    var heldUntil: Int64 = .min
    /// Whether everything is to fade out, whatever the panic flag says.
    var isClosing = false
    /// What the meters' reader watched when it was last looked at.
    var watchState: UInt64 = 0
    /// The wishes of outputs to say which one they are that have been seen.
    var identifyRequests: UInt64 = 0
  }

  /// Joins a renderer to the memory that it shares with the control thread.
  public init(renderer: Renderer, ring: CommandRing, board: EngineBoard, meters: MeterBoard) {
    precondition(meters.shape == renderer.shape, "a meter for each row")
    self.renderer = renderer
    self.ring = ring
    self.board = board
    self.meters = meters
    objects = UncountedObjects(renderer: renderer, ring: ring, board: board, meters: meters)
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  deinit {
    state.deallocate()
  }

  /// The next frame to be rendered.
  public var position: Int64 {
    @_noLocks @_noAllocation get { objects.position }
  }

  /// Begins a stream from silence: every gain is to be sent anew, from this frame on.
  public func restart(atFrame frame: Int64) {
    renderer.restart(atFrame: frame)
    let watchState = state.pointee.watchState
    state.pointee = State()
    state.pointee.watchState = watchState
    // What somebody wished for while nothing could sound is not to startle anybody now.
    state.pointee.identifyRequests = objects.identifyRequests
    objects.takeIdentified(isHeard: false)
    board.setNextFrame(frame)
  }

  /// Fades everything out, from the next call on and for good.
  @_noLocks @_noAllocation
  public func close() {
    state.pointee.isClosing = true
  }

  /// Whether everything has faded out after `close` or a panic.
  public var isSilent: Bool {
    @_noLocks @_noAllocation get { objects.isSilent }
  }

  /// Renders the next frames, at most `renderer.maximumFrames`, from the input rows to the output
  /// rows.
  @_noLocks @_noAllocation
  public func render(frames: Int) {
    let end = objects.position &+ Int64(frames)
    // In this order: a change that is stamped with the old frame and comes too late for the ring's
    // end here is one that has passed.
    objects.setNextFrame(end)
    let ringEnd = objects.ringEnd

    state.pointee.watchState = objects.followMeters(seen: state.pointee.watchState)
    let isOpen = state.pointee.isClosing ? false : !objects.isPanicking
    objects.begin(frames: frames, isOpen: isOpen)
    let identifyRequests = objects.identifyRequests
    if identifyRequests != state.pointee.identifyRequests {
      state.pointee.identifyRequests = identifyRequests
      objects.takeIdentified(isHeard: isOpen)
    }
    while objects.position < end {
      let stop = applyDue(before: ringEnd, end: end)
      objects.advance(frames: Int(stop &- objects.position))
    }
    objects.finish()
    objects.answerMeters()
    objects.count(.cycles)
  }

  /// Applies what is due at the renderer's position; answers the frame to render up to.
  @_noLocks @_noAllocation
  private func applyDue(before ringEnd: Int, end: Int64) -> Int64 {
    let now = objects.position
    while let command = objects.peek(before: ringEnd) {
      let frame = command.pointee.frame
      if frame > now { return min(end, frame) }
      let heldUntil = state.pointee.heldUntil
      if now < heldUntil { return min(end, heldUntil) }
      if !mayCut(at: now) {
        let nextGridPoint = (now & ~(Self.gridFrames &- 1)) &+ Self.gridFrames
        state.pointee.heldUntil = nextGridPoint
        return min(end, nextGridPoint)
      }
      if now == heldUntil, frame < now { objects.count(.lateCuts) }
      applyTransaction(before: ringEnd)
    }
    return end
  }

  /// Whether gains may change here; takes one of the block's cuts if it needs one.
  @_noLocks @_noAllocation
  private func mayCut(at frame: Int64) -> Bool {
    if frame & (Self.gridFrames &- 1) == 0 { return true }
    if frame == state.pointee.lastCut { return true }
    let block = frame & ~(Self.gridFrames &- 1)
    if block != state.pointee.block {
      state.pointee.block = block
      state.pointee.cuts = 0
    }
    guard state.pointee.cuts < Self.maximumCuts else { return false }
    state.pointee.cuts &+= 1
    state.pointee.lastCut = frame
    return true
  }

  @_noLocks @_noAllocation
  private func applyTransaction(before ringEnd: Int) {
    // A transaction that comes to the end of the ring's memory goes on at its beginning.
    while true {
      let commands = objects.peekAll(before: ringEnd)
      if commands.count == 0 { return }
      let taken = objects.apply(commands.first, count: commands.count)
      let isWhole = commands.first[taken &- 1].endsTransaction
      objects.takeCommands(taken)
      if isWhole { return }
    }
  }
}
