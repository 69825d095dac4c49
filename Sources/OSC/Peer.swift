import CSocket

/// One end of a conversation over UDP: an IPv4 or IPv6 address and a port.
public struct Peer: Hashable, Sendable, CustomStringConvertible {
  /// The upper 64 bits of an IPv6 address; 0 for IPv4.
  let upper: UInt64
  /// The lower 64 bits of an IPv6 address, or the 32 of an IPv4 one.
  let lower: UInt64
  /// The interface of an IPv6 address that means something on one link only, else 0.
  let scope: UInt32
  /// The port, 0...65535.
  public let port: UInt16
  /// Whether the address is an IPv6 one.
  public let isIPv6: Bool

  /// Makes a peer of an address such as `127.0.0.1`, `::1` or `fe80::1%eth0`.
  ///
  /// Host names are not looked up, because that may block.
  public init(address: String, port: UInt16) throws(OSCError) {
    var raw = udp_peer()
    guard address.withCString({ udp_parse_address($0, &raw) }) else {
      throw OSCError(
        "\"\(address)\" is not an IPv4 or IPv6 address of the form 192.168.1.20 or fe80::1%eth0")
    }
    raw.port = port
    self.init(raw)
  }

  init(_ raw: udp_peer) {
    isIPv6 = raw.is_ipv6
    (upper, lower) = withUnsafeBytes(of: raw.address) { bytes in
      let front = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
      let back = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      return raw.is_ipv6 ? (front, back) : (0, front >> 32)
    }
    scope = raw.scope
    port = raw.port
  }

  /// The machine that it is on: the same address without a port.
  public var host: Peer {
    Peer(upper: upper, lower: lower, scope: scope, port: 0, isIPv6: isIPv6)
  }

  private init(upper: UInt64, lower: UInt64, scope: UInt32, port: UInt16, isIPv6: Bool) {
    self.upper = upper
    self.lower = lower
    self.scope = scope
    self.port = port
    self.isIPv6 = isIPv6
  }

  /// The peer as the sockets want it.
  var raw: udp_peer {
    var raw = udp_peer()
    raw.is_ipv6 = isIPv6
    raw.scope = scope
    raw.port = port
    withUnsafeMutableBytes(of: &raw.address) { bytes in
      if isIPv6 {
        bytes.storeBytes(of: upper.bigEndian, as: UInt64.self)
        bytes.storeBytes(of: lower.bigEndian, toByteOffset: 8, as: UInt64.self)
      } else {
        bytes.storeBytes(of: UInt32(truncatingIfNeeded: lower).bigEndian, as: UInt32.self)
      }
    }
    return raw
  }

  /// The address without the port, such as `127.0.0.1` or `fe80::1%eth0`.
  public var address: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
      guard let start = text.baseAddress else { return "" }
      text.initialize(repeating: 0)
      var raw = raw
      udp_format_address(&raw, start)
      return String(cString: start)
    }
  }

  /// The address and the port, such as `127.0.0.1:9000` or `[::1]:9000`.
  public var description: String {
    isIPv6 ? "[\(address)]:\(port)" : "\(address):\(port)"
  }

  /// The same address with another port.
  public func with(port: UInt16) -> Peer {
    var raw = raw
    raw.port = port
    return Peer(raw)
  }

  /// Whether the address is this machine talking to itself.
  public var isLoopback: Bool {
    isIPv6 ? upper == 0 && lower == 1 : lower >> 24 == 127
  }

  /// Whether the address means every interface.
  public var isUnspecified: Bool { upper == 0 && lower == 0 }
}
