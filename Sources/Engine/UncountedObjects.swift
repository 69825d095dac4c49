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

  /// Takes commands over, up to the end of the first transaction; answers how many.
  @_noLocks @_noAllocation
  func apply(_ commands: UnsafePointer<GainCommand>, count: Int) -> Int {
    renderer._withUnsafeGuaranteedRef { $0.apply(commands, count: count) }
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
  func peekAll(before end: Int) -> (first: UnsafePointer<GainCommand>, count: Int) {
    ring._withUnsafeGuaranteedRef { $0.peekAll(before: end) }
  }

  @_noLocks @_noAllocation
  func takeCommands(_ count: Int) {
    ring._withUnsafeGuaranteedRef { $0.advance(by: count) }
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
    let isRequested = meters._withUnsafeGuaranteedRef { $0.isRequested }
    if !isRequested { return }
    let points = renderer._withUnsafeGuaranteedRef { $0.watchedPoints }
    if points.has(.inputPre) { leave(.inputPre) }
    if points.has(.inputPost) { leave(.inputPost) }
    if points.has(.outputPre) { leave(.outputPre) }
    if points.has(.outputPost) { leave(.outputPost) }
    leaveCrosspoints()
    leaveFaults()
    renderer._withUnsafeGuaranteedRef { $0.resetMeters() }
    meters._withUnsafeGuaranteedRef { $0.answer(points) }
  }

  @_noLocks @_noAllocation
  private func leave(_ point: MeterPoint) {
    let shape = renderer._withUnsafeGuaranteedRef { $0.shape }
    let channels = point.isOfInputs ? shape.inputs : shape.outputs
    var channel = 0
    while channel < channels {
      let current = channel
      let peak = renderer._withUnsafeGuaranteedRef { $0.meterPeak(point, current) }
      let meanSquare = renderer._withUnsafeGuaranteedRef { $0.meterMeanSquare(point, current) }
      meters._withUnsafeGuaranteedRef {
        $0.leave(point, current, peak: peak, meanSquare: meanSquare)
      }
      channel &+= 1
    }
  }

  @_noLocks @_noAllocation
  private func leaveCrosspoints() {
    var place = 0
    while place < MeterPoint.maximumCrosspoints {
      let current = place
      let gain = renderer._withUnsafeGuaranteedRef { $0.watchedCrosspoint(at: current) }
      let peak = renderer._withUnsafeGuaranteedRef { $0.crosspointPeak(at: current) }
      let meanSquare = renderer._withUnsafeGuaranteedRef { $0.crosspointMeanSquare(at: current) }
      meters._withUnsafeGuaranteedRef {
        $0.leave(crosspoint: gain, at: current, peak: peak, meanSquare: meanSquare)
      }
      place &+= 1
    }
  }

  @_noLocks @_noAllocation
  private func leaveFaults() {
    let shape = renderer._withUnsafeGuaranteedRef { $0.shape }
    var input = 0
    while input < shape.inputs {
      let current = input
      let found = renderer._withUnsafeGuaranteedRef { $0.inputFaults.faults(of: current) }
      meters._withUnsafeGuaranteedRef { $0.leave(found, ofInput: current) }
      input &+= 1
    }
    var output = 0
    while output < shape.outputs {
      let current = output
      let found = renderer._withUnsafeGuaranteedRef { $0.outputFaults.faults(of: current) }
      meters._withUnsafeGuaranteedRef { $0.leave(found, ofOutput: current) }
      output &+= 1
    }
  }

  /// Meters what is watched now, if that is not what was `seen` last; answers what is seen now.
  @_noLocks @_noAllocation
  func followMeters(seen: UInt64) -> UInt64 {
    let state = meters._withUnsafeGuaranteedRef { $0.watchState }
    if state == seen { return state }
    let points = meters._withUnsafeGuaranteedRef { $0.points(of: state) }
    let count = meters._withUnsafeGuaranteedRef { $0.crosspointCount(of: state) }
    renderer._withUnsafeGuaranteedRef { $0.watch(points) }
    renderer._withUnsafeGuaranteedRef { $0.watchCrosspoints(count: count) }
    var place = 0
    while place < count {
      let current = place
      let gain = meters._withUnsafeGuaranteedRef { $0.wantedCrosspoint(at: current) }
      renderer._withUnsafeGuaranteedRef { $0.watchCrosspoint(gain, at: current) }
      place &+= 1
    }
    return state
  }

  // MARK: Finding loudspeakers

  var identifyRequests: UInt64 {
    @_noLocks @_noAllocation get { board._withUnsafeGuaranteedRef { $0.identifyRequests } }
  }

  /// Takes every wish of an output to say which one it is, and lets it, or not.
  @_noLocks @_noAllocation
  func takeIdentified(isHeard: Bool) {
    var word = 0
    while word < 8 {
      let current = word
      var bits = board._withUnsafeGuaranteedRef { $0.takeIdentified(word: current) }
      while isHeard ? bits != 0 : false {
        let output = current &* 64 &+ bits.trailingZeroBitCount
        bits &= bits &- 1
        renderer._withUnsafeGuaranteedRef { $0.identify(output: output) }
      }
      word &+= 1
    }
  }
}
