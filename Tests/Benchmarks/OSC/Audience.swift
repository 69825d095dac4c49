import Glibc
import Synchronization

/// Clients that subscribe to everything and keep what they hear, on a thread of their own.
final class Audience: Sendable {
  /// What one of them has heard.
  struct Hearing: Sendable {
    /// The last value of each address.
    var values: [String: Float] = [:]
    /// How many values there were.
    var count = 0
    /// When the last datagram came, on the monotonic clock, in seconds.
    var lastSeconds = 0.0
  }

  private let descriptors: [Int32]
  private let isOver = Atomic<Bool>(false)
  private let hearings: Mutex<[Hearing]>
  private let thread = Mutex<pthread_t>(pthread_t())

  /// Makes sockets that have subscribed at a port of this machine.
  init(count: Int, port: UInt16) throws {
    var descriptors: [Int32] = []
    for _ in 0..<count {
      let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_port = port.bigEndian
      name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let isConnected = withUnsafePointer(to: &name) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      guard isConnected else { throw BenchmarkError(description: "cannot connect to port \(port)") }
      let request = Array("/subscribe\0\0,\0\0\0".utf8)
      _ = Glibc.send(descriptor, request, request.count, 0)
      descriptors.append(descriptor)
    }
    self.descriptors = descriptors
    hearings = Mutex([Hearing](repeating: Hearing(), count: count))
    var started = pthread_t()
    guard
      pthread_create(&started, nil, runAudience, Unmanaged.passUnretained(self).toOpaque()) == 0
    else {
      throw BenchmarkError(description: "cannot start a thread")
    }
    let made = started
    thread.withLock { $0 = made }
  }

  /// Ends the listening and gives what everybody has heard.
  func end() -> [Hearing] {
    isOver.store(true, ordering: .releasing)
    pthread_join(thread.withLock { $0 }, nil)
    for descriptor in descriptors { close(descriptor) }
    return hearings.withLock { $0 }
  }

  fileprivate func listen() {
    var heard = [Hearing](repeating: Hearing(), count: descriptors.count)
    var waiting = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var buffer = [UInt8](repeating: 0, count: 2_048)
    while !isOver.load(ordering: .acquiring) {
      guard poll(&waiting, nfds_t(waiting.count), 10) > 0 else { continue }
      let now = Clock.monotonicSeconds
      for place in waiting.indices where waiting[place].revents != 0 {
        let count = recv(waiting[place].fd, &buffer, buffer.count, 0)
        guard count > 0 else { continue }
        heard[place].lastSeconds = now
        Self.read(buffer[..<count], into: &heard[place])
      }
    }
    let all = heard
    hearings.withLock { $0 = all }
  }

  /// Reads messages with one float, alone or in a bundle.
  private static func read(_ bytes: ArraySlice<UInt8>, into hearing: inout Hearing) {
    guard bytes.first == UInt8(ascii: "#") else {
      let address = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      let bits = bytes.suffix(4).reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
      hearing.values[address] = Float(bitPattern: bits)
      hearing.count += 1
      return
    }
    var start = bytes.startIndex + 16
    while start + 4 <= bytes.endIndex {
      let size = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      read(bytes[start + 4..<min(bytes.endIndex, start + 4 + size)], into: &hearing)
      start += 4 + size
    }
  }
}

private func runAudience(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { Unmanaged<Audience>.fromOpaque(context).takeUnretainedValue().listen() }
  return nil
}
