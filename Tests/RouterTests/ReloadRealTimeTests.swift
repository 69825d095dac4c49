import CPlatform
import CTestSupport
import Engine
import Glibc
import Router
import Synchronization
import TestSupport
import Testing

/// What a session came to.
private final class Outcome: Sendable {
  let reloads = Atomic<Int>(0)
  let refused = Atomic<Int>(0)
}

@Suite("Reloading and the audio thread", .serialized)
struct ReloadRealTimeTests {
  @Test(
    "RT-03: the audio thread neither allocates nor locks while the configuration is read again",
    .enabled(if: crosspoint_test_can_watch() != 0, "sanitizers bring their own allocator"))
  func neitherAllocatesNorLocks() throws {
    let path = "/tmp/crosspoint-reload-\(getpid()).conf"
    defer { unlink(path) }
    func write(_ text: String) {
      guard let file = fopen(path, "w") else { return }
      fputs(text, file)
      fclose(file)
    }
    write("virtual\ninputs 4\noutputs 4\nno-state\nlog error\n/matrix/in/0/out/1 0.7\n")
    let client = try #require(Datagrams())
    let command = try Command(
      ["run", "--config", path, "--osc-port", "\(client.port)"], readFile: CommandLineFiles.read)
    guard case .run(let options) = command else { return }
    let (watch, outcome) = (WatchedSource(), Outcome())
    let writer = try LineWriter()
    // The session blocks signals for its thread and those that it starts, and for no other.
    let body: @Sendable () -> Void = {
      do throws(StartError) {
        let session = try RouterSession(options, writer: writer, source: watch)
        _ = session.run()
        outcome.reloads.store(session.reloads, ordering: .releasing)
        outcome.refused.store(session.refusedReloads, ordering: .releasing)
      } catch {
        Issue.record("\(error.sentence)")
      }
    }
    guard let thread = EngineThread(name: "session", body: body) else { return }
    #expect(client.answers("/ping"))
    for round in 0..<100 {
      write(
        round % 10 == 9
          ? "virtual\nnonsense\n"
          : "virtual\ninputs 4\noutputs 4\nno-state\nlog error\nallow 127.0.0.1\n"
            + "/matrix/in/0/out/1 0.\(round)\n")
      client.send("/config/reload")
      client.send("/matrix/in/*/out/*", Float(round) / 100)
      // The answer says that the pass is over in which the reload began.
      #expect(client.answers("/ping"))
    }
    watch.isOver.store(true, ordering: .releasing)
    let hasEnded = thread.join(milliseconds: 10_000)
    #expect(hasEnded)
    #expect(watch.found.load(ordering: .acquiring) == 0)
    // Wishes that come while the file is being read are fulfilled together.
    #expect(outcome.reloads.load(ordering: .acquiring) > 5)
    #expect(outcome.refused.load(ordering: .acquiring) > 0)
  }
}

/// Somebody who sends OSC to a port of this machine and waits for anything to come back.
private final class Datagrams {
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
