import CPlatform
import Engine
import Handoff
import MatrixCore
import Testing

@Suite(.serialized) struct EngineStateTests {
  private func rig(_ source: ScriptedSource) throws -> EngineRig {
    try #require(try EngineRig(inputs: 1, outputs: 1, periodFrames: 48, source: source))
  }

  private func running(_ source: ScriptedSource) throws -> EngineRig {
    let rig = try rig(source)
    try rig.engine.start()
    _ = try #require(rig.waitUntilOpened())
    rig.go([rig.shape.crosspoint(input: 0, output: 0): 1])
    let cycles = rig.board.value(of: .cycles)
    #expect(rig.waitFor { rig.board.value(of: .cycles) > cycles })
    return rig
  }

  @Test("A missing device is waited for, which is said once for each reason, and opened in the end")
  func waitsForADevice() throws {
    let source = ScriptedSource()
    source.refusal.withLock { $0 = DeviceError("The card is busy.") }
    let rig = try rig(source)
    try rig.engine.start()
    #expect(rig.nextEvent() == .waiting("The card is busy."))
    #expect(rig.waitFor { source.attempts.load(ordering: .relaxed) >= 3 })
    #expect(rig.engine.nextEvent() == nil)
    source.refusal.withLock { $0 = DeviceError("The card is missing.") }
    #expect(rig.nextEvent() == .waiting("The card is missing."))
    source.refusal.withLock { $0 = nil }
    #expect(rig.waitUntilOpened()?.name == "scripted")
    #expect(rig.engine.stop())
    #expect(source.closed.load(ordering: .relaxed) == 1)
  }

  @Test("What waiting cannot mend is said, and not tried again")
  func failsForGood() throws {
    let source = ScriptedSource()
    source.refusal.withLock {
      $0 = DeviceError("The card has 44100 Hz, not 48000.", isPermanent: true)
    }
    let rig = try rig(source)
    try rig.engine.start()
    #expect(rig.nextEvent() == .failed("The card has 44100 Hz, not 48000."))
    #expect(rig.engine.stop())
    #expect(source.attempts.load(ordering: .relaxed) == 1)
  }

  @Test("A device that comes back otherwise than it went is waited for, and does not end the show")
  func survivesAnotherRate() throws {
    let source = ScriptedSource()
    let rig = try running(source)
    let refusal = DeviceError("The card has 44100 Hz, not 48000.", isPermanent: true)
    source.refusal.withLock { $0 = refusal }
    source.current = .lost
    while let event = rig.nextEvent(), event != .waiting(refusal.sentence) {
      #expect(event == .lost("The scripted card has gone."))
    }
    source.current = .plays
    source.refusal.withLock { $0 = nil }
    _ = try #require(rig.waitUntilOpened())
    #expect(rig.engine.stop())
  }

  @Test("A lost device comes back on a later frame, from silence, as control sends it the gains")
  func reopens() throws {
    let source = ScriptedSource()
    let rig = try running(source)
    let before = rig.board.nextFrame
    source.current = .lost
    while let event = rig.nextEvent(), event != .lost("The scripted card has gone.") {}
    #expect(!rig.board.isRunning)
    source.current = .plays
    _ = try #require(rig.waitUntilOpened())
    #expect(rig.engine.startFrame > before)
    source.heard.withLock { $0 = [] }
    rig.go([rig.shape.crosspoint(input: 0, output: 0): 1])
    #expect(rig.waitFor { source.heard.withLock { $0.last } == 0.5 })
    let heard = source.heard.withLock { $0 }
    #expect(heard[0] < 0.001)
    #expect(zip(heard, heard.dropFirst()).allSatisfy { $1 >= $0 && $1 - $0 < 0.002 })
    #expect(rig.board.value(of: .lostCards) == 1)
    #expect(rig.board.value(of: .openedCards) == 2)
    #expect(rig.engine.stop())
    #expect(source.closed.load(ordering: .relaxed) == 2)
  }

  @Test("Stop fades out to exact silence, plays the silence past the card's latency, and closes")
  func fadesOut() throws {
    let source = ScriptedSource()
    let rig = try running(source)
    #expect(rig.waitFor { source.heard.withLock { $0.last } == 0.5 })
    #expect(rig.engine.stop())
    let heard = source.heard.withLock { $0 }
    let falling = heard.drop { $0 != 0.5 }
    #expect(zip(falling, falling.dropFirst()).allSatisfy { $0 - $1 < 0.002 && $0 >= $1 })
    #expect(heard.suffix(2 * 48).allSatisfy { $0 == 0 })
    #expect(source.closed.load(ordering: .relaxed) == 1)
    #expect(!rig.board.isRunning)
  }

  @Test("Stop ends in time before start, while waiting, before go and on a card that starves")
  func stopsInEveryState() throws {
    let idle = try rig(ScriptedSource())
    #expect(idle.engine.stop())

    let missing = ScriptedSource()
    missing.refusal.withLock { $0 = DeviceError("Missing.") }
    let waiting = try rig(missing)
    try waiting.engine.start()
    #expect(waiting.nextEvent() == .waiting("Missing."))
    #expect(waiting.engine.stop())

    let opened = ScriptedSource()
    let standing = try rig(opened)
    try standing.engine.start()
    _ = try #require(standing.waitUntilOpened())
    #expect(standing.engine.stop())
    #expect(opened.closed.load(ordering: .relaxed) == 1)

    let dry = ScriptedSource()
    let starving = try running(dry)
    dry.current = .starves
    #expect(starving.waitFor { starving.board.value(of: .xruns) > 0 })
    #expect(starving.engine.stop())
    #expect(dry.closed.load(ordering: .relaxed) == 1)
  }

  @Test("A driver that never comes back is left behind, and stop says so")
  func leavesAHangingDriver() throws {
    let source = ScriptedSource()
    let rig = try running(source)
    source.current = .hangs
    #expect(!rig.engine.stop())
    #expect(source.closed.load(ordering: .relaxed) == 0)
    source.current = .lost
    #expect(rig.waitFor { !rig.board.isRunning })
  }

  @Test("The end of a stream is told once")
  func finishes() throws {
    let source = ScriptedSource()
    let rig = try running(source)
    source.current = .finished
    while let event = rig.nextEvent(), event != .finished {}
    #expect(rig.events.last == .finished)
    #expect(rig.engine.stop())
    #expect(source.closed.load(ordering: .relaxed) == 1)
  }
}
