import Control

/// What a client has been told last, thing by thing and face by face, to know it again when it
/// comes back.
///
/// A program that sends back whatever it hears would otherwise undo what others have set in the
/// meantime. The memory is bounded: of things with the same place in it, the latest stays.
struct EchoMemory: ~Copyable {
  private struct Entry {
    /// The thing, times the number of faces, and the face.
    var key: Int32 = -1
    var last: UInt32 = 0
    var previous: UInt32 = 0
  }

  /// The most values that are remembered.
  static let capacity = 4_096
  /// How far apart the faces of a thing lie, so that those of neighbours are not in their way.
  private static let faceStride = 1_031
  private static let faces = ClientFace.allCases.count

  private let entries: UnsafeMutablePointer<Entry>

  /// Remembers nothing.
  init() {
    entries = .allocate(capacity: Self.capacity)
    entries.initialize(repeating: Entry(), count: Self.capacity)
  }

  deinit {
    entries.deallocate()
  }

  private static func place(_ thing: Int, _ face: Int) -> Int {
    (thing + face * faceStride) % capacity
  }

  private static func key(_ thing: Int, _ face: Int) -> Int32 { Int32(thing * faces + face) }

  /// Remembers that the client was told a value.
  mutating func note(_ thing: Int, _ face: ClientFace, bits: UInt32) {
    let place = Self.place(thing, face.index)
    let key = Self.key(thing, face.index)
    let previous = entries[place].key == key ? entries[place].last : bits
    entries[place] = Entry(key: key, last: bits, previous: previous)
  }

  /// Forgets what the client was told of a thing, because it has said something itself.
  mutating func forget(_ thing: Int) {
    for face in 0..<Self.faces {
      let place = Self.place(thing, face)
      if entries[place].key == Self.key(thing, face) { entries[place].key = -1 }
    }
  }

  /// Whether the client was told this last, or where `orBefore` says so the time before.
  func holds(_ thing: Int, _ face: ClientFace, bits: UInt32, orBefore: Bool) -> Bool {
    let entry = entries[Self.place(thing, face.index)]
    guard entry.key == Self.key(thing, face.index) else { return false }
    return entry.last == bits || (orBefore && entry.previous == bits)
  }
}
