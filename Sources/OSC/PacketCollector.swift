import Messages

/// What liblo has told about the datagram that it is going through.
///
/// liblo delivers the good parts of a datagram before it finds a later part broken; they wait here
/// until the whole of it is known to be good.
struct PacketCollector {
  /// The messages so far.
  var batch = MessageBatch()
  /// The first thing that was wrong.
  private(set) var fault: PacketFault?
  /// The bundles that have been opened.
  private(set) var bundleCount = 0
  /// When the contents of each open bundle are due: NTP time, 0 for at once.
  private var dueTimes: [UInt64] = []

  /// Makes an empty collector with room for the deepest nesting that fits in a datagram.
  init() {
    dueTimes.reserveCapacity(4096)
  }

  /// Forgets everything and keeps the memory.
  mutating func reset() {
    batch.removeAll()
    dueTimes.removeAll(keepingCapacity: true)
    fault = nil
    bundleCount = 0
  }

  /// Notes what is wrong; the first of several counts.
  mutating func fail(_ newFault: @autoclosure () -> PacketFault) {
    if fault == nil { fault = newFault() }
  }

  /// Enters a bundle.
  mutating func openBundle(ntp tag: UInt64) {
    bundleCount += 1
    let own = tag <= 1 ? 0 : tag
    guard let outer = dueTimes.last, outer != 0 else {
      dueTimes.append(own)
      return
    }
    // The difference, not the order, of two tags says which is later when the era changes.
    let isLater = own != 0 && Int64(bitPattern: own &- outer) > 0
    dueTimes.append(isLater ? own : outer)
  }

  /// Leaves the bundle that was entered last.
  mutating func closeBundle() {
    // liblo leaves out the end of a bundle that it found broken.
    _ = dueTimes.popLast()
  }

  /// Adds a message without arguments.
  mutating func openMessage(_ path: UnsafePointer<CChar>) {
    let bytes = UnsafeRawPointer(path).assumingMemoryBound(to: UInt8.self)
    var count = 0
    while bytes[count] != 0 { count += 1 }
    guard bytes[0] == UInt8(ascii: "/") else {
      fail(PacketFault("an address in it does not begin with a slash"))
      return
    }
    let due = dueTimes.last ?? 0
    batch.append(
      address: UnsafeBufferPointer(start: bytes, count: count),
      time: due == 0 ? .immediate : .ntp(due))
  }

  /// Adds an argument to the message that was added last.
  ///
  /// `value` is where liblo left the argument in host order; nothing for tags without data. It may
  /// lie at any multiple of four bytes.
  mutating func addArgument(tag: UInt8, at value: UnsafeRawPointer?) {
    guard fault == nil else { return }
    let argument: Argument
    switch (tag, value) {
    case (UInt8(ascii: "f"), let value?): argument = .float(value.loadUnaligned(as: Float.self))
    case (UInt8(ascii: "i"), let value?): argument = .int32(value.loadUnaligned(as: Int32.self))
    case (UInt8(ascii: "h"), let value?): argument = .int64(value.loadUnaligned(as: Int64.self))
    case (UInt8(ascii: "d"), let value?): argument = .double(value.loadUnaligned(as: Double.self))
    case (UInt8(ascii: "s"), let value?):
      argument = .string(String(cString: value.assumingMemoryBound(to: UInt8.self)))
    case (UInt8(ascii: "T"), _): argument = .bool(true)
    case (UInt8(ascii: "F"), _): argument = .bool(false)
    case (UInt8(ascii: "N"), _): argument = .null
    case (UInt8(ascii: "I"), _): argument = .impulse
    default: argument = .other(tag)
    }
    batch.appendArgument(argument)
  }
}
