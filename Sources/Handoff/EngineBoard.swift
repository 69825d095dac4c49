import Synchronization

/// What the audio side counts where the control side can see it.
public enum EngineCounter: Int, CaseIterable, Sendable {
  /// Render calls.
  case cycles
  /// Times that a card lost samples, in either direction, and was restarted.
  case xruns
  /// Times that a card went away under the stream.
  case lostCards
  /// Times that a card was opened.
  case openedCards
  /// Output samples that were saturated.
  case clippedSamples
  /// Samples that were NaN or infinite and became 0.
  case nonFiniteSamples
  /// Transactions that waited for the next grid point because a grid block had eight cuts already.
  case lateCuts

  /// The name under which `/engine/status` shows it.
  public var name: String {
    switch self {
    case .cycles: "cycles"
    case .xruns: "xruns"
    case .lostCards: "lost_cards"
    case .openedCards: "opened_cards"
    case .clippedSamples: "clipped_samples"
    case .nonFiniteSamples: "non_finite_samples"
    case .lateCuts: "late_cuts"
    }
  }
}

/// The values that cross between the control thread and the audio thread one by one.
///
/// Every member may be read by any thread. Writers are named.
public final class EngineBoard: Sendable {
  private let counters: InlineArray<7, Atomic<UInt64>>
  private let nextFrameCell = Atomic<Int64>(0)
  private let panicCell = Atomic<Bool>(false)
  private let runningCell = Atomic<Bool>(false)
  private let loadCell = Atomic<UInt32>(0)

  // A bit for each output that is to say which one it is, and how often one has been asked to.
  private let identifyWords: InlineArray<8, Atomic<UInt64>>
  private let identifyCount = Atomic<UInt64>(0)

  // A sequence lock: odd while the audio thread writes.
  private let clockSequence = Atomic<UInt64>(0)
  private let clockFrame = Atomic<UInt64>(0)
  private let clockNanoseconds = Atomic<Int64>(0)
  private let clockPeriod = Atomic<UInt64>(0)

  /// Makes a board for a nominal rate in Hz, with the clock at frame 0 and time 0.
  public init(rate: Double) {
    precondition(EngineCounter.allCases.count == 7, "as many cells as counters")
    counters = InlineArray { _ in Atomic<UInt64>(0) }
    identifyWords = InlineArray { _ in Atomic<UInt64>(0) }
    setClock(ClockReading(frame: 0, nanoseconds: 0, nanosecondsPerFrame: 1e9 / rate))
  }

  // MARK: Any thread

  /// The value of a counter.
  public func value(of counter: EngineCounter) -> UInt64 {
    counters[counter.rawValue].load(ordering: .relaxed)
  }

  /// The frame that the next render call begins with; it never decreases.
  public var nextFrame: Int64 {
    @_noLocks @_noAllocation get { nextFrameCell.load(ordering: .acquiring) }
  }

  /// Whether the audio thread has a card and renders.
  public var isRunning: Bool {
    @_noLocks @_noAllocation get { runningCell.load(ordering: .acquiring) }
  }

  /// Whether everything is to be silent until someone resumes.
  public var isPanicking: Bool {
    @_noLocks @_noAllocation get { panicCell.load(ordering: .relaxed) }
  }

  /// The share of a period that the last render calls took, 0...1, in CPU time.
  public var load: Float {
    @_noLocks @_noAllocation get { Float(bitPattern: loadCell.load(ordering: .relaxed)) }
  }

  /// The map between frames and monotonic time, whole.
  public var clock: ClockReading {
    while true {
      let before = clockSequence.load(ordering: .acquiring)
      let reading = ClockReading(
        frame: Double(bitPattern: clockFrame.load(ordering: .relaxed)),
        nanoseconds: clockNanoseconds.load(ordering: .relaxed),
        nanosecondsPerFrame: Double(bitPattern: clockPeriod.load(ordering: .relaxed)))
      atomicMemoryFence(ordering: .acquiring)
      if before & 1 == 0, before == clockSequence.load(ordering: .relaxed) { return reading }
    }
  }

  /// Silences everything, or lets it sound again; the audio thread follows in its next cycle.
  @_noLocks @_noAllocation
  public func setPanic(_ panic: Bool) {
    panicCell.store(panic, ordering: .relaxed)
  }

  /// Lets an output say which loudspeaker it is: a second of soft noise from the next cycle on.
  ///
  /// The output's and the master's gains and mutes do not matter: the noise has -30 dBFS of its own.
  /// A panic silences it, and while there is no card the wish is forgotten when one comes.
  public func identify(output: Int) {
    precondition((0..<512).contains(output), "an output")
    identifyWords[output >> 6].bitwiseOr(1 << UInt64(output & 63), ordering: .relaxed)
    identifyCount.wrappingAdd(1, ordering: .releasing)
  }

  // MARK: The thread that has the card (audio, or control and keeper while there is no card)

  /// Adds to a counter.
  @_noLocks @_noAllocation
  public func count(_ counter: EngineCounter, by amount: UInt64 = 1) {
    counters[counter.rawValue].wrappingAdd(amount, ordering: .relaxed)
  }

  /// How often an output has been asked to say which one it is.
  public var identifyRequests: UInt64 {
    @_noLocks @_noAllocation get { identifyCount.load(ordering: .acquiring) }
  }

  /// Takes the wishes of 64 outputs, a bit for each; `word` is 0...7.
  @_noLocks @_noAllocation
  public func takeIdentified(word: Int) -> UInt64 {
    identifyWords[word].exchange(0, ordering: .relaxed)
  }

  /// Says which frame comes next.
  @_noLocks @_noAllocation
  public func setNextFrame(_ frame: Int64) {
    nextFrameCell.store(frame, ordering: .releasing)
  }

  /// Says whether audio runs.
  @_noLocks @_noAllocation
  public func setRunning(_ running: Bool) {
    runningCell.store(running, ordering: .releasing)
  }

  /// Says what share of a period rendering takes.
  @_noLocks @_noAllocation
  public func setLoad(_ load: Float) {
    loadCell.store(load.bitPattern, ordering: .relaxed)
  }

  /// Says how frames and monotonic time belong together.
  @_noLocks @_noAllocation
  public func setClock(_ reading: ClockReading) {
    let sequence = clockSequence.load(ordering: .relaxed)
    clockSequence.store(sequence &+ 1, ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
    clockFrame.store(reading.frame.bitPattern, ordering: .relaxed)
    clockNanoseconds.store(reading.nanoseconds, ordering: .relaxed)
    clockPeriod.store(reading.nanosecondsPerFrame.bitPattern, ordering: .relaxed)
    clockSequence.store(sequence &+ 2, ordering: .releasing)
  }
}
