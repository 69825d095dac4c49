import CSocket

/// What has been taken from the kernel for one socket and is handed over now.
struct Inbox {
  let datagrams: OpaquePointer
  /// Whether the kernel may have more.
  var mayHaveMore = false
  /// The next one, once there is one.
  private(set) var next = udp_datagram()
  private var slots: Range<Int32> = 0..<0

  init(datagrams: OpaquePointer) { self.datagrams = datagrams }

  var isEmpty: Bool { slots.isEmpty }

  /// When the kernel got the next one, in nanoseconds since 1970; 0 where it does not say.
  var stamp: Int64 { next.arrival_nanoseconds }

  /// Holds so many datagrams that were just received.
  mutating func hold(_ count: Int32) {
    slots = 0..<count
    look()
  }

  /// Goes on behind the next one.
  mutating func take() {
    slots = slots.dropFirst()
    look()
  }

  private mutating func look() {
    guard let slot = slots.first else { return }
    udp_inbox_get(datagrams, slot, &next)
  }
}
