import CPlatform
import Surfaces
import Testing

/// How long the control thread waits, and for what.
@Suite struct PollSetTests {
  @Test("A few passes follow each other at once; more keep their distance, and a pause forgives")
  func pace() {
    var pace = Pace()
    var now: Int64 = 7_000_000_000
    for _ in 0..<Pace.freePasses { #expect(pace.rest(nowNanoseconds: now) == 0) }
    // 10,000 datagrams a second, each of them ready 100 us after the last one.
    let start = now
    var passes: Int64 = 0
    while now < start + 1_000_000_000 {
      let rest = pace.rest(nowNanoseconds: now)
      #expect((0...Pace.spacingNanoseconds).contains(rest))
      now += max(rest, 100_000)
      passes += 1
    }
    #expect((1_990...2_010).contains(passes))
    now += Pace.freePasses * Pace.spacingNanoseconds
    for _ in 0..<Pace.freePasses { #expect(pace.rest(nowNanoseconds: now) == 0) }
    // Passes that take long enough by themselves never rest.
    for _ in 0..<100 {
      now += Pace.spacingNanoseconds
      #expect(pace.rest(nowNanoseconds: now) == 0)
    }
    now += 60_000_000_000
    #expect(pace.rest(nowNanoseconds: now) == 0)
  }

  @Test("A socket that has something stays ready through every rest, and others end it")
  func ready() {
    let socket = crosspoint_wake_open()
    let other = crosspoint_wake_open()
    defer {
      crosspoint_close(socket)
      crosspoint_close(other)
    }
    var waiting = PollSet(sockets: [-1, socket], others: [-1, other])
    waiting.wait(untilNanoseconds: 0)
    #expect(!waiting.hasReadySocket && !waiting.isReady(other: 1))
    crosspoint_wake_signal(socket)
    for pass in 0..<100 {
      if pass == 50 { crosspoint_wake_signal(other) }
      waiting.wait(untilNanoseconds: .max)
      #expect(waiting.hasReadySocket)
      #expect(waiting.isReady(other: 1) == (pass >= 50))
    }
    _ = crosspoint_wake_clear(socket)
    waiting.wait(untilNanoseconds: .max)
    #expect(!waiting.hasReadySocket && waiting.isReady(other: 1))
    waiting.setOther(1, to: -1)
    waiting.wait(untilNanoseconds: crosspoint_monotonic_ns() + 1_000_000)
    #expect(!waiting.isReady(other: 1))
  }
}
