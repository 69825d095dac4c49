import Glibc

/// Somebody who sends OSC to a port of this machine and waits for anything to come back.
final class Datagrams {
  let descriptor: Int32
  let port: UInt16

  /// Finds a free port.
  init?() {
    descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    let probe = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(probe) }
    var address = Self.loopback(port: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(probe, $0, size) == 0 && getsockname(probe, $0, &size) == 0
      }
    }
    guard descriptor >= 0, isBound else { return nil }
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = port.bigEndian
    return address
  }

  func send(_ address: String, _ value: Float? = nil) {
    func padded(_ text: String) -> [UInt8] {
      let bytes = Array(text.utf8)
      return bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
    }
    var bytes = padded(address) + padded(value == nil ? "," : ",f")
    if let value { withUnsafeBytes(of: value.bitPattern.bigEndian) { bytes += Array($0) } }
    var target = Self.loopback(port: port)
    withUnsafePointer(to: &target) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = sendto(
          descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  /// Asks, again where nobody listens yet, and waits for an answer.
  func answers(_ address: String) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 {}
    for _ in 0..<100 {
      send(address)
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&waiting, 1, 100) == 1, recv(descriptor, &buffer, buffer.count, 0) > 0 {
        return true
      }
    }
    return false
  }
}

/// What the status says.
extension Datagrams {
  /// Asks for the status until a counter of 64 bits has a value, for some seconds.
  func counts(_ name: String, _ value: Double) -> Bool {
    reaches { bytes in
      // The tags say which of the values is how long; names and values take turns.
      Self.status(bytes)[name] == .number(value)
    }
  }

  /// Asks for the status until the engine is in a state, for some seconds.
  func hasState(_ state: String) -> Bool {
    reaches { Self.status($0)["state"] == .text(state) }
  }

  private enum Value: Equatable {
    case text(String)
    case number(Double)
  }

  private func reaches(_ isWanted: ([UInt8]) -> Bool) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    for _ in 0..<1_000 {
      send("/engine/status")
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 1_000) == 1 else { continue }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0, isWanted(Array(buffer[..<count])) { return true }
      poll(nil, 0, 5)
    }
    return false
  }

  private static func status(_ bytes: [UInt8]) -> [String: Value] {
    var position = 0
    func text() -> String {
      let end = bytes[position...].firstIndex(of: 0) ?? bytes.endIndex
      defer { position = (end / 4 + 1) * 4 }
      return String(decoding: bytes[position..<end], as: UTF8.self)
    }
    func number(_ count: Int) -> UInt64 {
      guard position + count <= bytes.count else { return 0 }
      defer { position += count }
      return bytes[position..<position + count].reduce(0) { $0 << 8 | UInt64($1) }
    }
    guard text() == "/engine/status" else { return [:] }
    var values: [Value] = []
    for tag in text().dropFirst() {
      switch tag {
      case "s": values.append(.text(text()))
      case "h": values.append(.number(Double(Int64(bitPattern: number(8)))))
      case "i": values.append(.number(Double(Int32(bitPattern: UInt32(number(4))))))
      default: values.append(.number(Double(Float(bitPattern: UInt32(number(4))))))
      }
    }
    var status: [String: Value] = [:]
    for place in stride(from: 0, to: values.count - 1, by: 2) {
      if case .text(let name) = values[place] { status[name] = values[place + 1] }
    }
    return status
  }
}
