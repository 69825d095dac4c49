import Glibc
import OSC

/// A plain socket at the other end, of which the library knows nothing.
final class Client {
  let descriptor: Int32
  let port: UInt16
  private let isIPv6: Bool

  /// Binds to a free port of the loopback address.
  init(isIPv6: Bool = false) throws {
    self.isIPv6 = isIPv6
    let opened = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    descriptor = opened
    // The port lies at the same place in both kinds of address.
    var name = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let isBound = Self.withAddress(isIPv6: isIPv6, port: 0) { bind(opened, $0, $1) == 0 }
    let isNamed = withUnsafeMutableBytes(of: &name) {
      getsockname(opened, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, &length) == 0
    }
    port = UInt16(bigEndian: name.sin6_port)
    guard isBound, isNamed else { throw Failure() }
  }

  deinit {
    close(descriptor)
  }

  struct Failure: Error {}

  /// Sends a datagram to a port of the same loopback address, where it has arrived on return.
  func send(_ bytes: [UInt8], to port: UInt16) {
    _ = Self.withAddress(isIPv6: isIPv6, port: port) {
      sendto(descriptor, bytes, bytes.count, 0, $0, $1)
    }
  }

  /// The next datagram and the port that it came from; nothing when none comes in two seconds.
  func receive() -> (bytes: [UInt8], port: UInt16)? {
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&wait, 1, 2000) == 1 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var name = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let capacity = bytes.count
    let count = withUnsafeMutableBytes(of: &name) { name in
      recvfrom(
        descriptor, &bytes, capacity, 0, name.assumingMemoryBound(to: sockaddr.self).baseAddress,
        &length)
    }
    guard count >= 0 else { return nil }
    return (Array(bytes.prefix(count)), UInt16(bigEndian: name.sin6_port))
  }

  private static func withAddress<Result>(
    isIPv6: Bool, port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    func call<Name>(_ name: inout Name) -> Result {
      withUnsafeMutablePointer(to: &name) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<Name>.size))
        }
      }
    }
    if isIPv6 {
      var name = sockaddr_in6()
      name.sin6_family = sa_family_t(AF_INET6)
      name.sin6_port = port.bigEndian
      name.sin6_addr = in6addr_loopback
      return call(&name)
    }
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return call(&name)
  }
}
