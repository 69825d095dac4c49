/// What a client has been told last, thing by thing, to know it again when it comes back.
///
/// A program that sends back whatever it hears would otherwise undo what others have set in the
/// meantime. The memory is bounded: of things with the same place in it, the latest stays.
struct EchoMemory: ~Copyable {
  private struct Entry {
    var thing: Int32 = -1
    var last: UInt32 = 0
    var previous: UInt32 = 0
  }

  /// The most things that are remembered.
  static let capacity = 4_096

  private let entries: UnsafeMutablePointer<Entry>

  /// Remembers nothing.
  init() {
    entries = .allocate(capacity: Self.capacity)
    entries.initialize(repeating: Entry(), count: Self.capacity)
  }

  deinit {
    entries.deallocate()
  }

  /// Remembers that the client was told a value.
  mutating func note(_ thing: Int, bits: UInt32) {
    let place = thing % Self.capacity
    let isKnown = entries[place].thing == Int32(thing)
    let previous = isKnown ? entries[place].last : bits
    entries[place] = Entry(thing: Int32(thing), last: bits, previous: previous)
  }

  /// Forgets what the client was told, because it has said something itself.
  mutating func forget(_ thing: Int) {
    let place = thing % Self.capacity
    if entries[place].thing == Int32(thing) { entries[place].thing = -1 }
  }

  /// Whether the client was told this last, or where `orBefore` says so the time before.
  func holds(_ thing: Int, bits: UInt32, orBefore: Bool) -> Bool {
    let entry = entries[thing % Self.capacity]
    guard entry.thing == Int32(thing) else { return false }
    return entry.last == bits || (orBefore && entry.previous == bits)
  }
}
