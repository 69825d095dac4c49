import Control
import MIDI
import Mapping
import Messages
import Testing

@Suite("A connected port")
struct MappedPortTests {
  private let gain = "/matrix/in/0/out/1"

  @Test("MI-14: channel 10 is the one whose bytes end in 9")
  func channels() throws {
    let rig = try PortRig([line(.controller(7), gain, channel: 10)])
    rig.send([0xBA, 0x07, 0x40])
    #expect(rig.crosspoint(0, 1) == 0)
    #expect(rig.unheard == 1)
    rig.send([0xB9, 0x07, 0x40])
    #expect(rig.crosspoint(0, 1) == at(64))
    for channel in UInt8(1)...16 {
      let rig = try PortRig([line(.controller(7), gain, channel: channel)])
      for other in UInt8(0)...15 { rig.send([0xB0 | other, 7, 1 + other]) }
      #expect(rig.crosspoint(0, 1) == Double(channel) / 127)
      #expect(rig.unheard == 15)
    }
  }

  @Test("Every source hears its own channel and number, and nothing else")
  func sources() throws {
    let sources: [(MappingSource, [UInt8])] = [
      (.controller(7), [0xB4, 7, 100]), (.note(7), [0x94, 7, 100]), (.program(7), [0xC4, 7]),
      (.bend, [0xE4, 0, 100]), (.pressure, [0xD4, 100]),
    ]
    for (number, (source, _)) in sources.enumerated() {
      let rig = try PortRig([line(source, "/matrix/in/0/mute", channel: 5) { $0.button = .gate }])
      for (other, (_, bytes)) in sources.enumerated() where other != number {
        rig.send(bytes)
        #expect(!rig.isOn("/matrix/in/0/mute"))
      }
      var elsewhere = sources[number].1
      elsewhere[0] = elsewhere[0] & 0xF0 | 5
      rig.send(elsewhere)
      if ![.bend, .pressure].contains(source) {
        elsewhere[0] = elsewhere[0] & 0xF0 | 4
        elsewhere[1] = 8
        rig.send(elsewhere)
      }
      #expect(!rig.isOn("/matrix/in/0/mute"))
      rig.send(sources[number].1)
      #expect(rig.isOn("/matrix/in/0/mute"))
    }
  }

  @Test("MI-16: a thousand equal messages are one change, and one command for the audio thread")
  func repeats() throws {
    for takeover in [nil, MappingOptions.Takeover.pickup] {
      let rig = try PortRig([line(.controller(7), gain) { $0.takeover = takeover }])
      rig.slide(0, 1)
      _ = rig.commands()
      let before = rig.hub.revision
      for _ in 0..<1000 {
        rig.send([0xB0, 0x07, 0x40])
        rig.advance(seconds: 0.001)
        rig.hub.tick(now: rig.now)
      }
      #expect(rig.hub.revision == before + 1)
      #expect(rig.commands().map(\.fade.end) == [at(64)])
    }
  }

  @Test("Lines for channels that the matrix does not have are left out and counted")
  func absent() throws {
    let rig = try PortRig(
      (0..<8).map { line(.controller($0), "/matrix/in/\($0)/fader") } + [
        line(.controller(20), "/matrix/in/[4-7]/gain"), line(.controller(21), "/matrix/in/*/mute"),
        line(.controller(22), "/matrix/in/1/gain", "/matrix/in/2/gain"),
      ], inputs: 2, outputs: 2)
    #expect(rig.port.absentLines == 8)
    rig.send([0xB0, 0, 127, 1, 0, 2, 127, 20, 127])
    #expect([rig.input(0), rig.input(1)] == [Level.maximum, 0])
    #expect(rig.unheard == 2)
    rig.send([0xB0, 22, 127])
    #expect(rig.input(1) == 1)
    rig.send([0xB0, 21, 127])
    #expect(rig.isOn("/matrix/in/0/mute") && rig.isOn("/matrix/in/1/mute"))
    #expect(rig.refusals().isEmpty)
  }

  @Test("Patterns and several addresses move together, each by the face that it names")
  func many() throws {
    let rig = try PortRig([
      line(
        .controller(7), "/matrix/{in,out}/2/fader", "/matrix/in/0/out/[0-3]", "/matrix/master/db"
      ) { $0.range = MappingRange(low: 0, high: 0.75) },
      line(.controller(8), "/matrix/*/3/fade?"),
    ])
    rig.slide(127)
    #expect(rig.input(2) == 1)
    #expect(rig.hub.level(of: rig.shape.output(2)) == 1)
    #expect((0...4).map { rig.crosspoint(0, $0) } == [0.75, 0.75, 0.75, 0.75, 0])
    #expect(abs((rig.read("/matrix/master/db") ?? 0) - 0.75) < 1e-6)
    rig.send([0xB0, 8, 127])
    #expect(rig.input(3) == Level.maximum)
    #expect(rig.refusals().isEmpty)
  }

  @Test("Everything that one event does begins on one frame")
  func oneTransaction() throws {
    let rig = try PortRig([
      line(.controller(7), "/matrix/in/0/gain", "/matrix/in/[1-2]/gain", "/matrix/out/0/mute")
    ])
    rig.slide(100)
    let commands = rig.commands()
    #expect(commands.count == 4)
    #expect(Set(commands.map(\.frame)).count == 1)
    #expect(commands.map(\.endsTransaction) == [false, false, false, true])
  }

  @Test("Encoders and sources of pairs are asleep, and no events fall into them by mistake")
  func asleep() throws {
    let rig = try PortRig([
      line(.controller(7), gain) { $0.relative = .twos },
      line(.pairedController(high: 1, low: 33), gain), line(.nonRegistered(130), gain),
      line(.registered(0), gain),
    ])
    rig.slide(127)
    rig.send([0xB0, 1, 64, 33, 1, 99, 1, 98, 2, 6, 64, 38, 0, 101, 0, 100, 0, 6, 1])
    #expect(rig.crosspoint(0, 1) == 0)
    #expect(rig.unheard == 10)
    #expect(rig.port.absentLines == 0)
  }

  @Test("A position means nothing on what has none, and keys and programs nothing on a level")
  func senseless() throws {
    let rig = try PortRig([
      line(.controller(1), "/engine/status"), line(.controller(2), "/matrix/in/0/name"),
      line(.controller(3), "/matrix/row/0"), line(.controller(4), "/matrix/in/0/nudge"),
      line(.program(5), gain), line(.controller(6), "/matrix/in/0/now"),
      line(.note(7), gain, "/config/dim"),
    ])
    rig.send([0xB0, 1, 127, 2, 127, 3, 127, 4, 127, 6, 127, 0xC0, 5, 0x90, 7, 127])
    #expect(rig.unheard == 7)
    #expect(rig.hub.takeReplies().isEmpty)
    #expect(rig.hub.revision == 0)
  }

  @Test("Events outside of MIDI's own ranges are heard by nobody")
  func outOfRange() throws {
    let rig = try PortRig([line(.controller(0), gain), line(.bend, gain), line(.note(127), gain)])
    for event in [
      MIDIEvent(.controller, channel: 0), MIDIEvent(.controller, channel: 17),
      MIDIEvent(.controller, channel: 1, number: 128), MIDIEvent(.bend, channel: 255),
      MIDIEvent(.noteOn, channel: 16, number: 255, value: 65_535),
    ] { rig.take(event) }
    #expect(rig.unheard == 5)
    rig.take(MIDIEvent(.controller, channel: 1, value: 65_535))
    #expect(rig.crosspoint(0, 1) == 1)
  }

  @Test("Two ports of one device know their hands apart, and both move the same level")
  func ports() throws {
    let rig = try PortRig([])
    let section = Mapping.Section(
      device: DeviceSelector(client: "*"),
      lines: [line(.controller(7), gain) { $0.takeover = .pickup }])
    rig.connect(Mapping(file: "two.map", sections: [section, section]))
    rig.slide(0, 100)
    #expect(rig.crosspoint(0, 1) == at(100))
    rig.slide(20)
    #expect(rig.crosspoint(0, 1) == at(20))
  }
}
