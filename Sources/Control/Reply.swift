import Messages

/// A message back to who asked, or who must be corrected.
public struct Reply: Equatable, Sendable {
  /// Who it is for.
  public var source: Source
  /// The address.
  public var address: String
  /// The arguments.
  public var arguments: [Argument]
  /// Whether it also goes to where the client listens, if that is another place than the one that
  /// it spoke from: a correction of what its faders show, and a welcome.
  public var isForListener: Bool

  /// Makes a reply.
  public init(
    source: Source, address: String, arguments: [Argument], isForListener: Bool = false
  ) {
    self.source = source
    self.address = address
    self.arguments = arguments
    self.isForListener = isForListener
  }

  /// Whether two say the same to the same; where else it goes makes no difference.
  public static func == (one: Reply, other: Reply) -> Bool {
    one.source == other.source && one.address == other.address && one.arguments == other.arguments
  }

  /// The address of every refusal.
  public static let errorAddress = "/error"

  /// Whether it refuses something.
  public var isError: Bool { address == Self.errorAddress }
}
