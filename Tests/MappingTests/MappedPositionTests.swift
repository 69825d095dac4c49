import Control
import MIDI
import Mapping
import Messages
import Testing

@Suite("What a position means")
struct MappedPositionTests {
  private let gain = "/matrix/in/0/out/1"
  private let fader = "/matrix/in/0/fader"

  @Test("MI-06: on a gain, 0 is off, 127 is unity and 64 is 64/127, to the last bit")
  func gainEnds() throws {
    for address in [gain, gain + "/gain"] {
      let rig = try PortRig([line(.controller(7), address)])
      rig.slide(0)
      #expect(rig.crosspoint(0, 1) == 0)
      rig.slide(127)
      #expect(rig.crosspoint(0, 1) == 1)
      rig.slide(64)
      #expect(rig.crosspoint(0, 1) == at(64))
      for position in 0...127 {
        rig.slide(position)
        #expect(rig.crosspoint(0, 1) == Double(position) / 127)
      }
    }
  }

  @Test("MI-06: what a device calls its highest is the top, and what is above it too")
  func calibration() throws {
    let rig = try PortRig([line(.controller(7), gain) { $0.maximum = 124 }])
    rig.slide(124)
    #expect(rig.crosspoint(0, 1) == 1)
    rig.slide(62)
    #expect(rig.crosspoint(0, 1) == 0.5)
    rig.slide(127)
    #expect(rig.crosspoint(0, 1) == 1)
    rig.slide(0)
    #expect(rig.crosspoint(0, 1) == 0)
  }

  @Test(
    "MI-06: on a fader, 0 is off, 127 is +10 dB exactly, the rest is what OSC's fader makes of it")
  func faderEnds() throws {
    for taper in Taper.allCases {
      let rig = try PortRig([line(.controller(7), fader)], taper: taper)
      for position in 0...127 {
        let unity = taper.position(ofGain: 1) * 127
        let place = Double(position) / 127
        let expected =
          position == 0
          ? 0
          : position == 127
            ? Level.maximum
            : abs(Double(position) - unity) < 1 ? 1 : taper.gain(atPosition: place)
        rig.slide(position)
        #expect(rig.input(0) == expected)
      }
      rig.slide(0)
      #expect(rig.input(0) == 0)
    }
  }

  @Test("MI-08: a bend is counted from 0, its middle is 8192/16383")
  func bends() throws {
    let rig = try PortRig([line(.bend, gain)])
    for (bytes, level) in [
      ([0x00, 0x00], 0), ([0x00, 0x40], 8192.0 / 16_383), ([0x7F, 0x7F], 1),
      ([0x01, 0x00], 1.0 / 16_383), ([0x7F, 0x3F], 8191.0 / 16_383),
    ] as [([UInt8], Double)] {
      rig.send([0xE0] + bytes)
      #expect(rig.crosspoint(0, 1) == level)
    }
  }

  @Test(
    "MI-07: a bend that never comes to its top can be told so", arguments: [15_999, 16_368, 16_383])
  func calibratedBend(maximum: Int) throws {
    let rig = try PortRig([line(.bend, gain) { $0.maximum = maximum }])
    rig.take(MIDIEvent(.bend, channel: 1, value: UInt16(maximum)))
    #expect(rig.crosspoint(0, 1) == 1)
    rig.take(MIDIEvent(.bend, channel: 1, value: UInt16(maximum - 1)))
    #expect(rig.crosspoint(0, 1) == Double(maximum - 1) / Double(maximum))
    rig.take(MIDIEvent(.bend, channel: 1, value: 16_383))
    #expect(rig.crosspoint(0, 1) == 1)
    rig.take(MIDIEvent(.bend, channel: 1, value: 0))
    #expect(rig.crosspoint(0, 1) == 0)
  }

  @Test("A fader rests on exactly unity on both positions next to it, and on no other")
  func detent() throws {
    let rig = try PortRig([
      line(.controller(7), fader), line(.bend, "/matrix/in/1/fader"),
      line(.controller(8), "/matrix/in/2/fader") { $0.maximum = 100 },
    ])
    var resting: [Int] = []
    for position in 0...127 {
      rig.slide(position)
      if rig.input(0) == 1 { resting.append(position) }
    }
    #expect(resting == [95, 96])
    resting = []
    for position in 0...16_383 {
      rig.take(MIDIEvent(.bend, channel: 1, value: UInt16(position)))
      if rig.input(1) == 1 { resting.append(position) }
    }
    #expect(resting == [12_287, 12_288])
    resting = []
    for position in 0...127 {
      rig.send([0xB0, 8, UInt8(position)])
      if rig.input(2) == 1 { resting.append(position) }
    }
    #expect(resting == [75])
  }

  @Test("A level rises with every step of the hand, the rest on unity apart")
  func monotone() throws {
    let rig = try PortRig([line(.bend, fader)])
    var last = -1.0
    for position in 0...16_383 {
      rig.take(MIDIEvent(.bend, channel: 1, value: UInt16(position)))
      let level = rig.input(0)
      #expect(level > last || (level == 1 && last == 1))
      last = level
    }
    #expect(last == Level.maximum)
  }

  @Test("A range is in the face's unit, its ends are exact, and it may be turned over")
  func ranges() throws {
    for (address, low, high) in [
      ("/matrix/in/0/gain", 0.25, 2), ("/matrix/in/0/gain", 2, 0.25), ("/matrix/in/0/gain", 1, 0),
      ("/matrix/in/0/db", -60, 0), ("/matrix/in/0/db", 6, -20), ("/matrix/in/0/db", -120, 10),
      ("/matrix/in/0/fader", 0.25, 0.75), ("/matrix/in/0/fader", 1, 0.125),
      ("/matrix/in/0/fader", 0, 0.7502),
    ] {
      let rig = try PortRig([
        line(.controller(7), address) { $0.range = MappingRange(low: low, high: high) }
      ])
      rig.slide(0)
      #expect(rig.read(address) == Float(low))
      rig.slide(127)
      #expect(rig.read(address) == Float(high))
      rig.slide(50)
      let between = try #require(rig.read(address))
      let expected = Float(low + (high - low) * 50 / 127)
      #expect(abs(between - expected) < 1e-4)
    }
  }

  @Test("Ends in decibels are the levels that OSC makes of them; -120 is off")
  func decibelEnds() throws {
    let rig = try PortRig([
      line(.controller(7), "/matrix/in/0/db") { $0.range = MappingRange(low: -120, high: 0) },
      line(.controller(8), "/matrix/in/1/db") { $0.range = MappingRange(low: -40, high: 10) },
    ])
    rig.slide(0)
    #expect(rig.input(0) == 0)
    rig.slide(127)
    #expect(rig.input(0) == 1)
    rig.send([0xB0, 8, 127])
    #expect(rig.input(1) == Level.maximum)
    rig.send([0xB0, 8, 0])
    rig.osc("/matrix/in/2/db", .int32(-40))
    #expect(rig.input(1) == rig.input(2))
  }

  @Test(
    "A taper of its own is the law of a line, and with a range that of the way between its ends")
  func tapers() throws {
    for face in ["gain", "db", "fader"] {
      let rig = try PortRig([
        line(.controller(7), "/matrix/in/0/" + face) { $0.taper = .linear },
        line(.controller(8), "/matrix/in/1/" + face) {
          $0.taper = .db
          $0.range =
            face == "db"
            ? MappingRange(low: -30, high: 0) : MappingRange(low: 0.25, high: 0.75)
        },
      ])
      rig.slide(0)
      #expect(rig.input(0) == 0)
      rig.slide(127)
      #expect(rig.input(0) == Level.maximum)
      rig.slide(64)
      let middle = Level.maximum * 64 / 127
      #expect(abs(rig.input(0) - middle) < 1e-12)
      // Even in decibels between both ends, whatever unit they are written in.
      rig.send([0xB0, 8, 0])
      let low = rig.read("/matrix/in/1/db") ?? 0
      rig.send([0xB0, 8, 127])
      let high = rig.read("/matrix/in/1/db") ?? 0
      let ends: [String: (Float, Float)] = [
        "gain": (-12.0412, -2.49877), "db": (-30, 0), "fader": (-30, 0),
      ]
      let expected = try #require(ends[face])
      #expect(abs(low - expected.0) < 1e-4)
      #expect(abs(high - expected.1) < 1e-4)
      rig.send([0xB0, 8, 32])
      let quarter = rig.read("/matrix/in/1/db") ?? 0
      let wanted = low + (high - low) * 32 / 127
      #expect(abs(quarter - wanted) < 1e-3)
    }
  }

  @Test("The pressure of a channel is a position")
  func pressure() throws {
    let rig = try PortRig([line(.pressure, gain)])
    for (value, level) in [(127, 1), (64, at(64)), (0, 0)] {
      rig.send([0xD0, UInt8(value)])
      #expect(rig.crosspoint(0, 1) == level)
    }
  }

  @Test("The ends are taken though they were taken before")
  func repeatedEnds() throws {
    let rig = try PortRig([line(.controller(7), fader)])
    for (position, level) in [(0, 0.0), (127, Level.maximum)] {
      rig.slide(position, position)
      rig.osc("/matrix/in/0/gain", .float(0.5))
      rig.slide(position)
      #expect(rig.input(0) == level)
    }
  }

  @Test("A position ends a running fade, though it is where the fade was going")
  func endsFades() throws {
    let rig = try PortRig([line(.controller(7), fader)])
    rig.osc("/matrix/in/0/gain", .int32(0), .int32(10_000))
    rig.advance(seconds: 1)
    rig.slide(0)
    #expect(rig.read("/matrix/in/0/now") == 0)
  }

  @Test("How far dim turns down can be moved between its ends")
  func dimLevel() throws {
    let rig = try PortRig([
      line(.controller(7), "/config/dim"),
      line(.controller(8), "/config/dim") { $0.range = MappingRange(low: -10, high: -30) },
    ])
    rig.slide(0)
    #expect(rig.read("/config/dim") == -60)
    rig.slide(127)
    #expect(rig.read("/config/dim") == 0)
    rig.send([0xB0, 8, 0])
    #expect(rig.read("/config/dim") == -10)
    rig.send([0xB0, 8, 127])
    #expect(rig.read("/config/dim") == -30)
  }
}
