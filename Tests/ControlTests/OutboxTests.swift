import Control
import Handoff
import MatrixCore
import Messages
import Testing

@Suite struct OutboxTests {
  private let crosspoint = "/matrix/in/0/out/1"

  @Test("Several writes to one gain on one frame leave as one command with the last value")
  func merged() throws {
    let rig = try Rig()
    rig.bundle([(crosspoint, [.float(0.1)]), (crosspoint, [.float(0.2)])])
    rig.send(crosspoint, .float(0.3))
    rig.send("/matrix/in/0/out/2", .float(0.4))
    let commands = rig.commands()
    #expect(commands.map(\.fade.end) == [Double(Float(0.3)), Double(Float(0.4))])
    #expect(commands.map(\.endsTransaction) == [false, true])
  }

  @Test("What does not fit the ring goes later, merged: the last value wins and nothing is lost")
  func fullRing() throws {
    let rig = try Rig(inputs: 2, outputs: 2)
    // Sixteen and more slots: nobody reads, and every pass writes one more.
    var sent = 0
    while rig.ring.freeSlots > 0 {
      rig.send("/matrix/in/0/out/0", .float(Float(sent % 100) / 100 + 0.005))
      rig.hub.tick(now: rig.now)
      rig.board.setNextFrame(rig.board.nextFrame + 64)
      sent += 1
    }
    #expect(!rig.hub.hasOverdueGains)
    rig.send("/matrix/in/0/out/0", .float(0.9))
    rig.send("/matrix/in/1/out/1", .float(0.1), .int32(1_000))
    rig.hub.tick(now: rig.now)
    #expect(rig.hub.hasOverdueGains)
    let begun = rig.board.nextFrame
    rig.board.setNextFrame(begun + 640)
    rig.send("/matrix/in/0/out/0", .float(0.8))
    rig.send("/matrix/in/1/mute", .bool(true))
    rig.hub.tick(now: rig.now)
    #expect(rig.hub.nextDeadline == rig.now + 1_333_333)
    #expect(rig.drain().count == sent)
    rig.board.setNextFrame(begun + 6_400)
    let commands = rig.commands()
    #expect(commands.map(\.frame) == [begun + 6_400, begun + 6_400, begun + 6_400])
    #expect(commands.map(\.endsTransaction) == [false, false, true])
    #expect(commands[0].fade.end == Double(Float(0.8)))
    #expect(commands[1].fade.startFrame == begun)
    #expect(commands[1].fade.durationFrames == 48_000)
    #expect(commands[2].gain == rig.shape.input(1))
    #expect(commands[2].factor == 0)
    #expect(rig.hub.counters.resends == 1)
    #expect(rig.commands().isEmpty)
    #expect(rig.hub.nextDeadline == nil)
  }

  @Test("While audio stands still changes are kept, and a stream begins with every gain")
  func stream() throws {
    let rig = try Rig(inputs: 2, outputs: 2, isRunning: false)
    rig.send("/matrix/in/0/out/1", .float(0.5), .int32(1_000))
    rig.send("/matrix/master/gain", .float(0.25))
    rig.send("/matrix/out/0/mute", .bool(true))
    #expect(rig.commands().isEmpty)
    #expect(rig.hub.nextDeadline == nil)
    rig.hub.prepareStream(startFrame: 6_400)
    let commands = rig.drain()
    let shape = rig.shape
    #expect(
      Set(commands.map(\.gain))
        == [
          shape.crosspoint(input: 0, output: 1), shape.input(0), shape.input(1), shape.output(0),
          shape.output(1), shape.master,
        ])
    #expect(commands.count == 6)
    #expect(commands.allSatisfy { $0.frame == 6_400 })
    #expect(commands.map(\.endsTransaction) == [false, false, false, false, false, true])
    let byGain = Dictionary(uniqueKeysWithValues: commands.map { ($0.gain, $0) })
    #expect(byGain[shape.master]?.fade.end == 0.25)
    #expect(byGain[shape.output(0)]?.factor == 0)
    #expect(byGain[shape.crosspoint(input: 0, output: 1)]?.fade.durationFrames == 48_000)
    // Changes before the card runs leave with the first pass after.
    rig.send("/matrix/master/gain", .float(0.5))
    #expect(rig.commands().isEmpty)
    rig.board.setNextFrame(6_400)
    rig.board.setRunning(true)
    #expect(rig.commands().map(\.fade.end) == [0.5])
  }

  @Test("A ring that a lost card left half read is emptied for the next stream")
  func reopened() throws {
    let rig = try Rig(inputs: 2, outputs: 2)
    rig.send("/matrix/in/0/out/0", .float(0.5))
    rig.hub.tick(now: rig.now)
    rig.board.setRunning(false)
    rig.send("/matrix/in/0/out/0", .float(0))
    rig.hub.prepareStream(startFrame: 64_000)
    let commands = rig.drain()
    #expect(commands.count == 6)
    #expect(commands.allSatisfy { $0.frame == 64_000 })
    #expect(!rig.hub.hasOverdueGains)
  }

  @Test("Frames in the ring never decrease, and replaying it gives the hub's own levels")
  func randomWalk() throws {
    let rig = try Rig(inputs: 5, outputs: 3)
    var random = SeededRandom(seed: 3)
    var last: Int64 = 0
    var heard = [Int32: (fade: Fade, factor: Double)]()
    let stems = ["/matrix/in/1/out/2", "/matrix/in/4", "/matrix/out/0", "/matrix/master"]
    for _ in 0..<5_000 {
      let stem = stems.randomElement(using: &random) ?? stems[0]
      let time: TimeTag =
        Bool.random(using: &random)
        ? .immediate : rig.tag(Double.random(in: -0.01...0.05, using: &random))
      let value = Argument.float(Float.random(in: 0...3, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: rig.bundle([(stem + "/mute", [value])], time: time)
      case 1: rig.bundle([(stem + "/gain", [value, .int32(100)])], time: time)
      case 2: rig.bundle([(stem + "/nudge", [value])], time: time)
      case 3: rig.bundle([(stem + "/stop", [])], time: time)
      default: rig.bundle([(stem + "/gain", [value])], time: time)
      }
      rig.advance(seconds: Double.random(in: 0...0.002, using: &random))
      if Int.random(in: 0..<3, using: &random) == 0 { rig.hub.tick(now: rig.now) }
      // The other side reads in its own time, so the ring is sometimes full.
      if Int.random(in: 0..<20, using: &random) == 0 {
        for command in rig.drain() {
          #expect(command.frame >= last)
          last = command.frame
          heard[command.gain.index] = (command.fade, command.factor)
        }
      }
    }
    rig.advance(seconds: 1)
    for _ in 0..<2 {
      for command in rig.commands() { heard[command.gain.index] = (command.fade, command.factor) }
    }
    #expect(rig.hub.counters.resends > 0)
    #expect(heard.count == 4)
    for (index, state) in heard {
      let gain = GainID(index: index)
      #expect(state.fade.end == rig.hub.level(of: gain))
      #expect(state.factor == rig.hub.factor(of: gain))
    }
  }
}
