import MatrixCore
import Synchronization

/// The one way of a gain from the control thread to the audio thread.
///
/// One writer, one reader, no locks. A transaction becomes visible whole or not at all, and when
/// it does not fit, `publish` says so and nothing has happened: the writer keeps the gains and
/// comes again (see `ControlHub`).
///
/// `@unchecked Sendable`: the slots are raw memory; a slot belongs to the writer until `written`
/// passes it and to the reader until `read` does.
public final class CommandRing: @unchecked Sendable {
  private let slots: UnsafeMutablePointer<GainCommand>
  private let mask: Int
  private let written = Atomic<Int>(0)
  private let read = Atomic<Int>(0)

  /// The number of commands that fit.
  public let capacity: Int

  /// Makes a ring for at least so many commands; the capacity is the next power of two.
  public init(minimumCapacity: Int) {
    var capacity = 1
    while capacity < minimumCapacity { capacity *= 2 }
    self.capacity = capacity
    mask = capacity - 1
    // Each command in a cache line of its own.
    let bytes = UnsafeMutableRawPointer.allocate(
      byteCount: capacity * MemoryLayout<GainCommand>.stride, alignment: 64)
    slots = bytes.bindMemory(to: GainCommand.self, capacity: capacity)
    slots.initialize(
      repeating: GainCommand(
        frame: 0, gain: GainID(index: 0), endsTransaction: true, factor: 0, fade: Fade(steady: 0)),
      count: capacity)
  }

  /// Makes a ring in which two transactions fit that each carry every gain of a matrix.
  public convenience init(shape: MatrixShape) {
    self.init(minimumCapacity: 2 * shape.gainCount)
  }

  deinit {
    UnsafeMutableRawPointer(slots).deallocate()
  }

  // MARK: Control thread

  /// How many commands fit now.
  public var freeSlots: Int {
    capacity - (written.load(ordering: .relaxed) - read.load(ordering: .acquiring))
  }

  /// Publishes one transaction; false, and nothing done, when it does not fit.
  ///
  /// Frames must not decrease from one transaction to the next; the last command, and it alone,
  /// ends the transaction.
  public func publish(_ transaction: UnsafeBufferPointer<GainCommand>) -> Bool {
    guard transaction.count <= freeSlots else { return false }
    let start = written.load(ordering: .relaxed)
    for offset in 0..<transaction.count {
      slots[(start &+ offset) & mask] = transaction[offset]
    }
    written.store(start &+ transaction.count, ordering: .releasing)
    return true
  }

  /// Forgets everything in the ring; only while no audio thread reads it.
  public func empty() {
    read.store(written.load(ordering: .relaxed), ordering: .releasing)
  }

  // MARK: Audio thread

  /// Where the ring ends now: what is published later lies behind it.
  public var end: Int {
    @_noLocks @_noAllocation get { written.load(ordering: .acquiring) }
  }

  /// The oldest command before `end`, or nothing; it stays valid until `advance(by:)`.
  @_noLocks @_noAllocation
  public func peek(before end: Int) -> UnsafePointer<GainCommand>? {
    let position = read.load(ordering: .relaxed)
    guard position != end else { return nil }
    return UnsafePointer(slots + (position & mask))
  }

  /// The oldest command, or nothing; it stays valid until `advance(by:)`.
  @_noLocks @_noAllocation
  public func peek() -> UnsafePointer<GainCommand>? {
    peek(before: end)
  }

  /// The oldest commands before `end` as far as they lie side by side, and how many they are; they
  /// stay valid until `advance`.
  @_noLocks @_noAllocation
  public func peekAll(before end: Int) -> (first: UnsafePointer<GainCommand>, count: Int) {
    let position = read.load(ordering: .relaxed)
    let place = position & mask
    return (UnsafePointer(slots + place), min(end &- position, capacity &- place))
  }

  /// Gives the slots of so many of the oldest commands back to the writer.
  @_noLocks @_noAllocation
  public func advance(by count: Int) {
    read.store(read.load(ordering: .relaxed) &+ count, ordering: .releasing)
  }
}
