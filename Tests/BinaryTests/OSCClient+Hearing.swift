import Glibc

/// What a client is told without asking.
extension OSCClient {
  /// Binds the socket to a port of 127.0.0.1, any free one unless told, and says which.
  func listen(on wanted: UInt16 = 0) -> UInt16 {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = wanted.bigEndian
    name.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        precondition(bind(descriptor, $0, size) == 0, "port \(wanted) is free")
        precondition(getsockname(descriptor, $0, &size) == 0, "a bound socket")
      }
      return UInt16(bigEndian: $0.pointee.sin_port)
    }
  }

  /// The messages of the next datagram and the port that it came from; none when none comes.
  func hear(milliseconds: Int32 = 2_000) -> (messages: [Wire.Answer], port: UInt16) {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, milliseconds) == 1 else { return ([], 0) }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var name = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let capacity = buffer.count
    let count = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        recvfrom(descriptor, &buffer, capacity, 0, $0, &size)
      }
    }
    guard count >= 0 else { return ([], 0) }
    return (Wire.answers(Array(buffer[0..<count])), UInt16(bigEndian: name.sin_port))
  }

  /// Everything that is heard until a message is the wanted one, or until nothing comes any more.
  func hear(until isWanted: (Wire.Answer) -> Bool) -> [Wire.Answer] {
    var all: [Wire.Answer] = []
    while true {
      let next = hear().messages
      all += next
      if next.isEmpty || next.contains(where: isWanted) { return all }
    }
  }

  /// Whether an address is told with this number before nothing comes any more.
  func hears(_ address: String, _ number: Double) -> Bool {
    hear { $0.address == address && Rig.same($0.numbers.first, number) }
      .contains { $0.address == address && Rig.same($0.numbers.first, number) }
  }

  /// Waits until the router has taken everything that this client has sent.
  func settle() {
    send("/ping", .i(77))
    _ = hear { $0.address == "/pong" && $0.numbers == [77] }
  }
}

extension Wire {
  /// The messages of a datagram, those of a bundle in their order.
  static func answers(_ bytes: [UInt8]) -> [Answer] {
    guard bytes.starts(with: padded("#bundle")) else { return answer(bytes).map { [$0] } ?? [] }
    var all: [Answer] = []
    var position = 16
    while position + 4 <= bytes.count {
      let size = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      position += 4
      guard position + size <= bytes.count else { return all }
      all += answers(Array(bytes[position..<position + size]))
      position += size
    }
    return all
  }
}
