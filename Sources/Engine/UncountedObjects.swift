import Handoff
import MatrixCore

/// The objects of a render cycle as the audio thread calls them: without counting references.
///
/// Whoever holds one of these keeps the objects alive.
struct UncountedObjects {
  private let renderer: Unmanaged<Renderer>
  private let ring: Unmanaged<CommandRing>
  private let board: Unmanaged<EngineBoard>
  private let meters: Unmanaged<MeterBoard>

  init(renderer: Renderer, ring: CommandRing, board: EngineBoard, meters: MeterBoard) {
    self.renderer = .passUnretained(renderer)
    self.ring = .passUnretained(ring)
    self.board = .passUnretained(board)
    self.meters = .passUnretained(meters)
  }

  // MARK: Renderer

  var position: Int64 {
    @_noLocks @_noAllocation get { renderer._withUnsafeGuaranteedRef { $0.position } }
  }

  var isSilent: Bool {
    @_noLocks @_noAllocation get { renderer._withUnsafeGuaranteedRef { $0.isGateSettled } }
  }

  @_noLocks @_noAllocation
  func begin(frames: Int, isOpen: Bool) {
    renderer._withUnsafeGuaranteedRef {
      // In this order: the gate may come to a grid point, whose steps want denormals gone too.
      $0.begin(frames: frames)
      $0.setGate(open: isOpen)
    }
  }

  @_noLocks @_noAllocation
  func advance(frames: Int) {
    renderer._withUnsafeGuaranteedRef { $0.advance(frames: frames) }
  }

  @_noLocks @_noAllocation
  func finish() {
    renderer._withUnsafeGuaranteedRef { $0.finish() }
  }

  @_noLocks @_noAllocation
  func apply(_ command: UnsafePointer<GainCommand>) {
    renderer._withUnsafeGuaranteedRef { $0.apply(command.pointee) }
  }

  // MARK: Ring

  var ringEnd: Int {
    @_noLocks @_noAllocation get { ring._withUnsafeGuaranteedRef { $0.end } }
  }

  @_noLocks @_noAllocation
  func peek(before end: Int) -> UnsafePointer<GainCommand>? {
    ring._withUnsafeGuaranteedRef { $0.peek(before: end) }
  }

  @_noLocks @_noAllocation
  func takeCommand() {
    ring._withUnsafeGuaranteedRef { $0.advance() }
  }

  // MARK: Board and meters

  var isPanicking: Bool {
    @_noLocks @_noAllocation get { board._withUnsafeGuaranteedRef { $0.isPanicking } }
  }

  @_noLocks @_noAllocation
  func setNextFrame(_ frame: Int64) {
    board._withUnsafeGuaranteedRef { $0.setNextFrame(frame) }
  }

  @_noLocks @_noAllocation
  func count(_ counter: EngineCounter) {
    board._withUnsafeGuaranteedRef { $0.count(counter) }
  }

  /// Answers the reader of the meters, if one waits.
  @_noLocks @_noAllocation
  func answerMeters() {
    let channels = meters._withUnsafeGuaranteedRef { $0.isRequested ? $0.channels : 0 }
    if channels == 0 { return }
    var channel = 0
    while channel < channels {
      let current = channel
      let peak = renderer._withUnsafeGuaranteedRef { $0.meterPeak(current) }
      let meanSquare = renderer._withUnsafeGuaranteedRef { $0.meterMeanSquare(current) }
      meters._withUnsafeGuaranteedRef {
        $0.leave(channel: current, peak: peak, meanSquare: meanSquare)
      }
      channel &+= 1
    }
    renderer._withUnsafeGuaranteedRef { $0.resetMeters() }
    meters._withUnsafeGuaranteedRef { $0.answer() }
  }
}
