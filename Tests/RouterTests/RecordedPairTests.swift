import Control
import Messages
import Router
import TestSupport
import Testing

/// A record knows no pairs: it holds what they do to gains.
@Suite("Recording pairs and pans, and playing them again")
struct RecordedPairTests {
  private static let level = "/matrix/in/0/out/2"

  /// A mixer with a pair of outputs, 2 and 3.
  private func rig() throws -> RecordRig {
    let rig = try RecordRig(inputs: 4, outputs: 4)
    rig.send([("/matrix/all", (0..<16).map { .float(0.5 + 0.02 * Float($0)) })])
    rig.send("/matrix/out/2/pair", .int32(1))
    rig.endPass()
    return rig
  }

  @Test("A pan while the level fades, on each curve", arguments: ["db", "lin", "s"])
  func panWhileFading(curve: String) throws {
    for (number, pans) in [[0.5], [-0.3, 0.7], [1, -1, 0], [0.001, -1]].enumerated() {
      let rig = try rig()
      let count = try rig.differences(periods: 900) { period in
        if period == 20 {
          rig.send(Self.level, .double(1), .double(987.654_3), .string(curve))
        }
        for (step, pan) in pans.enumerated() where period == 101 + 97 * step {
          rig.send(Self.level + "/pan", .double(pan))
        }
      }
      #expect(count == 0, "pans \(number)")
    }
  }

  @Test("A pan and a fade in one bundle, in either order", arguments: ["db", "lin", "s"])
  func oneBundle(curve: String) throws {
    for isPanFirst in [false, true] {
      let rig = try rig()
      var messages: [(String, [Argument])] = [
        (Self.level, [.double(0.4), .double(500.1), .string(curve)]),
        (Self.level + "/pan", [.double(0.5)]),
      ]
      if isPanFirst { messages.reverse() }
      let count = try rig.differences(periods: 600) { period in
        if period == 20 { rig.send(messages, secondsAhead: 0.03) }
        if period == 200 { rig.send(messages.map { ($0.0, [.double(-0.2)] + $0.1.dropFirst()) }) }
      }
      #expect(count == 0, "pan first: \(isPanFirst)")
    }
  }

  @Test("A pan of a level that fades up from off, or down to it", arguments: ["db", "lin", "s"])
  func off(curve: String) throws {
    let rig = try rig()
    let count = try rig.differences(periods: 1_200) { period in
      switch period {
      case 20: rig.send(Self.level, .double(0), .double(300), .string(curve))
      case 99: rig.send(Self.level + "/pan", .double(0.9))
      case 300: rig.send(Self.level, .double(0.7), .double(300), .string(curve))
      case 370: rig.send(Self.level + "/pan", .double(-1))
      case 410: rig.send(Self.level + "/pan", .double(0))
      case 700: rig.send(Self.level, .double(0), .double(300), .string(curve))
      case 750: rig.send(Self.level, .double(0))
      case 760: rig.send(Self.level + "/pan", .double(0.25))
      case 770: rig.send(Self.level, .double(0.3), .double(100.7), .string(curve))
      default: break
      }
    }
    #expect(count == 0)
  }

  @Test("Stereo sources, members set by themselves, nudges, stops, recalls and groups")
  func variants() throws {
    let level = Self.level
    let variants: [[(String, [Argument])]] = [
      [
        ("/matrix/in/0/pair", [.int32(1)]), (level, [.double(1), .double(900), .string("s")]),
        (level + "/pan", [.double(0.5)]),
        ("/matrix/in/1/out/2", [.double(0.3), .double(300), .string("lin")]),
        ("/matrix/in/1/out/3/pan", [.double(-0.2)]),
      ],
      [
        (level, [.double(1), .double(900), .string("s")]), (level + "/pan", [.double(0.2)]),
        ("/matrix/set", [.int32(0), .int32(3), .double(0.6)]), (level + "/pan", [.double(-0.2)]),
        ("/matrix/set", [.int32(0), .int32(2), .double(0.1)]), (level + "/pan", [.double(0.8)]),
      ],
      [
        (level, [.double(1), .double(900)]), (level + "/pan", [.double(0.2)]),
        (level + "/nudge", [.double(-3), .double(300)]), (level + "/pan", [.double(0.7)]),
        (level + "/stop", []), (level + "/pan", [.double(-0.7)]),
        (level + "/nudge", [.double(2.5)]), ("/matrix/in/0/out/3/touch", [.int32(1)]),
      ],
      [
        ("/scene/store", [.int32(1)]), (level, [.double(1), .double(900), .string("s")]),
        ("/scene/recall", [.int32(1), .double(800), .string("lin")]),
        (level + "/pan", [.double(0.3)]), ("/undo", [.double(300)]), ("/redo", [.double(200)]),
        (level + "/pan", [.double(-0.3)]),
      ],
      [
        ("/matrix/group/0/members", [.string("/matrix/in/*/out/2")]),
        ("/matrix/group/1/members", [.string("/matrix/in/0/out/*")]),
        ("/matrix/group/0/gain", [.double(0.1), .double(900), .string("s")]),
        (level, [.double(1), .double(800)]), (level + "/pan", [.double(0.5)]),
        ("/matrix/group/1/nudge", [.double(-6), .double(400)]), (level + "/pan", [.double(-0.5)]),
      ],
      [
        ("/matrix/clear", [.double(900)]), (level + "/pan", [.double(0.3)]),
        ("/matrix/identity", [.double(900)]), (level + "/pan", [.double(-0.4)]),
        ("/matrix/in/2/out/3/pan", [.double(0.4)]), ("/matrix/out/2/pair", [.int32(0)]),
        (level, [.double(0.2), .double(100)]),
      ],
    ]
    for (number, messages) in variants.enumerated() {
      let rig = try rig()
      let count = try rig.differences(periods: 1_000) { period in
        guard period % 61 == 20, period / 61 < messages.count else { return }
        rig.send([messages[period / 61]])
      }
      #expect(count == 0, "variant \(number)")
    }
  }

  @Test("Hands on pairs, groups, scenes and undo, at random", arguments: 0..<6 as Range<UInt64>)
  func anything(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rig = try RecordRig(
      inputs: 4, outputs: 4, earliest: Int64.random(in: 0..<100_000, using: &random))
    rig.send([("/matrix/all", (0..<16).map { .float(0.5 + 0.02 * Float($0)) })])
    rig.send("/matrix/out/2/pair", .int32(1))
    rig.send("/matrix/in/0/pair", .int32(1))
    rig.send("/matrix/group/0/members", .string("/matrix/in/*/out/2"))
    rig.send("/matrix/group/1/members", .string("/matrix/out/*"), .string("/matrix/in/0/out/*"))
    rig.send("/scene/store", .int32(0))
    for _ in 0..<10 { Self.move(rig, &random) }
    rig.endPass()
    let count = try rig.differences(periods: 2_500, mayRefuse: true) { _ in
      for _ in 0..<Int.random(in: 0..<8, using: &random) / 6 {
        Self.move(rig, &random)
        if Bool.random(using: &random) { rig.endPass() }
      }
    }
    #expect(count == 0)
  }

  /// Something that hands do.
  private static func move(_ rig: RecordRig, _ random: inout SeededGenerator) {
    let input = Int.random(in: 0..<4, using: &random)
    let output = Int.random(in: 0..<4, using: &random)
    let crosspoint = "/matrix/in/\(input)/out/\(output)"
    let panned = "/matrix/in/\(input)/out/\(2 + output % 2)"
    let stage = [
      "/matrix/in/\(input)", "/matrix/out/\(output)", "/matrix/master", "/matrix/group/0",
      "/matrix/group/1", crosspoint, crosspoint,
    ][Int.random(in: 0..<7, using: &random)]
    let level = Double.random(in: 0..<1, using: &random)
    let pan = Argument.double(Double.random(in: -1.2...1.2, using: &random))
    let milliseconds = Argument.double(Double.random(in: 0..<900, using: &random))
    let curve = Argument.string(["db", "lin", "s"][Int.random(in: 0..<3, using: &random)])
    switch Int.random(in: 0..<16, using: &random) {
    case 0: rig.send(crosspoint, .double(level))
    case 1, 2: rig.send(crosspoint + "/gain", .double(level), milliseconds, curve)
    case 3, 4: rig.send(panned + "/pan", pan)
    case 5:
      rig.send(
        [(panned, [.double(level), milliseconds, curve]), (panned + "/pan", [pan])],
        secondsAhead: Double.random(in: 0..<0.1, using: &random))
    case 6, 7: rig.send(stage + "/gain", .double(level), milliseconds, curve)
    case 8: rig.send(stage + "/nudge", .double(12 * level - 7), milliseconds)
    case 9: rig.send(stage + "/stop")
    case 10: rig.send(stage + "/mute", .int32(level < 0.3 ? 1 : 0))
    case 11: rig.send("/scene/recall", .int32(0), milliseconds, curve)
    case 12: rig.send(level < 0.5 ? "/undo" : "/redo", milliseconds)
    case 13: rig.send("/matrix/in/2/pair", .int32(level < 0.5 ? 1 : 0))
    case 14:
      rig.send(
        "/matrix/group/0/members", .string(level < 0.5 ? "/matrix/in/*" : "/matrix/in/*/out/2"))
    default: rig.send("/matrix/group/{0,1}/gain", .double(level), milliseconds, curve)
    }
  }
}
