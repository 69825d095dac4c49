import Control
import MatrixCore
import Messages
import Router
import TestSupport
import Testing

@Suite("Recording a show and playing it again")
struct RecordTests {
  /// The samples that differ, of two renderings of one length.
  private func differences(_ left: [Float], _ right: [Float]) -> Int {
    #expect(left.count == right.count)
    return zip(left, right).count { $0.bitPattern != $1.bitPattern }
  }

  @Test("Faders, fades, mutes, nudges and all the rest sound the same again, sample for sample")
  func everything() throws {
    for seed: UInt64 in 0..<4 {
      let rig = try RecordRig(inputs: 4, outputs: 3)
      var random = SeededGenerator(seed: seed)
      // What was there before the record begins.
      for number in 0..<12 {
        rig.send("/matrix/in/\(number % 4)/out/\(number / 4)/db", .float(Float(-number)))
      }
      rig.send("/matrix/in/1/gain", .double(0.123_456_789_012_345))
      rig.send("/matrix/out/2/gain", .double(1.000_000_000_1))
      rig.send("/matrix/in/2/solosafe", .int32(1))
      rig.send("/matrix/out/1/mute", .int32(1))
      rig.send("/config/dim", .float(-13.7))
      rig.send("/matrix/in/0/name", .string("a \"b\" \\ c"))
      rig.endPass()
      let periods = 1_500
      let heard = try rig.play(periods: periods) { period in
        for _ in 0..<Int.random(in: 0..<4, using: &random) {
          Self.move(rig, &random)
          // Some of them leave in passes of their own, for the same frame.
          if Bool.random(using: &random) { rig.endPass() }
        }
      }
      #expect(rig.hub.counters.refused.allSatisfy { $0 == 0 })
      #expect(rig.recorder?.late(in: rig.hub) == 0)
      #expect(heard.contains { $0 != 0 })
      #expect(differences(heard, try rig.playAgain(periods: periods)) == 0, "seed \(seed)")
      let other = try rig.playAgain(periods: periods, options: ["--period", "333"])
      #expect(differences(heard, other) == 0, "seed \(seed)")
    }
  }

  /// Something that hands do.
  private static func move(_ rig: RecordRig, _ random: inout SeededGenerator) {
    let input = Int.random(in: 0..<4, using: &random)
    let output = Int.random(in: 0..<3, using: &random)
    let crosspoint = "/matrix/in/\(input)/out/\(output)"
    let stage = ["/matrix/in/\(input)", "/matrix/out/\(output)", "/matrix/master", crosspoint][
      Int.random(in: 0..<4, using: &random)]
    let level = Double.random(in: 0..<1, using: &random)
    let milliseconds = Argument.double(Double.random(in: 0..<300, using: &random))
    let curve = Argument.string(["db", "lin", "s"][Int.random(in: 0..<3, using: &random)])
    let on = Argument.int32(Int32.random(in: 0...1, using: &random))
    switch Int.random(in: 0..<18, using: &random) {
    case 0: rig.send(crosspoint, .float(Float(level)))
    case 1: rig.send(stage + "/gain", .double(level))
    case 2: rig.send(stage + "/db", .double(-60 * level), milliseconds, curve)
    case 3: rig.send(stage + "/fader", .double(level), milliseconds)
    case 4: rig.send(stage + "/fader", .float(Float(level)))
    case 5: rig.send(stage + "/nudge", .double(12 * level - 7), milliseconds)
    case 6: rig.send(stage + "/mute", on)
    case 7: rig.send("/matrix/in/\(input)/solo", on)
    case 8: rig.send("/matrix/in/\(input)/phase", on)
    case 9: rig.send("/matrix/out/\(output)/dim", on)
    case 10: rig.send(stage + "/stop")
    case 11: rig.send(stage + "/touch", on)
    case 12: rig.send("/matrix/in/*/out/{0,2}/gain", .double(level), milliseconds, curve)
    case 13:
      rig.send(
        "/matrix/set", .int32(Int32(input)), .int32(Int32(output)), .double(level), .int32(0),
        .int32(0), .float(0.5))
    case 14: rig.send(level < 0.1 ? "/matrix/clear" : "/matrix/identity", milliseconds)
    case 15: rig.send("/config/dim", .double(-20 * level))
    case 16:
      rig.send(
        [(crosspoint, [.double(level), milliseconds]), (stage + "/mute", [on])],
        secondsAhead: Double.random(in: 0..<0.1, using: &random))
    default: rig.send("/matrix/solo/clear")
    }
  }

  @Test("A panic and its end act where they did, at the beginning of a render call")
  func panic() throws {
    let rig = try RecordRig(inputs: 2, outputs: 2)
    rig.send("/matrix/identity")
    rig.endPass()
    let heard = try rig.play(periods: 600) { period in
      if period == 100 { rig.send("/engine/panic") }
      if period == 300 { rig.send("/engine/resume") }
    }
    #expect(heard[2 * 64 * 280..<2 * 64 * 300].allSatisfy { $0 == 0 })
    #expect(differences(heard, try rig.playAgain(periods: 600)) == 0)
  }

  @Test("What is moved by other ways than messages is recorded by what it does")
  func levels() throws {
    let rig = try RecordRig(inputs: 2, outputs: 2)
    var snapshot = MixerSnapshot(inputs: 2, outputs: 2)
    snapshot[0, 1].level = 0.3
    snapshot[input: 1].isMuted = true
    snapshot[output: 1].name = "front"
    let heard = try rig.play(periods: 200) { period in
      if period == 20 {
        rig.hub.setLevels(
          [(rig.shape.crosspoint(input: 0, output: 0), 0.7), (rig.shape.master, 0.9)],
          atFrame: rig.board.nextFrame + 64)
      }
      if period == 90 { rig.hub.restore(snapshot) }
    }
    #expect(differences(heard, try rig.playAgain(periods: 200)) == 0)
  }

  @Test("A transaction that comes after its frame is counted, not passed over in silence")
  func late() throws {
    let rig = try RecordRig(inputs: 2, outputs: 2)
    _ = try rig.play(periods: 4) { period in
      guard period == 2 else { return }
      rig.send("/matrix/in/0/out/0", .float(1))
      rig.board.setNextFrame(rig.board.nextFrame + 1_000)
      rig.endPass()
    }
    #expect(rig.recorder?.late(in: rig.hub) == 1)
  }

  @Test("When nobody writes, memory has a bound and what does not fit is counted")
  func bounded() throws {
    let rig = try RecordRig(inputs: 2, outputs: 2)
    let file = try EventFileWriter(rig.folder.path(of: "events"), rate: 48_000)
    var handedOver = 0
    let recorder = EventRecorder(file) { _, changes in handedOver += changes.count }
    recorder.begin(atFrame: 0, rig.hub)
    let atStart = handedOver
    let change = AppliedChange(frame: 0, transaction: 0, target: Target(.gain, .master))
    for _ in 0..<EventRecorder.capacity + 10 { recorder.hubApplied(change) }
    recorder.tick()
    #expect(handedOver == EventRecorder.capacity)
    #expect(recorder.lost == 10 + atStart)
    #expect(recorder.recorded == 0)
    #expect(recorder.written(handedOver) == nil)
    #expect(recorder.recorded == handedOver)
    recorder.hubApplied(change)
    #expect(recorder.lost == 10 + atStart)
    // It is told once when the disk begins to refuse, and once when it takes again.
    #expect(recorder.written(1, lost: 1, reason: "Full.")?.hasPrefix("Full. The show") == true)
    #expect(recorder.lost == 11 + atStart && recorder.recorded == handedOver)
    #expect(recorder.written(3, lost: 2, reason: "Full.") == nil)
    #expect(recorder.written(0)?.contains("lacks \(13 + atStart) changes") == true)
    #expect(recorder.recorded == handedOver + 1)
  }

  @Test("A record that is there already is kept under another name")
  func keepsOld() throws {
    let rig = try RecordRig(inputs: 2, outputs: 2)
    let path = rig.folder.path(of: "events")
    for round in 0..<3 {
      let file = try EventFileWriter(path, rate: 48_000)
      try file.write("# \(round)\n")
    }
    #expect(try CommandLineFiles.read(path) == Array("# 2\n".utf8))
    #expect(try CommandLineFiles.read(path + ".1") == Array("# 0\n".utf8))
    #expect(try CommandLineFiles.read(path + ".2") == Array("# 1\n".utf8))
    for name in [path + ".1", path + ".2"] { #expect(removeFile(name)) }
  }

  @Test("A group that is left without members is recorded as such, and not as a question")
  func emptiedGroup() throws {
    let rig = try RecordRig(inputs: 2, outputs: 2)
    rig.send("/matrix/identity")
    rig.send("/matrix/group/3/members", .string("/matrix/in/0"))
    rig.endPass()
    let heard = try rig.play(periods: 200) { period in
      if period == 20 { rig.send("/matrix/group/3/gain", .float(0.5)) }
      if period == 90 { rig.send("/matrix/group/3/members", .string("")) }
    }
    #expect(differences(heard, try rig.playAgain(periods: 200)) == 0)
  }
}
