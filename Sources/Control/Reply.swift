import Messages

/// A message back to who asked, or who must be corrected.
public struct Reply: Equatable, Sendable {
  /// Who it is for.
  public var source: Source
  /// The address.
  public var address: String
  /// The arguments.
  public var arguments: [Argument]

  /// Makes a reply.
  public init(source: Source, address: String, arguments: [Argument]) {
    self.source = source
    self.address = address
    self.arguments = arguments
  }

  /// The address of every refusal.
  public static let errorAddress = "/error"

  /// Whether it refuses something.
  public var isError: Bool { address == Self.errorAddress }
}
