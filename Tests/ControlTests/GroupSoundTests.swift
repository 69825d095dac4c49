import Control
import Glibc
import MatrixCore
import Messages
import TestSupport
import Testing

@Suite("What groups sound like")
struct GroupSoundTests {
  private static let rate = 48_000.0

  /// An input at unity to an output, in a group.
  private func rig(periodFrames: Int = 64) -> SoundRig {
    let rig = SoundRig(inputs: 2, outputs: 1, periodFrames: periodFrames)
    rig.at(0, "/matrix/in/0/out/0", .float(1))
    rig.at(0, "/matrix/group/0/members", .string("/matrix/in/0"))
    return rig
  }

  private func expectSame(_ one: [Float], _ other: [Float]) {
    #expect(one.count == other.count)
    guard let frame = one.indices.first(where: { one[$0] != other[$0] }) else { return }
    Issue.record("frame \(frame): \(one[frame]) and \(other[frame])")
  }

  /// What a gain is from frame to frame that aims at `target` on each grid point.
  private func glide(frames: Int, to target: (Int64) -> Double) -> [Double] {
    let ratio = exp(-1 / (0.005 * Self.rate))
    var first = target(0)
    var second = first
    return (0..<Int64(frames)).map { frame in
      let wanted = target(frame)
      first += (1 - ratio) * (wanted - first)
      second += (1 - ratio) * (first - second)
      return second
    }
  }

  @Test(
    "A group's fade and mute sound exactly as those of its member would",
    arguments: ["db", "lin", "s"])
  func same(curve: String) {
    let grouped = rig()
    let alone = rig()
    for (rig, stem) in [(grouped, "/matrix/group/0"), (alone, "/matrix/in/0")] {
      rig.at(5_013, stem + "/db", .float(-60), .float(300), .string(curve))
      rig.at(24_000, stem + "/gain", .float(0.5), .float(100), .string(curve))
      rig.at(40_001, stem + "/mute", .bool(true))
      rig.at(46_000, stem + "/mute", .bool(false))
      rig.at(52_000, stem + "/gain", .float(1), .float(200), .string(curve))
      rig.at(56_000, stem + "/stop")
      rig.at(62_000, stem + "/db", .float(-120))
    }
    let outputs = grouped.play(frames: 72_000)[0]
    expectSame(outputs, alone.play(frames: 72_000)[0])
    #expect(outputs[23_999] > 0.00099 && outputs[23_999] < 0.00101)
    #expect(outputs[40_000] == 0.5)
    #expect(outputs[45_999] == 0)
    #expect(outputs[61_999] > 0.5 && outputs[61_999] < 1)
    #expect(outputs[71_999] == 0)
  }

  @Test("A member's own level and phase multiply what the group does")
  func scaled() {
    let rig = rig()
    rig.at(0, "/matrix/in/0/gain", .float(0.25))
    rig.at(0, "/matrix/in/0/phase", .bool(true))
    rig.at(9_600, "/matrix/group/0/gain", .float(0.5), .float(200), .string("lin"))
    let output = rig.play(frames: 38_400)[0]
    #expect(output[9_599] == -0.25)
    #expect(output[38_399] == -0.125)
    let way = glide(frames: 38_400) { frame in
      let next = Double((frame & ~63) + 64 - 9_600)
      return 1 - 0.5 * min(max(next / 9_600, 0), 1)
    }
    for frame in 9_600..<38_400 {
      #expect(abs(Double(output[frame]) + 0.25 * way[frame]) < 2e-6)
    }
  }

  @Test("Fades of a level and of two of its groups at once multiply all the way")
  func product() {
    let rig = rig()
    rig.at(0, "/matrix/group/1/members", .string("/matrix/in/0"))
    rig.at(4_800, "/matrix/in/0/gain", .float(0), .float(1_000), .string("lin"))
    rig.at(9_601, "/matrix/group/0/gain", .float(2), .float(500), .string("lin"))
    rig.at(14_400, "/matrix/group/1/db", .float(-20), .float(300), .string("db"))
    func line(_ frame: Double, from start: Double, over length: Double) -> Double {
      min(max((frame - start) / length, 0), 1)
    }
    let way = glide(frames: 58_400) { frame in
      let next = Double((frame & ~63) + 64)
      return (1 - line(next, from: 4_800, over: 48_000))
        * (1 + line(next, from: 9_601, over: 24_000))
        * pow(10, -line(next, from: 14_400, over: 14_400))
    }
    let output = rig.play(frames: 58_400)[0]
    for frame in 9_600..<58_400 where abs(Double(output[frame]) - way[frame]) > 0.015 {
      Issue.record("frame \(frame): \(output[frame]), not \(way[frame])")
      return
    }
    // Along decibels alone the product is exact.
    let exact = self.rig()
    exact.at(0, "/matrix/in/0/db", .float(-10))
    exact.at(9_600, "/matrix/in/0/db", .float(-30), .float(300))
    exact.at(12_032, "/matrix/group/0/db", .float(6), .float(200))
    let exactWay = glide(frames: 38_400) { frame in
      let next = Double((frame & ~63) + 64)
      let decibels =
        -10 - 20 * line(next, from: 9_600, over: 14_400) + 6 * line(next, from: 12_032, over: 9_600)
      return pow(10, decibels / 20)
    }
    let exactOutput = exact.play(frames: 38_400)[0]
    for frame in 9_600..<38_400 where abs(Double(exactOutput[frame]) - exactWay[frame]) > 1e-5 {
      Issue.record("frame \(frame): \(exactOutput[frame]), not \(exactWay[frame])")
      return
    }
    // The level alone is left at the end, and ends where it ends.
    #expect(abs(Double(output[43_200]) - way[43_200]) < 1e-5)
    #expect(output[58_399] == 0)
  }

  @Test("Fades that multiply do not depend on the period, and stop where they are stopped")
  func periods() {
    let outputs = [64, 1_000, 4_096, 37].map { period in
      let rig = rig(periodFrames: period)
      rig.at(100, "/matrix/in/0/db", .float(-30), .float(700))
      rig.at(5_000, "/matrix/group/0/db", .float(6), .float(400), .string("s"))
      rig.at(20_000, "/matrix/group/0/stop")
      rig.at(25_000, "/matrix/group/0/mute", .bool(true))
      rig.at(31_000, "/matrix/group/0/mute", .bool(false))
      return rig.play(frames: 48_000)[0]
    }
    for output in outputs { expectSame(output, outputs[0]) }
    #expect(abs(outputs[0][30_999]) < 1e-8)
    #expect(outputs[0][47_999] > 0.03)
  }

  @Test(
    "Nothing of it clicks: -100 dBFS above 6 kHz of a full-scale 997 Hz sine",
    arguments: ["mute", "step", "fade", "product", "join", "bounded"])
  func clicks(move: String) {
    for eighth in 0..<4 {
      let rig = rig()
      switch move {
      case "mute": rig.at(5_013, "/matrix/group/0/mute", .bool(true))
      case "step": rig.at(5_013, "/matrix/group/0/gain", .float(0))
      case "fade": rig.at(5_013, "/matrix/group/0/gain", .float(0), .float(60))
      case "product":
        rig.at(5_013, "/matrix/in/0/gain", .float(0), .float(80), .string("lin"))
        rig.at(6_001, "/matrix/group/0/gain", .float(0.1), .float(40), .string("s"))
      case "join":
        rig.at(4_000, "/matrix/group/1/gain", .float(0), .float(100))
        rig.at(5_013, "/matrix/group/1/members", .string("/matrix/in/0"))
      default:
        rig.at(0, "/matrix/group/0/db", .float(-10))
        rig.at(0, "/matrix/group/1/members", .string("/matrix/in/0"))
        rig.at(5_013, "/matrix/group/1/db", .float(10), .float(20))
        rig.at(5_500, "/matrix/group/0/db", .float(10), .float(60))
        rig.at(7_000, "/matrix/in/0/db", .float(-20), .float(10))
      }
      let output = rig.play(frames: 16_384) {
        sine(hertz: 997, rate: Self.rate, phase: Double(eighth) / 4, frame: Int($0))
      }[0]
      #expect(output.contains { abs($0) > 0.2 })
      let peak = Double(output.reduce(0) { max($0, abs($1)) })
      #expect(decibels(residuePeak(output, above: 6_000, rate: Self.rate) / max(peak, 1)) <= -100)
    }
  }
}

@Suite("How groups are told to the audio thread")
struct GroupCourseTests {
  @Test("A group's fade is sent once for each member, with all that stands as its factor")
  func once() throws {
    let rig = try Rig(inputs: 4, outputs: 4)
    rig.send("/matrix/in/0/gain", .float(0.5))
    rig.send("/matrix/group/0/members", .string("/matrix/in/*"))
    _ = rig.commands()
    rig.send("/matrix/group/0/gain", .float(0.25), .float(1_000), .string("lin"))
    let commands = rig.commands()
    #expect(commands.map(\.factor) == [0.5, 1, 1, 1])
    #expect(commands.allSatisfy { $0.fade.start == 1 && $0.fade.end == 0.25 })
    #expect(commands.allSatisfy { $0.fade.durationFrames == 48_000 })
    #expect(rig.hub.nextDeadline == nil)
    #expect(rig.read("/matrix/group/0/now") == 1)
    rig.advance(seconds: 0.5)
    #expect(rig.read("/matrix/group/0/now") == 0.625)
    #expect(rig.commands().isEmpty)
  }

  @Test("Two fades at once are sent in pieces, each in time and on its own frame")
  func pieces() throws {
    let rig = try Rig(inputs: 4, outputs: 4)
    rig.send("/matrix/group/0/members", .string("/matrix/in/0"))
    rig.send("/matrix/group/0/gain", .float(0), .float(500), .string("lin"))
    rig.send("/matrix/in/0/gain", .float(0), .float(250), .string("lin"))
    var commands = rig.commands()
    var passes = 0
    while let deadline = rig.hub.nextDeadline, passes < 100 {
      rig.advance(seconds: Double(max(0, deadline - rig.now)) * 1e-9)
      let more = rig.commands()
      for command in more { #expect(command.frame >= rig.board.nextFrame) }
      commands += more
      passes += 1
    }
    #expect(commands.map(\.frame) == [0, 1_792, 3_840, 5_888, 7_936, 9_984, 12_000])
    #expect(commands[0].frame == 0)
    for (command, next) in zip(commands, commands.dropFirst()) {
      #expect(command.fade.startFrame == command.frame)
      #expect(Double(next.frame - command.frame) == command.fade.durationFrames)
      let there = next.fade.level(at: next.frame) * next.factor
      #expect(abs(command.fade.end * command.factor - there) < 1e-12)
    }
    // At the end of the member's own fade it is off, and so it stays whatever the group does.
    #expect(commands.last.map { $0.fade.end * $0.factor } == 0)
  }

  @Test("While audio stands still pieces wait, and a stream begins with them as they are by then")
  func waiting() throws {
    let rig = try Rig(inputs: 2, outputs: 1, isRunning: false)
    rig.send("/matrix/group/0/members", .string("/matrix/in/0"))
    rig.send("/matrix/group/0/gain", .float(0), .float(2_000), .string("lin"))
    rig.send("/matrix/in/0/gain", .float(0), .float(1_000), .string("lin"))
    for _ in 0..<50 {
      rig.advance(seconds: 0.01)
      #expect(rig.commands().isEmpty)
    }
    rig.hub.prepareStream(startFrame: 24_000)
    rig.board.setRunning(true)
    let input = try #require(rig.drain().first { $0.gain == rig.shape.input(0) })
    #expect(input.frame == 24_000)
    #expect(input.factor * input.fade.start == 0.5 * 0.75)
    #expect(rig.hub.nextDeadline != nil)
  }

  @Test("A whole matrix in a fading group that fades itself is spread over the grid")
  func spread() throws {
    let rig = try Rig(inputs: 64, outputs: 64)
    rig.send("/matrix/in/*/out/*", .float(1))
    rig.send("/matrix/group/0/members", .string("/matrix/in/*/out/*"))
    rig.send("/matrix/group/0/gain", .float(0.5), .float(2_000))
    rig.send("/matrix/in/*/out/*/gain", .float(0.5), .float(1_000))
    #expect(rig.commands().count == 4_096)
    var most = 0
    var total = 0
    for _ in 0..<750 {
      rig.advance(seconds: 64 / Rig.rate)
      let commands = rig.commands()
      most = max(most, commands.count)
      total += commands.count
    }
    // A second of pieces, and the one at the end of the shorter fade for every gain.
    #expect(total > 23 * 4_096 && total < 26 * 4_096)
    #expect(most <= 4_096 + 1_024)
    #expect(rig.hub.nextDeadline == nil)
  }
}
