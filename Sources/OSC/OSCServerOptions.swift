/// Where a server listens and whom it hears.
public struct OSCServerOptions: Sendable {
  /// The UDP port, 1...65535; 0 takes any that is free.
  public var port: UInt16 = 9000
  /// The addresses to listen on; none means this machine alone, over IPv4 and, where it exists, IPv6.
  ///
  /// `0.0.0.0` and `::` are all interfaces.
  public var listenAddresses: [String] = []
  /// Whom to hear; none means everybody who reaches the sockets.
  public var allowedRanges: [AddressRange] = []
  /// The receive buffer to ask the kernel for, per socket, in bytes.
  public var receiveBufferBytes = 4 << 20

  /// Makes options with the defaults.
  public init() {}
}
