/// When a message is to take effect, as its sender said it.
public enum TimeTag: Equatable, Sendable {
  /// At once: no tag, or the tag 1 (or 0).
  case immediate
  /// The NTP time of the tag: seconds since 1900 in the upper 32 bits, the fraction in the lower.
  case ntp(UInt64)
}

/// The messages that arrived together, in order, in memory that is kept from one batch to the next.
///
/// A batch is one datagram, or the lines of one moment of a text. It holds addresses and arguments
/// back to back, so that filling it again allocates nothing once it has grown to size.
public struct MessageBatch: Sendable {
  /// One message: where its address and its arguments lie, and when it is due.
  public struct Message: Equatable, Sendable {
    /// Where the address lies in `addressBytes`.
    public var address: Range<Int>
    /// Where the arguments lie in `arguments`.
    public var arguments: Range<Int>
    /// When it is due.
    ///
    /// In a bundle inside a bundle this is never earlier than the outer one's time.
    public var time: TimeTag
  }

  /// The UTF-8 bytes of all addresses, back to back, without terminators.
  public private(set) var addressBytes: [UInt8] = []
  /// The arguments of all messages, back to back.
  public private(set) var arguments: [Argument] = []
  /// The messages, in the order in which they were sent.
  public private(set) var messages: [Message] = []

  /// Makes an empty batch.
  public init() {}

  /// Whether there is no message.
  public var isEmpty: Bool { messages.isEmpty }

  /// Forgets the messages and keeps the memory.
  public mutating func removeAll() {
    addressBytes.removeAll(keepingCapacity: true)
    arguments.removeAll(keepingCapacity: true)
    messages.removeAll(keepingCapacity: true)
  }

  /// Adds a message without arguments; `appendArgument` gives it some.
  public mutating func append(address: UnsafeBufferPointer<UInt8>, time: TimeTag = .immediate) {
    let start = addressBytes.count
    addressBytes.append(contentsOf: address)
    messages.append(
      Message(
        address: start..<addressBytes.count, arguments: arguments.count..<arguments.count,
        time: time))
  }

  /// Adds an argument to the message that was added last.
  public mutating func appendArgument(_ argument: Argument) {
    precondition(!messages.isEmpty, "an argument belongs to a message")
    arguments.append(argument)
    messages[messages.count - 1].arguments =
      messages[messages.count - 1].arguments.lowerBound..<arguments.count
  }

  /// Adds a message whole.
  public mutating func append(
    address: String, arguments: [Argument] = [], time: TimeTag = .immediate
  ) {
    var address = address
    address.withUTF8 { append(address: $0, time: time) }
    for argument in arguments { appendArgument(argument) }
  }

  /// The address of a message, as text.
  public func addressText(of message: Message) -> String {
    String(decoding: addressBytes[message.address], as: UTF8.self)
  }
}
