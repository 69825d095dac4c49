import Glibc
import Messages
import OSC

/// What a socket has heard: one message.
struct Heard: Equatable {
  var address: String
  var arguments: [Argument]

  init(_ address: String, _ arguments: Argument...) {
    self.address = address
    self.arguments = arguments
  }

  init(address: String, arguments: [Argument]) {
    self.address = address
    self.arguments = arguments
  }

  /// Its first argument as a number.
  var number: Double? { arguments.first?.number }
}

/// Somebody with a tablet: a socket on this machine that speaks to a router and hears.
final class Tablet {
  let port: UInt16
  private let descriptor: Int32
  private let router: UInt16
  private var isOpen = true
  private let builder = PacketBuilder()
  /// How many datagrams have been read.
  private(set) var datagrams = 0
  /// The largest of them, in bytes.
  private(set) var largestDatagram = 0

  /// Binds to a port of 127.0.0.1, or to a free one, and speaks to a port of that address.
  ///
  /// With another `machine` it has 127.0.0.2 and so on for an address, as if it were elsewhere.
  init(
    to router: UInt16, port wanted: UInt16 = 0, receiveBuffer: Int32? = nil, machine: UInt32 = 1
  ) {
    self.router = router
    descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    precondition(descriptor >= 0, "a socket")
    if var bytes = receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, 4)
    }
    var name = Self.name(wanted, machine)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let opened = descriptor
    port = withUnsafeMutablePointer(to: &name) { name in
      name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        precondition(bind(opened, $0, length) == 0, "port \(wanted) is free")
        precondition(getsockname(opened, $0, &length) == 0, "a bound socket")
      }
      return UInt16(bigEndian: name.pointee.sin_port)
    }
  }

  deinit {
    hangUp()
  }

  /// Closes the socket, so that nobody listens at its port.
  func hangUp() {
    guard isOpen else { return }
    isOpen = false
    close(descriptor)
  }

  private static func name(_ port: UInt16, _ machine: UInt32 = 1) -> sockaddr_in {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr.s_addr = (0x7F00_0000 | machine).bigEndian
    return name
  }

  /// Sends a message, which has arrived on return.
  func send(_ address: String, _ arguments: Argument...) {
    send(address: address, arguments: arguments)
  }

  /// Sends a message, which has arrived on return.
  func send(address: String, arguments: [Argument]) {
    _ = builder.withMessage(address: address, arguments: arguments) { send(Array($0)) }
  }

  /// Sends messages as one bundle, which means at once unless a time tag says when.
  func send(bundle messages: [Heard], at tag: UInt64 = 1) {
    send(Self.bundle(messages.map(bytes(of:)), at: tag))
  }

  /// A message as bytes.
  func bytes(of message: Heard) -> [UInt8] {
    builder.withMessage(address: message.address, arguments: message.arguments) { Array($0) } ?? []
  }

  /// A bundle of messages and bundles.
  static func bundle(_ elements: [[UInt8]], at tag: UInt64 = 1) -> [UInt8] {
    var bytes: [UInt8] = Array("#bundle\0".utf8)
    withUnsafeBytes(of: tag.bigEndian) { bytes += Array($0) }
    for element in elements {
      withUnsafeBytes(of: UInt32(element.count).bigEndian) { bytes += Array($0) }
      bytes += element
    }
    return bytes
  }

  /// Sends any bytes.
  func send(_ bytes: [UInt8]) {
    var name = Self.name(router)
    withUnsafePointer(to: &name) { name in
      name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = sendto(
          descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  /// Everything that has arrived since the last time, bundles taken apart.
  func heard() -> [Heard] {
    guard let parser = try? PacketParser() else { return [] }
    var all: [Heard] = []
    var buffer = [UInt8](repeating: 0, count: 65_536 + 8)
    while true {
      let count = recv(descriptor, &buffer, 65_536, Int32(MSG_DONTWAIT))
      guard count >= 0 else { return all }
      datagrams += 1
      largestDatagram = max(largestDatagram, count)
      for offset in 0..<8 { buffer[count + offset] = 0 }
      let fault = buffer.withUnsafeMutableBufferPointer {
        parser.parse(UnsafeMutableBufferPointer(rebasing: $0[..<count]))
      }
      precondition(fault == nil, "a datagram of OSC")
      for message in parser.batch.messages {
        all.append(
          Heard(
            address: parser.batch.addressText(of: message),
            arguments: Array(parser.batch.arguments[message.arguments])))
      }
    }
  }
}
