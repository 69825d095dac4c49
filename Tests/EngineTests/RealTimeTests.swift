import CPlatform
import CTestSupport
import Engine
import Handoff
import MatrixCore
import Synchronization
import TestSupport
import Testing

/// What an audio thread saw of itself.
private final class Watch: Sendable {
  let policy = Atomic<Int32>(-1)
  let thread = Atomic<Int32>(0)
  let keeperPolicy = Atomic<Int32>(-1)
  let strangers = Atomic<Int32>(-1)
}

@Suite(.serialized) struct RealTimeTests {
  @Test("RT-01: without the right to real-time priority it says so once, says how, and plays")
  func playsWithoutPriority() throws {
    let source = ScriptedSource(onOpen: { _ = crosspoint_test_refuse_realtime() })
    let rig = try #require(try EngineRig(inputs: 1, outputs: 1, source: source))
    try rig.engine.start()
    _ = try #require(rig.waitUntilOpened())
    rig.go()
    var sentence = ""
    while sentence.isEmpty, let event = rig.nextEvent() {
      if case .priority(let said) = event { sentence = said }
    }
    #expect(sentence.contains("limits.d"))
    let cycles = rig.board.value(of: .cycles)
    #expect(rig.waitFor { rig.board.value(of: .cycles) > cycles + 10 })
    source.current = .lost
    while let event = rig.nextEvent(), event != .lost("The scripted card has gone.") {}
    source.current = .plays
    _ = try #require(rig.waitUntilOpened())
    rig.go()
    #expect(rig.waitFor { rig.board.value(of: .cycles) > cycles + 30 })
    #expect(rig.engine.stop())
    while rig.nextEvent(milliseconds: 0) != nil {}
    let said = rig.events.filter { if case .priority = $0 { true } else { false } }
    #expect(said.count == 1)
  }

  @Test("RT-02: the audio thread alone has real-time priority, as far as it may have any")
  func prefersTheAudioThreadOnly() throws {
    let watch = Watch()
    let source = ScriptedSource(
      onOpen: {
        watch.keeperPolicy.store(
          crosspoint_test_policy(crosspoint_thread_id()), ordering: .relaxed)
      },
      onStart: {
        watch.policy.store(crosspoint_test_policy(crosspoint_thread_id()), ordering: .relaxed)
        watch.strangers.store(crosspoint_test_realtime_strangers(), ordering: .relaxed)
      })
    let rig = try #require(try EngineRig(inputs: 1, outputs: 1, source: source))
    try rig.engine.start()
    _ = try #require(rig.waitUntilOpened())
    rig.go()
    #expect(rig.waitFor { rig.board.value(of: .cycles) > 10 })
    #expect(rig.engine.stop())
    // 1 is SCHED_FIFO; without the right to it the thread stays as it is.
    #expect([0, 1].contains(watch.policy.load(ordering: .relaxed)))
    #expect(watch.keeperPolicy.load(ordering: .relaxed) == 0)
    #expect(watch.strangers.load(ordering: .relaxed) == 0)
  }

  @Test("RT-02: an audio thread that never pauses loses its priority, and the program goes on")
  func demotesAHog() throws {
    let watch = Watch()
    let source = ScriptedSource(onStart: {
      watch.thread.store(crosspoint_thread_id(), ordering: .relaxed)
      watch.policy.store(
        crosspoint_test_policy(crosspoint_thread_id()), ordering: .relaxed)
    })
    let rig = try #require(try EngineRig(inputs: 1, outputs: 1, source: source))
    try rig.engine.start()
    #expect(crosspoint_test_limit_realtime(100_000) == 0)
    _ = try #require(rig.waitUntilOpened())
    rig.go()
    #expect(rig.waitFor { watch.policy.load(ordering: .relaxed) >= 0 })
    let demotions = crosspoint_realtime_demotions()
    source.current = .spins
    if watch.policy.load(ordering: .relaxed) == 1 {
      #expect(rig.waitFor { crosspoint_realtime_demotions() > demotions })
      var isSaid = false
      while !isSaid, let event = rig.nextEvent() {
        if case .priority(let sentence) = event { isSaid = sentence.contains("RLIMIT_RTTIME") }
      }
      #expect(isSaid)
    } else {
      let cycles = rig.board.value(of: .cycles)
      #expect(rig.waitFor { rig.board.value(of: .cycles) > cycles + 1000 })
    }
    #expect(crosspoint_test_policy(watch.thread.load(ordering: .relaxed)) == 0)
    source.current = .plays
    #expect(rig.engine.stop())
  }

  @Test(
    "RT-03: the audio thread neither allocates nor locks while gains, panic and meters change",
    .enabled(if: crosspoint_test_can_watch() != 0, "sanitizers bring their own allocator"))
  func neitherAllocatesNorLocks() throws {
    let source = WatchedSource()
    let rig = try #require(
      try EngineRig(inputs: 8, outputs: 8, rate: 48_000, periodFrames: 32, source: source))
    try rig.engine.start()
    _ = try #require(rig.waitUntilOpened())
    rig.go()
    #expect(rig.waitFor { rig.board.value(of: .cycles) > 0 })
    for round in 0..<200 {
      let cycles = rig.board.value(of: .cycles)
      let frame = rig.board.nextFrame
      var commands = (0..<Int32(rig.shape.gainCount)).map { index in
        GainCommand(
          frame: frame, gain: GainID(index: index), endsTransaction: false, factor: 1,
          fade: Fade(
            startFrame: frame, start: 0, end: Double(round % 3) / 2,
            durationFrames: Double(round % 4) * 500, curve: .decibels))
      }
      commands[commands.count - 1].endsTransaction = true
      _ = commands.withUnsafeBufferPointer { rig.ring.publish($0) }
      rig.board.setPanic(round % 50 > 40)
      rig.meters.request()
      #expect(rig.waitFor { rig.board.value(of: .cycles) > cycles })
    }
    #expect(rig.engine.stop())
    #expect(source.found.load(ordering: .acquiring) == 0)
  }

  @Test(
    "The watch of RT-03 sees an allocation",
    .enabled(if: crosspoint_test_can_watch() != 0, "sanitizers bring their own allocator"))
  func seesAnAllocation() {
    crosspoint_test_watch_begin()
    let memory = UnsafeMutablePointer<Int>.allocate(capacity: 1000)
    memory.initialize(repeating: 1, count: 1000)
    memory.deallocate()
    let found = crosspoint_test_watch_end()
    #expect(found & 0xFFFF_FFFF >= 2)
  }
}
