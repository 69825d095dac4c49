import Control
import MIDI
import Mapping
import Messages
import Testing

/// What value shows what.
@Suite("What a control is shown")
struct FeedbackLawTests {
  /// What is sent for a number at an address, once everything else has been shown.
  private func shown(_ line: String, _ address: String, _ number: Double) throws -> Int? {
    let rig = try DisplayRig(line)
    rig.rig.osc(address, .double(number))
    rig.rig.port.display.refresh()
    return rig.values().last
  }

  @Test("Both ends are shown for a level exactly there, or beyond; anything else is between them")
  func ends() throws {
    let input = "/matrix/in/0/gain"
    let table: [(line: String, gain: Double, value: Int)] = [
      ("cc 1 /matrix/in/0/fader feedback", 0, 0),
      ("cc 1 /matrix/in/0/fader feedback", 1e-6, 1),
      ("cc 1 /matrix/in/0/fader feedback", 0.0001, 3),
      ("cc 1 /matrix/in/0/fader feedback", 1, 95),
      ("cc 1 /matrix/in/0/fader feedback", 3.16, 126),
      ("cc 1 /matrix/in/0/fader feedback", 3.1622776601683795, 127),
      ("bend /matrix/in/0/fader feedback", 0, 0),
      ("bend /matrix/in/0/fader feedback", 1e-6, 1),
      ("bend /matrix/in/0/fader feedback", 1, 12_287),
      ("bend /matrix/in/0/fader feedback", 3.16227, 16_382),
      ("bend /matrix/in/0/fader feedback", 3.1622776601683795, 16_383),
      ("cc 1 /matrix/in/0/gain feedback", 0, 0),
      ("cc 1 /matrix/in/0/gain feedback", 0.0001, 1),
      ("cc 1 /matrix/in/0/gain feedback", 0.5, 64),
      ("cc 1 /matrix/in/0/gain feedback", 0.9999, 126),
      ("cc 1 /matrix/in/0/gain feedback", 1, 127),
      ("cc 1 /matrix/in/0/gain feedback", 2, 127),
      ("cc 1 /matrix/in/0/gain range 1 0 feedback", 0, 127),
      ("cc 1 /matrix/in/0/gain range 1 0 feedback", 0.0001, 126),
      ("cc 1 /matrix/in/0/gain range 1 0 feedback", 0.9999, 1),
      ("cc 1 /matrix/in/0/gain range 1 0 feedback", 1, 0),
      ("cc 1 /matrix/in/0/gain range 1 0 feedback", 3, 0),
      ("cc 1 /matrix/in/0/gain range 0.5 0.75 feedback", 0.2, 0),
      ("cc 1 /matrix/in/0/gain range 0.5 0.75 feedback", 0.5001, 1),
      ("cc 1 /matrix/in/0/gain range 0.5 0.75 feedback", 0.8, 127),
      ("cc 1 /matrix/in/0/fader max 120 feedback", 3.1622776601683795, 120),
      ("cc 1 /matrix/in/0/fader max 120 feedback", 3.16, 119),
      ("cc 1 /matrix/in/0/fader max 120 feedback cc 2", 3.1622776601683795, 127),
      ("cc 1 /matrix/in/0/fader taper ardour feedback", 1, 84),
      ("cc 1 /matrix/in/0/fader max 1 feedback", 1, 1),
      ("cc 1 /matrix/in/0/fader max 1 feedback", 0.001, 0),
    ]
    for row in table {
      #expect(
        try shown(row.line, input, row.gain) == row.value, "\(row.line) at \(row.gain)")
    }
  }

  @Test("Decibels are shown evenly in their range, and off is at the lower end")
  func decibels() throws {
    let line = "cc 1 /matrix/in/0/db range -60 10 feedback"
    for (decibels, value) in [
      (-120.0, 0), (-80, 0), (-60, 0), (-59.9, 1), (-24, 65), (0, 109), (9.9, 126), (10, 127),
    ] {
      #expect(try shown(line, "/matrix/in/0/db", decibels) == value, "\(decibels) dB")
    }
  }

  @Test(
    "What a hand says is shown by a position that means the same, at every position of every law",
    arguments: [
      "cc 1 /matrix/in/0/fader", "cc 1 /matrix/in/0/fader taper linear",
      "cc 1 /matrix/in/0/fader taper db", "cc 1 /matrix/in/0/gain",
      "cc 1 /matrix/in/0/db range -60 10", "cc 1 /matrix/in/0/fader range 1 0 max 101",
      "pressure /matrix/in/0/fader", "cc 1 /matrix/in/0/gain range 0.7 0.1",
    ])
  func everyPosition(line: String) throws {
    let rig = try DisplayRig(line + " feedback")
    let isPressure = line.hasPrefix("pressure")
    for position in 0...127 {
      rig.rig.send(isPressure ? [0xD0, UInt8(position)] : [0xB0, 1, UInt8(position)])
      let level = rig.rig.input(0)
      rig.rest()
      #expect(rig.values() == [], "position \(position) is not told itself")
      rig.connectAgain()
      let value = try #require(rig.values().first)
      #expect(abs(value - min(position, line.contains("101") ? 101 : 127)) <= 1)
      rig.rig.send(isPressure ? [0xD0, UInt8(value)] : [0xB0, 1, UInt8(value)])
      #expect(rig.rig.input(0) == level, "position \(position) is shown as \(value)")
    }
  }

  @Test("MI-08: a bend of 14 bits comes back as it went, at every position")
  func bends() throws {
    let rig = try DisplayRig("bend /matrix/in/0/gain feedback")
    for position in stride(from: 0, through: 16_383, by: 37).map({ $0 }) + [8_191, 8_192, 16_383] {
      rig.rig.send([0xE0, UInt8(position & 127), UInt8(position >> 7)])
      rig.rest()
      #expect(rig.values() == [])
      rig.connectAgain()
      #expect(rig.turn() == [MIDIEvent(.bend, channel: 1, value: UInt16(position))])
    }
    rig.rig.osc("/matrix/in/0/gain", .float(Float(8_192.0 / 16_383.0)))
    rig.rig.port.display.refresh()
    #expect(rig.turn() == [MIDIEvent(.bend, channel: 1, value: 8_192)])
  }

  @Test("Switches are shown by 0 and the highest, or by the values that the line names")
  func switches() throws {
    for (line, off, on) in [
      ("cc 1 /matrix/in/0/mute feedback", 0, 127),
      ("note 1 /matrix/in/0/mute feedback values 12 15", 12, 15),
      ("note 1 /matrix/in/0/mute feedback cc14 1/2 values 5 16383", 5, 16_383),
      ("cc 1 /matrix/in/0/mute max 100 feedback", 0, 127),
    ] {
      let rig = try DisplayRig(line)
      rig.rig.port.display.refresh()
      let first = rig.turn()
      rig.rig.osc("/matrix/in/0/mute", .int32(1))
      let second = rig.turn()
      func value(_ events: [MIDIEvent]) -> Int { events.reduce(0) { $0 << 7 | Int($1.value) } }
      #expect(value(first) == off && value(second) == on, "\(line)")
    }
  }

  @Test("Pans and what dim turns down by are shown in their range, with a middle")
  func numbers() throws {
    let rig = try DisplayRig(
      """
      cc 1 /config/dim range -60 0 feedback
      cc 2 /matrix/in/0/out/0/pan range -1 1 feedback
      """)
    rig.rig.osc("/matrix/out/0/pair", .int32(1))
    rig.rig.osc("/matrix/in/0/out/0", .float(0.5))
    rig.rig.port.display.refresh()
    #expect(rig.values() == [85, 64])
    rig.rig.osc("/config/dim", .float(-60))
    rig.rig.osc("/matrix/in/0/out/0/pan", .float(1))
    #expect(rig.values() == [0, 127])
    rig.rig.send([0xB0, 2, 63])
    rig.rest()
    #expect(rig.values() == [], "63 is the middle as well as 64")
  }

  @Test("Rings show a level as Mackie Control counts lights, and are dark when it is off")
  func rings() throws {
    for (mode, top, unity) in [
      ("single", 0x0B, 0x08), ("pan", 0x1B, 0x18), ("trim", 0x1B, 0x18), ("fan", 0x2B, 0x28),
      ("spread", 0x36, 0x35),
    ] {
      let line = "cc 16 /matrix/in/0/fader feedback cc 48 ring \(mode)"
      #expect(try shown(line, "/matrix/in/0/fader", 1) == top)
      #expect(try shown(line, "/matrix/in/0/gain", 1) == unity)
      #expect(try shown(line, "/matrix/in/0/gain", 0) == top & 0x30)
    }
  }

  @Test("Each kind of destination is sent what devices understand by it")
  func destinations() throws {
    func sent(_ destination: String) throws -> [[Int]] {
      let rig = try DisplayRig("ch 3 cc 1 /matrix/in/0/fader feedback \(destination)")
      rig.rig.osc("/matrix/in/0/fader", .double(1))
      return rig.turn().map {
        [Int($0.kind.rawValue), Int($0.channel), Int($0.number), Int($0.value)]
      }
    }
    func event(_ kind: MIDIEvent.Kind, _ rest: Int...) -> [Int] { [Int(kind.rawValue)] + rest }
    #expect(try sent("same") == [event(.controller, 3, 1, 127)])
    #expect(try sent("cc 9") == [event(.controller, 3, 9, 127)])
    #expect(try sent("ch 16 note 9") == [event(.noteOn, 16, 9, 127)])
    #expect(try sent("bend") == [event(.bend, 3, 0, 16_383)])
    #expect(try sent("pressure") == [event(.pressure, 3, 0, 127)])
    #expect(
      try sent("cc14 40/8") == [event(.controller, 3, 40, 127), event(.controller, 3, 8, 127)])
    #expect(
      try sent("nrpn 130")
        == [(99, 1), (98, 2), (6, 127), (38, 127)].map {
          event(.controller, 3, $0.0, $0.1)
        })
    #expect(
      try sent("rpn 1")
        == [(101, 0), (100, 1), (6, 127), (38, 127)].map {
          event(.controller, 3, $0.0, $0.1)
        })
    #expect(try sent("none") == [])
    #expect(try sent("cc 9 feedback note 1").count == 2)
    let button = try DisplayRig("program 7 /matrix/in/0/mute feedback")
    button.rig.osc("/matrix/in/0/mute", .int32(1))
    #expect(button.turn() == [MIDIEvent(.program, channel: 1, number: 7)])
    button.rig.osc("/matrix/in/0/mute", .int32(0))
    #expect(button.turn() == [])
  }

  @Test(
    "A line shows the first of its addresses that this matrix has, and of a pattern the first hit")
  func firstAddress() throws {
    let rig = try DisplayRig(
      """
      cc 1 /matrix/in/99/fader, /matrix/in/3/fader, /matrix/in/4/fader feedback
      cc 2 /matrix/in/[5-7]/mute feedback
      cc 3 /matrix/in/200/fader feedback
      """)
    rig.rig.osc("/matrix/in/4/fader", .float(1))
    rig.rig.osc("/matrix/in/6/mute", .int32(1))
    #expect(rig.turn() == [])
    rig.rig.osc("/matrix/in/3/fader", .float(1))
    rig.rig.osc("/matrix/in/5/mute", .int32(1))
    #expect(rig.turn().map(\.number) == [1, 2])
  }

  @Test("Without the word feedback, and beside set, nothing is sent")
  func withoutFeedback() throws {
    let rig = try DisplayRig(
      """
      cc 1 /matrix/in/0/fader
      cc 2 /matrix/in/0/fader feedback none
      cc 3 /matrix/in/0/fader feedback set 0.5
      cc 4 /matrix/solo/clear feedback
      cc 5 /matrix/in/0/touch feedback
      """)
    #expect(rig.rig.port.display.isEmpty)
    rig.rig.port.display.refresh()
    #expect(rig.turn() == [])
  }
}
