/// What a server has counted since it was made.
public struct OSCCounters: Equatable, Sendable {
  /// Datagrams that were read, whatever became of them.
  public var datagrams: UInt64 = 0
  /// Messages in good datagrams.
  public var messages: UInt64 = 0
  /// Bundles in good datagrams, nested ones included.
  public var bundles: UInt64 = 0
  /// Datagrams that were refused because they are not OSC.
  public var malformed: UInt64 = 0
  /// Datagrams that were dropped unread because nobody there is allowed.
  public var notAllowed: UInt64 = 0
  /// Datagrams that the kernel threw away because the receive buffer was full.
  public var kernelDropped: UInt64 = 0
  /// Datagrams that were sent.
  public var sent: UInt64 = 0
  /// Datagrams that could not be sent, or would not have fitted.
  public var sendFailures: UInt64 = 0

  /// Makes counters at 0.
  public init() {}
}
