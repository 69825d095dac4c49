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
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    func write(_ text: String) { folder.write(text, to: "conf") }
    write("virtual\ninputs 4\noutputs 4\nno-state\nlog error\n/matrix/in/0/out/1 0.7\n")
    let client = try #require(Datagrams())
    let command = try Command(
      ["run", "--config", folder.path(of: "conf"), "--osc-port", "\(client.port)"],
      readFile: CommandLineFiles.read)
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
