import Handoff

/// From the jittering wake-ups of the audio thread to a smooth map between frames and time.
///
/// A second-order loop after F. Adriaensen, "Using a DLL to filter time" (2005), for cycles of any
/// length: 1 Hz wide at first, so that it finds a card's true rate quickly, then ever narrower, down
/// to 0.05 Hz nine seconds later. Times are monotonic nanoseconds. The audio thread uses it.
public struct DelayLockedLoop {
  // The widths of the loop. In between it narrows as 0.45 Hz s / t, which weighs every wake-up since
  // it was locked alike, as a line of least squares through all of them would.
  private static let wideHertz = 1.0
  private static let narrowHertz = 0.05
  private static let narrowingHertzNanoseconds = 0.45e9
  // From this time after locking on, a wake-up counts as at most so many usual deviations late or
  // early: one that is far out says more about the scheduler than about the card.
  private static let trustingNanoseconds = 3e8
  private static let errorLimit = 3.0
  // The usual deviation itself is told from errors that are bounded so, or a single late wake-up
  // would let its neighbours count; a step that lasts makes it grow until the step is believed.
  private static let deviationLimit = 4.0
  private static let deviationNanoseconds = 5e8
  private static let leastDeviation = 1e3
  private static let rootOfTwo = 1.414_213_562_373_095_1

  private let nominalNanosecondsPerFrame: Double
  private var isLocked = false
  // The filtered map: `lastFrame` is rendered at `origin + offset`. The offset stays small, so that
  // a Double keeps fractions of nanoseconds however long the machine has been up.
  private var lastFrame: Int64 = 0
  private var origin: Int64 = 0
  private var offset = 0.0
  private var nanosecondsPerFrame: Double
  private var lockedNanoseconds = 0.0
  /// The usual size of an error, in nanoseconds; it follows, so that a lasting step is believed.
  private var deviation = 0.0

  /// Makes a loop for a nominal rate in Hz.
  public init(rate: Double) {
    nominalNanosecondsPerFrame = 1e9 / rate
    nanosecondsPerFrame = 1e9 / rate
  }

  /// Forgets everything, as for a new card.
  @_noLocks @_noAllocation
  public mutating func restart() {
    nanosecondsPerFrame = nominalNanosecondsPerFrame
    isLocked = false
  }

  /// Finds its phase anew, as after lost samples; what it knows of the card's rate stays.
  @_noLocks @_noAllocation
  public mutating func relock() {
    isLocked = false
  }

  /// Tells it that `frame` is rendered from now on, and gets the filtered map.
  ///
  /// Frames must not decrease while it is locked.
  @_noLocks @_noAllocation
  public mutating func update(frame: Int64, nanoseconds: Int64) -> ClockReading {
    let frames = Double(frame &- lastFrame)
    if !isLocked {
      isLocked = true
      origin = nanoseconds
      offset = 0
      lockedNanoseconds = 0
      deviation = 0
    } else if frames > 0 {
      let duration = frames * nanosecondsPerFrame
      let predicted = offset + duration
      let error = bounded(Double(nanoseconds &- origin) - predicted, duration: duration)
      let width = min(
        Self.wideHertz,
        max(Self.narrowHertz, Self.narrowingHertzNanoseconds / max(1, lockedNanoseconds)))
      // A cycle longer than the loop's own time would make it ring.
      let omega = min(2 * Double.pi * width * duration * 1e-9, 0.5)
      offset = predicted + Self.rootOfTwo * omega * error
      nanosecondsPerFrame += omega * omega * error / frames
      lockedNanoseconds += duration
      moveOrigin()
    }
    lastFrame = frame
    return ClockReading(
      frame: Double(frame), nanoseconds: origin &+ Int64(offset),
      nanosecondsPerFrame: nanosecondsPerFrame)
  }

  /// The error that the loop is to see of one that was measured.
  @_noLocks @_noAllocation
  private mutating func bounded(_ error: Double, duration: Double) -> Double {
    let usual = max(deviation, Self.leastDeviation)
    let isTrusting = lockedNanoseconds <= Self.trustingNanoseconds
    let magnitude =
      isTrusting ? error.magnitude : min(error.magnitude, usual * Self.deviationLimit)
    deviation += (magnitude - deviation) * min(duration / Self.deviationNanoseconds, 0.25)
    if isTrusting { return error }
    let limit = usual * Self.errorLimit
    return max(-limit, min(limit, error))
  }

  /// Carries whole nanoseconds from the offset to the origin.
  @_noLocks @_noAllocation
  private mutating func moveOrigin() {
    // Far outside what a loop that works can reach; then there is nothing to keep.
    guard offset.magnitude < 0x1p62 else {
      isLocked = false
      offset = 0
      return
    }
    let whole = Int64(offset)
    origin &+= whole
    offset -= Double(whole)
  }
}
