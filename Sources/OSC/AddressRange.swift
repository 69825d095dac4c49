/// A block of addresses, such as `192.168.1.0/24`.
public struct AddressRange: Hashable, Sendable, CustomStringConvertible {
  private let first: Peer
  private let prefixLength: Int

  /// Reads `ADDRESS/BITS`, or a single address; bits behind the prefix are ignored.
  public init(_ text: String) throws(OSCError) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let peer: Peer
    do {
      peer = try Peer(address: String(parts[0]), port: 0)
    } catch {
      throw OSCError(
        "\"\(text)\" is not a range of addresses of the form 192.168.1.0/24 or fd00::/8")
    }
    let width = peer.isIPv6 ? 128 : 32
    guard parts.count == 2 else {
      (first, prefixLength) = (peer, width)
      return
    }
    let digits = parts[1]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }),
      let length = Int(digits), length <= width
    else {
      throw OSCError(
        "the number of bits behind the slash of \"\(text)\" must be 0 to \(width)")
    }
    (first, prefixLength) = (peer, length)
  }

  /// Whether an address lies in the block; the port does not matter.
  public func contains(_ peer: Peer) -> Bool {
    guard peer.isIPv6 == first.isIPv6 else { return false }
    // Shifts by the whole width give 0 in Swift, so that an empty prefix holds everything.
    if !first.isIPv6 { return (peer.lower ^ first.lower) >> UInt64(32 - prefixLength) == 0 }
    let upperBits = min(prefixLength, 64)
    return (peer.upper ^ first.upper) >> UInt64(64 - upperBits) == 0
      && (peer.lower ^ first.lower) >> UInt64(64 - (prefixLength - upperBits)) == 0
  }

  /// The block as it was written, with its number of bits.
  public var description: String { "\(first.address)/\(prefixLength)" }
}
