import Synchronization

/// Where the audio thread leaves its meters when a reader has asked for them.
///
/// The audio thread keeps peaks and sums to itself; it publishes what it gathered since the last
/// time, and starts anew, once per request. So no peak between two readings is lost, and a cycle
/// in which nobody asks costs one atomic load. One reader at a time, on the control thread.
public final class MeterBoard: @unchecked Sendable {
  // @unchecked: the cells are atomics behind a pointer that never changes.
  private let peaks: UnsafeMutablePointer<Atomic<UInt32>>
  private let meanSquares: UnsafeMutablePointer<Atomic<UInt32>>
  private let requested = Atomic<UInt64>(0)
  private let published = Atomic<UInt64>(0)

  /// The number of channels: inputs first (before their gain), then outputs (after every gain).
  public let channels: Int

  /// Makes a board for so many channels.
  public init(channels: Int) {
    self.channels = channels
    peaks = .allocate(capacity: channels)
    meanSquares = .allocate(capacity: channels)
    for channel in 0..<channels {
      (peaks + channel).initialize(to: Atomic(0))
      (meanSquares + channel).initialize(to: Atomic(0))
    }
  }

  deinit {
    peaks.deinitialize(count: channels)
    meanSquares.deinitialize(count: channels)
    peaks.deallocate()
    meanSquares.deallocate()
  }

  // MARK: Reader

  /// Asks for what has been gathered since the last answer.
  public func request() {
    requested.wrappingAdd(1, ordering: .relaxed)
  }

  /// Whether the last request has been answered.
  public var isAnswered: Bool {
    published.load(ordering: .acquiring) == requested.load(ordering: .relaxed)
  }

  /// The peak of a channel, as linear gain of full scale, of the last answer.
  public func peak(of channel: Int) -> Float {
    precondition((0..<channels).contains(channel), "a channel of the board")
    return Float(bitPattern: peaks[channel].load(ordering: .relaxed))
  }

  /// The root mean square of a channel, as linear gain of full scale, of the last answer.
  public func rootMeanSquare(of channel: Int) -> Float {
    precondition((0..<channels).contains(channel), "a channel of the board")
    return Float(bitPattern: meanSquares[channel].load(ordering: .relaxed)).squareRoot()
  }

  // MARK: Audio thread

  /// Whether a reader waits for an answer.
  public var isRequested: Bool {
    @_noLocks @_noAllocation get {
      requested.load(ordering: .relaxed) != published.load(ordering: .relaxed)
    }
  }

  /// Leaves the answer for one channel; `answer` makes it visible.
  @_noLocks @_noAllocation
  public func leave(channel: Int, peak: Float, meanSquare: Float) {
    peaks[channel].store(peak.bitPattern, ordering: .relaxed)
    meanSquares[channel].store(meanSquare.bitPattern, ordering: .relaxed)
  }

  /// Answers every request so far.
  @_noLocks @_noAllocation
  public func answer() {
    published.store(requested.load(ordering: .relaxed), ordering: .releasing)
  }
}
