import Control
import Glibc

/// What a client has been told lately, to know it again when it comes back.
///
/// A program that sends back whatever it hears, perhaps late, would otherwise undo what others have
/// set in the meantime. The memory is bounded: four values share a place, and the latest four stay.
/// It is small, and near to the processor, until the client is known to send back what it hears.
///
/// What is told is written down one behind the other, and finds its place only when the client says
/// something: most of those who are told much only listen.
struct EchoMemory: ~Copyable {
  private struct Value {
    /// The thing, the face and the bits of the value.
    var key: UInt64
    /// When it was told, in milliseconds that wrap.
    var milliseconds: Int32
    /// Its number among all that was told and said, which wraps; 0 where there is no value.
    var order: UInt32
  }

  private struct Word {
    var thing: Int32
    var order: UInt32
  }

  /// The most values that are remembered, usually and of who sends back what it hears; powers of two.
  static let usualCapacity = 4_096
  static let largestCapacity = 32_768
  /// As many as lie in one cache line.
  private static let ways = 4
  /// Of how many things is known that the client has said something about them itself.
  private static let wordCapacity = 1_024

  /// The latest values as they were told, around and around.
  private var told: UnsafeMutablePointer<Value>
  /// How many values were written down, and how many of them have found their place.
  private var toldCount = 0
  private var placedCount = 0
  private var values: UnsafeMutablePointer<Value>
  private var capacity = EchoMemory.usualCapacity
  private let words: UnsafeMutablePointer<Word>
  private var order: UInt32 = 0

  /// Remembers nothing.
  init() {
    told = Self.zeros(Self.usualCapacity)
    values = Self.zeros(Self.usualCapacity)
    words = Self.zeros(Self.wordCapacity)
  }

  deinit {
    free(told)
    free(values)
    free(words)
  }

  private static func zeros<Element>(_ count: Int) -> UnsafeMutablePointer<Element> {
    let bytes = count * MemoryLayout<Element>.stride
    guard let memory = aligned_alloc(64, bytes) else {
      preconditionFailure("memory for what a client is told")
    }
    memset(memory, 0, bytes)
    return memory.bindMemory(to: Element.self, capacity: count)
  }

  private static func key(_ thing: Int, _ face: ClientFace, _ bits: UInt32) -> UInt64 {
    UInt64(thing) << 34 | UInt64(face.index) << 32 | UInt64(bits)
  }

  /// The first of the values that share a place; keys differ in the upper bits of their products.
  private func set(of key: UInt64) -> UnsafeMutablePointer<Value> {
    let product = key &* 0x9E37_79B9_7F4A_7C15
    return values + Int(product >> 40) % (capacity / Self.ways) * Self.ways
  }

  private static func milliseconds(_ nanoseconds: Int64) -> Int32 {
    Int32(truncatingIfNeeded: nanoseconds / 1_000_000)
  }

  private mutating func nextOrder() -> UInt32 {
    order &+= order == .max ? 2 : 1
    return order
  }

  /// Remembers that the client was told a value at a time, in monotonic nanoseconds.
  mutating func note(_ thing: Int, _ face: ClientFace, bits: UInt32, nowNanoseconds now: Int64) {
    told[toldCount & (capacity - 1)] = Value(
      key: Self.key(thing, face, bits), milliseconds: Self.milliseconds(now), order: nextOrder())
    toldCount += 1
  }

  /// Remembers more from now on.
  mutating func enlarge() {
    guard capacity < Self.largestCapacity else { return }
    placeTold()
    let (old, count) = (values, capacity)
    capacity = Self.largestCapacity
    free(told)
    told = Self.zeros(capacity)
    values = Self.zeros(capacity)
    for place in 0..<count where old[place].order != 0 { put(old[place]) }
    free(old)
  }

  /// Gives what has been written down its place.
  private mutating func placeTold() {
    let first = max(placedCount, toldCount - capacity)
    for number in first..<toldCount { put(told[number & (capacity - 1)]) }
    placedCount = toldCount
  }

  private func put(_ value: Value) {
    let set = set(of: value.key)
    var place = 0
    for way in 0..<Self.ways {
      if set[way].order != 0, set[way].key == value.key {
        place = way
        break
      }
      if order &- set[way].order > order &- set[place].order { place = way }
    }
    set[place] = value
  }

  /// Forgets what the client was told of a thing, because it has said something itself.
  mutating func forget(_ thing: Int) {
    words[thing % Self.wordCapacity] = Word(thing: Int32(thing), order: nextOrder())
  }

  /// How long ago the client was told this, in milliseconds; nothing where it was not, or has said
  /// something about the thing since.
  mutating func age(
    _ thing: Int, _ face: ClientFace, bits: UInt32, nowNanoseconds now: Int64
  ) -> Int? {
    placeTold()
    let key = Self.key(thing, face, bits)
    let set = set(of: key)
    let word = words[thing % Self.wordCapacity]
    for way in 0..<Self.ways where set[way].key == key && set[way].order != 0 {
      let isOvertaken =
        word.order != 0 && word.thing == Int32(thing)
        && Int32(bitPattern: word.order &- set[way].order) > 0
      return isOvertaken ? nil : Int(Self.milliseconds(now) &- set[way].milliseconds)
    }
    return nil
  }
}
