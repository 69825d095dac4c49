import Glibc

/// Somebody with a tablet: one UDP socket that speaks to a router on this machine.
final class OSCClient {
  let descriptor: Int32
  private let port: UInt16
  private let isSix: Bool

  init(port: UInt16, overIPv6: Bool = false) {
    self.port = port
    isSix = overIPv6
    descriptor = socket(isSix ? AF_INET6 : AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    precondition(descriptor >= 0, "a socket")
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) {
    if isSix {
      var target = sockaddr_in6()
      target.sin6_family = sa_family_t(AF_INET6)
      target.sin6_port = port.bigEndian
      inet_pton(AF_INET6, "::1", &target.sin6_addr)
      send(bytes, to: &target)
    } else {
      var target = sockaddr_in()
      target.sin_family = sa_family_t(AF_INET)
      target.sin_port = port.bigEndian
      target.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      send(bytes, to: &target)
    }
  }

  private func send<Address>(_ bytes: [UInt8], to target: inout Address) {
    withUnsafePointer(to: &target) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = sendto(
          descriptor, bytes, bytes.count, 0, address, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }

  func send(_ address: String, _ items: Wire.Item...) {
    send(Wire.message(address, items))
  }

  /// The next answer, or nothing when none comes in time.
  func receive(milliseconds: Int32 = 1_000) -> Wire.Answer? {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, milliseconds) == 1 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count >= 0 else { return nil }
    return Wire.answer(Array(buffer[0..<count]))
  }

  /// Asks an address and gives the answer; answers to other things are passed over.
  func ask(_ address: String) -> Wire.Answer? {
    while receive(milliseconds: 0) != nil {}
    send(Wire.message(address))
    while let answer = receive() {
      if answer.address == address { return answer }
    }
    return nil
  }

  /// The one number that an address answers.
  func number(_ address: String) -> Double? {
    guard let answer = ask(address), answer.numbers.count == 1 else { return nil }
    return answer.numbers[0]
  }

  /// The value that `/engine/status` lists behind a name.
  func status(_ name: String) -> Wire.Value? {
    guard let answer = ask("/engine/status"),
      let index = answer.values.firstIndex(of: .text(name)), index + 1 < answer.values.count
    else { return nil }
    return answer.values[index + 1]
  }
}
