import Control
import Messages
import Router
import TestSupport
import Testing

/// What moves by several things at once, and where the record of it begins.
@Suite("Recording groups and fades that are on their way, and playing them again")
struct RecordedCourseTests {
  /// Streams that begin on each place of the grids that gains know.
  static let starts: [Int64] = [0, 64, 1_024, 2_048, 3_000, 4_096, 5_120, 1_000_000_000]

  @Test("Levels and groups that fade at once sound the same again", arguments: starts)
  func severalFades(earliest: Int64) throws {
    for curves in [("s", "s"), ("db", "db"), ("db", "lin"), ("lin", "s")] {
      let rig = try RecordRig(inputs: 4, outputs: 4, earliest: earliest)
      rig.send([("/matrix/all", (0..<16).map { .float(0.5 + 0.02 * Float($0)) })])
      rig.send("/matrix/group/0/members", .string("/matrix/in/0/out/*"))
      rig.send("/matrix/group/1/members", .string("/matrix/in/*/out/2"), .string("/matrix/out/1"))
      rig.endPass()
      let count = try rig.differences(periods: 800) { period in
        func fade(_ stage: String, _ level: Double, _ milliseconds: Double, _ curve: String) {
          rig.send(stage + "/gain", .double(level), .double(milliseconds), .string(curve))
        }
        if period == 20 { fade("/matrix/out/1", 0.04, 700, curves.0) }
        if period == 31 { fade("/matrix/group/1", 0.09, 600, curves.1) }
        if period == 150 { fade("/matrix/group/0", 0.3, 500, curves.0) }
      }
      #expect(count == 0, "\(curves) from \(earliest)")
    }
  }

  @Test("A hand may come on the very frame on which a piece of a course begins")
  func onPieces() throws {
    let rig = try RecordRig(inputs: 2, outputs: 2)
    rig.send([("/matrix/all", (0..<4).map { .float(0.5 + 0.02 * Float($0)) })])
    rig.send("/matrix/group/0/members", .string("/matrix/in/*"))
    rig.endPass()
    let count = try rig.differences(periods: 1_500) { period in
      if period == 10 {
        rig.send("/matrix/in/*/gain", .double(0.1), .float(1_900), .string("s"))
        rig.send("/matrix/group/0/gain", .double(0.2), .float(1_900), .string("lin"))
      }
      // The pieces are passed some periods ahead; now and then a hand comes in between.
      if period > 10, period % 5 == 0 {
        rig.send("/matrix/in/1/phase", .int32(period % 2 == 0 ? 1 : 0))
        rig.send("/matrix/in/0/nudge", .double(period % 3 == 0 ? -0.5 : 0.3), .float(800))
      }
    }
    #expect(count == 0)
  }

  @Test("What happens while a piece is short is not put off until its end")
  func shortPieces() throws {
    let rig = try RecordRig(inputs: 2, outputs: 2)
    rig.send("/matrix/identity")
    rig.send("/matrix/group/0/members", .string("/matrix/in/0"))
    rig.endPass()
    let count = try rig.differences(periods: 300) { period in
      if period == 0 {
        rig.send("/matrix/in/0/gain", .double(0.1), .float(1_000), .string("s"))
        rig.send("/matrix/group/0/gain", .double(0.2), .float(50), .string("lin"))
      }
      if period < 60 { rig.send("/matrix/in/1/gain", .double(Double(period + 1) / 60)) }
    }
    #expect(count == 0)
  }

  @Test("A large matrix with groups begins as it began, though its state is many transactions")
  func large() throws {
    let rig = try RecordRig(inputs: 96, outputs: 96)
    rig.send("/matrix/group/0/members", .string("/matrix/in/*/out/*"))
    rig.send("/matrix/group/0/gain", .double(0.3), .float(100), .string("lin"))
    for input in 0..<96 {
      let levels = (0..<96).map { Argument.float(Float(1 + (input * 7 + $0 * 3) % 90) / 90) }
      rig.send([("/matrix/row/\(input)", levels)])
    }
    rig.send("/matrix/in/1/out/*/phase", .int32(1))
    rig.send("/matrix/in/2/out/*/mute", .int32(1))
    rig.endPass()
    let count = try rig.differences(periods: 150) { period in
      if period == 30 { rig.send("/matrix/group/0/gain", .double(0.7), .float(50)) }
      if period == 60 { rig.send("/matrix/in/2/out/*/mute", .int32(0)) }
    }
    #expect(count == 0)
  }

  @Test(
    "A fade that runs when the record begins sounds the same again", arguments: ["db", "lin", "s"])
  func running(curve: String) throws {
    let rig = try RecordRig(inputs: 4, outputs: 4, earliest: 70_001)
    rig.send([("/matrix/all", (0..<16).map { .float(0.5 + 0.02 * Float($0)) })])
    rig.send("/matrix/out/2/pair", .int32(1))
    rig.send("/matrix/group/0/members", .string("/matrix/in/0/out/*"))
    rig.send("/matrix/in/0/gain", .double(0.1), .double(777.7), .string(curve))
    rig.send("/matrix/group/0/gain", .double(0.2), .double(555.5), .string(curve))
    rig.send("/matrix/in/1/out/2", .double(1.2), .double(333.3), .string(curve))
    rig.send("/matrix/in/0/out/1", .double(0), .double(444.4), .string(curve))
    rig.send("/matrix/master/gain", .double(0.9), .double(7), .string(curve))
    rig.endPass()
    let count = try rig.differences(periods: 800) { period in
      if period == 100 { rig.send("/matrix/in/1/out/2/pan", .double(0.3)) }
    }
    #expect(count == 0)
  }
}
