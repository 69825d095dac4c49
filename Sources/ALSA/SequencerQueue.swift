/// What the sequencer told and nobody has taken yet, in memory that is there from the start.
///
/// When it is full, the older half is given up: of a fader, the newest position counts.
struct SequencerQueue: ~Copyable {
  /// The most that waits.
  static let capacity = 65_536

  private let storage: UnsafeMutablePointer<SequencerInput>
  private var head = 0
  private(set) var count = 0

  init() {
    storage = .allocate(capacity: Self.capacity)
    // Written once, so that its pages are there before a storm is.
    storage.initialize(repeating: .overrun, count: Self.capacity)
  }

  deinit {
    storage.deallocate()
  }

  /// Adds something; false when older things were given up for it.
  mutating func append(_ input: SequencerInput) -> Bool {
    let hasRoom = count < Self.capacity
    if !hasRoom {
      head = (head + Self.capacity / 2) % Self.capacity
      count -= Self.capacity / 2
      // Who reads on must know that something is missing here.
      storage[head] = .overrun
    }
    storage[(head + count) % Self.capacity] = input
    count += 1
    return hasRoom
  }

  /// Takes what has waited longest.
  mutating func takeFirst() -> SequencerInput? {
    guard count > 0 else { return nil }
    let input = storage[head]
    head = (head + 1) % Self.capacity
    count -= 1
    return input
  }
}
