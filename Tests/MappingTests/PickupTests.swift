import Control
import MIDI
import Mapping
import Messages
import Testing

@Suite("Pickup")
struct PickupTests {
  private let gain = "/matrix/in/0/out/1"

  private func rig(_ change: (inout MappingOptions) -> Void = { _ in }) throws -> PortRig {
    try PortRig([
      line(.controller(7), gain) {
        $0.takeover = .pickup
        change(&$0)
      }
    ])
  }

  private func set(_ rig: PortRig, _ level: Double) {
    rig.osc(gain, .double(level))
  }

  @Test("MI-12: a level that somebody else has moved waits for the hand to come by")
  func foreignChange() throws {
    let rig = try rig()
    set(rig, 50.0 / 127)
    rig.slide(49, 50)
    #expect(rig.crosspoint(0, 1) == at(50))
    set(rig, 0.9)
    for position in 51...60 {
      rig.slide(position)
      #expect(rig.crosspoint(0, 1) == 0.9)
    }
    rig.slide(52)
    #expect(rig.crosspoint(0, 1) == 0.9)
    rig.slide(120)
    #expect(rig.crosspoint(0, 1) == at(120))
    rig.slide(10)
    #expect(rig.crosspoint(0, 1) == at(10))
  }

  @Test("MI-12: every kind of foreign change arms it again, another controller's too")
  func kindsOfForeignChange() throws {
    let rig = try PortRig([
      line(.controller(7), gain) { $0.takeover = .pickup }, line(.controller(8), gain),
    ])
    let changes: [() -> Void] = [
      { rig.osc("/matrix/in/0/out/1/db", .int32(-3)) },
      { rig.osc("/matrix/in/0/out/1/nudge", .int32(3)) },
      { rig.osc("/matrix/identity") }, { rig.osc("/matrix/clear") },
      { rig.osc("/matrix/set", .int32(0), .int32(1), .float(0.9)) },
      { rig.osc("/matrix/in/*/out/*/gain", .float(0.8)) },
      { rig.send([0xB0, 8, 100]) },
      { rig.osc("/matrix/in/0/out/1", .int32(1), .int32(5_000)) },
    ]
    for (number, change) in changes.enumerated() {
      rig.osc(gain, .double(0.25))
      rig.slide(0, 127, 30, 31)
      #expect(rig.crosspoint(0, 1) == at(31))
      change()
      let moved = rig.crosspoint(0, 1)
      #expect(moved != at(31))
      // A fade begins where the hand is, and is away from it now.
      rig.advance(seconds: 1)
      rig.slide(29)
      #expect(rig.crosspoint(0, 1) == moved, "change \(number)")
    }
  }

  @Test("The first that is heard of a hand moves nothing, though it stands where the level is")
  func priming() throws {
    let rig = try rig()
    set(rig, 0.5)
    rig.slide(64)
    #expect(rig.crosspoint(0, 1) == 0.5)
    rig.slide(64)
    #expect(rig.crosspoint(0, 1) == at(64))
  }

  @Test("A hand that stands where the level is has hold of it once it says so again")
  func repeatedEqual() throws {
    let rig = try rig()
    set(rig, 64.0 / 127)
    rig.slide(64, 64, 100)
    #expect(rig.crosspoint(0, 1) == at(100))
  }

  @Test("Two messages from end to end get hold of whatever lies between, from both sides")
  func fast() throws {
    for (from, to) in [(127, 0), (0, 127)] {
      for level in [0.0, 1e-6, 0.001, 0.3, 0.5, 64.0 / 127, 0.999, 1] {
        let rig = try rig()
        set(rig, level)
        rig.slide(from)
        #expect(rig.crosspoint(0, 1) == level)
        rig.slide(to)
        #expect(rig.crosspoint(0, 1) == Double(to) / 127)
      }
    }
  }

  @Test("A slow hand gets hold within a step of the level, and not before, from both sides")
  func dense() throws {
    for target in [3, 50, 64, 100, 124] {
      for level in [Double(target) / 127, (Double(target) + 0.4) / 127] {
        let up = try rig()
        set(up, level)
        for position in 0...(target - 2) { up.slide(position) }
        #expect(up.crosspoint(0, 1) == level)
        up.slide(target - 1, target, target + 1)
        #expect(up.crosspoint(0, 1) == Double(target + 1) / 127)

        let down = try rig()
        set(down, level)
        for position in (target + 2...127).reversed() { down.slide(position) }
        #expect(down.crosspoint(0, 1) == level)
        down.slide(target + 1, target, target - 1)
        #expect(down.crosspoint(0, 1) == Double(target - 1) / 127)
      }
    }
  }

  @Test("The level that is caught never jumps further than the hand's last step, plus one")
  func sparse() throws {
    for stride in [1, 2, 3, 5, 7, 11, 17, 31, 63] {
      for start in 0..<min(stride, 8) {
        for level in [0.02, 0.31, 0.5, 0.77, 0.98] {
          for isUpward in [true, false] {
            let rig = try rig()
            set(rig, level)
            let hands = Swift.stride(from: start, through: 127, by: stride)
              .map { isUpward ? $0 : 127 - $0 }
            var before = level
            for hand in hands {
              rig.slide(hand)
              let after = rig.crosspoint(0, 1)
              let furthest = (Double(stride) + 1.02) / 127
              #expect(abs(after - before) <= furthest)
              before = after
            }
            let first = Double(hands[0])
            let last = Double(hands[hands.count - 1])
            if min(first, last) <= level * 127, level * 127 <= max(first, last) {
              #expect(before == last / 127)
            }
          }
        }
      }
    }
  }

  @Test("A hand that turns back before it has come to the level moves nothing")
  func turningBack() throws {
    let rig = try rig()
    set(rig, 0.5)
    rig.slide(0, 20, 40, 60, 62, 60, 20, 0)
    #expect(rig.crosspoint(0, 1) == 0.5)
    rig.slide(127)
    #expect(rig.crosspoint(0, 1) == 1)
  }

  @Test("Once it has hold the level follows every message, however far")
  func following() throws {
    let rig = try rig()
    set(rig, 0.5)
    rig.slide(60, 63)
    for position in [0, 127, 1, 126, 64, 64, 0, 0, 127, 127] {
      rig.slide(position)
      #expect(rig.crosspoint(0, 1) == Double(position) / 127)
    }
  }

  @Test("A foreign change that is none, or that was taken back, leaves the hand its hold")
  func noForeignChange() throws {
    let rig = try rig()
    set(rig, 0.5)
    rig.slide(60, 70)
    let answer = try #require(rig.read(gain))
    rig.osc(gain, .float(answer))
    rig.slide(100)
    #expect(rig.crosspoint(0, 1) == at(100))
    set(rig, 0.1)
    set(rig, 100.0 / 127)
    rig.slide(20)
    #expect(rig.crosspoint(0, 1) == at(20))
    rig.osc(gain + "/mute", .int32(1))
    rig.slide(120)
    #expect(rig.crosspoint(0, 1) == at(120))
  }

  @Test("While it fades a level is where the fade has brought it")
  func fading() throws {
    let rig = try rig()
    rig.slide(30)
    rig.osc(gain, .int32(1), .int32(10_000), .string("lin"))
    rig.advance(seconds: 5)
    // Half way, at 63.5: short of it nothing happens.
    rig.slide(40, 62)
    #expect(rig.crosspoint(0, 1) == 1)
    #expect(rig.read(gain + "/now") == 0.5)
    rig.slide(66)
    #expect(rig.crosspoint(0, 1) == at(66))
    #expect(rig.read(gain + "/now") == Float(at(66)))
  }

  @Test("A fade to where the hand has put the level is a foreign change while it is on its way")
  func fadingBack() throws {
    let rig = try rig()
    set(rig, 0.5)
    rig.slide(60, 70)
    set(rig, 0)
    rig.osc(gain, .double(70.0 / 127), .int32(10_000), .string("lin"))
    rig.advance(seconds: 1)
    rig.slide(72)
    #expect(rig.crosspoint(0, 1) == at(70))
    #expect(rig.read(gain + "/now") != Float(at(70)))
    rig.slide(5)
    #expect(rig.crosspoint(0, 1) == at(5))
  }

  @Test("A level that passes a resting hand is not caught by it")
  func passing() throws {
    let rig = try rig()
    rig.slide(60)
    rig.osc(gain, .int32(1), .int32(10_000), .string("lin"))
    rig.advance(seconds: 8)
    rig.slide(61)
    #expect(rig.crosspoint(0, 1) == 1)
    rig.slide(110)
    #expect(rig.crosspoint(0, 1) == at(110))
  }

  @Test("A level beyond an end counts as that end, on a line that is turned over too")
  func beyondTheRange() throws {
    let ranges = [(0.0, 1.0, 127), (1, 0, 0), (0.25, 0.5, 127), (0.5, 0.25, 0)]
    for (low, high, hand) in ranges {
      let rig = try rig { $0.range = MappingRange(low: low, high: high) }
      set(rig, 3)
      rig.slide(64)
      rig.slide(hand == 127 ? 125 : 2)
      #expect(rig.crosspoint(0, 1) == 3)
      rig.slide(hand)
      #expect(rig.crosspoint(0, 1) == max(low, high))
    }
    let rig = try rig { $0.range = MappingRange(low: 0.25, high: 0.5) }
    rig.slide(64, 2)
    #expect(rig.crosspoint(0, 1) == 0)
    rig.slide(0)
    #expect(rig.crosspoint(0, 1) == 0.25)
  }

  @Test("The ends catch a level that is at them")
  func ends() throws {
    for (level, end, beside) in [(0.0, 0, 3), (1, 127, 124)] {
      let rig = try rig()
      set(rig, level)
      rig.slide(beside)
      #expect(rig.crosspoint(0, 1) == level)
      rig.slide(end, beside)
      #expect(rig.crosspoint(0, 1) == Double(beside) / 127)
    }
  }

  @Test("Every channel that is heard, every controller and every address has a hand of its own")
  func hands() throws {
    let rig = try PortRig([
      line(.controller(7), "/matrix/in/0/gain", "/matrix/in/1/gain") { $0.takeover = .pickup },
      line(.controller(8), "/matrix/in/0/gain") { $0.takeover = .pickup },
    ])
    rig.osc("/matrix/in/0/gain", .double(0.25))
    rig.osc("/matrix/in/1/gain", .double(0.75))
    rig.send([0xB0, 7, 0, 7, 60])
    #expect(rig.input(0) == at(60))
    #expect(rig.input(1) == 0.75)
    rig.send([0xB0, 7, 120])
    #expect([rig.input(0), rig.input(1)] == [at(120), at(120)])
    // Another controller and another channel have not been heard yet.
    rig.send([0xB0, 8, 127])
    rig.send([0xB1, 7, 127])
    #expect([rig.input(0), rig.input(1)] == [at(120), at(120)])
    rig.send([0xB1, 7, 10])
    #expect([rig.input(0), rig.input(1)] == [at(10), at(10)])
    // The first one's hold is gone with that.
    rig.send([0xB0, 7, 119])
    #expect([rig.input(0), rig.input(1)] == [at(10), at(10)])
  }

  @Test("A pattern has one hand, on the first address that it meets")
  func pattern() throws {
    let rig = try PortRig([
      line(.controller(7), "/matrix/in/[2-4]/gain") { $0.takeover = .pickup }
    ])
    rig.osc("/matrix/in/2/gain", .double(0.5))
    rig.osc("/matrix/in/3/gain", .double(0.1))
    rig.slide(0, 30)
    #expect([rig.input(2), rig.input(3), rig.input(4)] == [0.5, 0.1, 1])
    rig.slide(100)
    #expect([2, 3, 4].map(rig.input) == [at(100), at(100), at(100)])
    rig.osc("/matrix/in/3/gain", .double(0.1))
    rig.slide(20)
    #expect([2, 3, 4].map(rig.input) == [at(20), at(20), at(20)])
  }

  @Test("A fader of 14 bits is caught within a step of its own")
  func fourteenBits() throws {
    let rig = try PortRig([line(.bend, gain) { $0.takeover = .pickup }])
    set(rig, 8000.0 / 16_383)
    for value: UInt16 in [0, 7900, 7998] { rig.take(MIDIEvent(.bend, channel: 1, value: value)) }
    #expect(rig.crosspoint(0, 1) == 8000.0 / 16_383)
    rig.take(MIDIEvent(.bend, channel: 1, value: 7999))
    #expect(rig.crosspoint(0, 1) == 7999.0 / 16_383)
    rig.take(MIDIEvent(.bend, channel: 1, value: 16_383))
    #expect(rig.crosspoint(0, 1) == 1)
  }

  @Test("On a fader a hand finds a level by the fader's law, in every taper and on both faces")
  func onFaders() throws {
    for taper in Taper.allCases {
      for address in ["/matrix/in/0/fader", "/matrix/in/0/db"] {
        let rig = try PortRig(
          [
            line(.controller(7), address) {
              $0.takeover = .pickup
              if address.hasSuffix("db") { $0.range = MappingRange(low: -60, high: 10) }
            }
          ], taper: taper)
        rig.osc(address, .double(address.hasSuffix("db") ? -25 : 0.5))
        let level = rig.input(0)
        rig.slide(0, 40, 61)
        #expect(rig.input(0) == level)
        rig.slide(66, 127)
        #expect(rig.input(0) == Level.maximum)
        rig.slide(0)
        #expect(rig.read("/matrix/in/0/db") == (address.hasSuffix("db") ? -60 : -120))
      }
    }
  }

  @Test("After events were lost a caught level stays caught, another waits for the hand anew")
  func afterLosses() throws {
    let rig = try rig()
    set(rig, 0.5)
    rig.slide(60, 70)
    rig.port.forgetHands()
    rig.slide(0)
    #expect(rig.crosspoint(0, 1) == 0)
    set(rig, 0.5)
    rig.port.forgetHands()
    rig.slide(127)
    #expect(rig.crosspoint(0, 1) == 0.5)
    rig.slide(60)
    #expect(rig.crosspoint(0, 1) == at(60))
  }

  @Test("What is known of hands and presses dies with the port, and nothing else does")
  func pluggedInAgain() throws {
    let rig = try PortRig([
      line(.controller(7), gain) { $0.takeover = .pickup },
      line(.controller(8), "/matrix/in/0/mute"),
      line(.controller(9), "/matrix/in/99/mute"),
    ])
    set(rig, 0.5)
    rig.slide(60, 70)
    rig.send([0xB0, 8, 127])
    rig.connectAgain()
    #expect(rig.port.absentLines == 1)
    rig.send([0xB0, 8, 127])
    #expect(!rig.isOn("/matrix/in/0/mute"))
    rig.slide(100)
    #expect(rig.crosspoint(0, 1) == at(70))
    rig.slide(60)
    #expect(rig.crosspoint(0, 1) == at(60))
  }

  @Test("Scaling is not there yet and waits for the hand, as the gentle one of the two")
  func scale() throws {
    let rig = try PortRig([line(.controller(7), gain) { $0.takeover = .scale }])
    set(rig, 0.5)
    rig.slide(10, 20)
    #expect(rig.crosspoint(0, 1) == 0.5)
  }
}
