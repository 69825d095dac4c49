import Control
import FaultCard
import Mapping
import Surfaces
import Testing

@Suite("Other mappings while devices play")
struct MappingReloadTests {
  private func mapping(_ text: String) throws -> Mapping {
    try Mapping(Array(text.utf8), file: "box.map")
  }

  private func rig(_ text: String) throws -> DeviceRig {
    let rig = try DeviceRig(text) { faultsequencer_plug($0, 24, 0, "box", "box MIDI 1", 1) }
    _ = rig.said()
    return rig
  }

  @Test("RT-05: a control that is mapped no more is dead, a new one lives, and levels stay")
  func changed() throws {
    let rig = try rig("device box\ncc 0 /matrix/in/0/fader\ncc 1 /matrix/in/1/mute")
    rig.play(24, 0, 0xB0, 0, 96)
    rig.play(24, 0, 0xB0, 1, 127)
    let level = rig.level(0)
    rig.surface.setMappings([try mapping("device box\ncc 5 /matrix/in/0/fader")])
    #expect(rig.level(0) == level && rig.factor(1) == 0)
    #expect(
      rig.said() == ["MIDI: \"box\" (port 24:0 \"box MIDI 1\") is connected, mapping box.map."])
    rig.play(24, 0, 0xB0, 0, 0)
    rig.play(24, 0, 0xB0, 1, 0)
    rig.play(24, 0, 0xB0, 1, 127)
    #expect(rig.level(0) == level && rig.factor(1) == 0)
    rig.play(24, 0, 0xB0, 5, 0)
    #expect(rig.level(0) == 0)
    #expect(rig.counter("midi_devices") == 1)
  }

  @Test("A device whose part is the same stays as it is, with the hands on it")
  func unchanged() throws {
    let box = "device box\nnote 60 /matrix/in/0/touch"
    let rig = try rig(box)
    rig.play(24, 0, 0x90, 60, 100)
    #expect(rig.isTouched(0))
    let other = "device other\ncc 1 /matrix/in/1/fader\n"
    rig.surface.setMappings([try mapping(other + box)])
    #expect(rig.isTouched(0) && rig.said().isEmpty)
    rig.play(24, 0, 0x80, 60, 0)
    #expect(!rig.isTouched(0))
    rig.plug(25, 0, "other")
    rig.play(25, 0, 0xB0, 1, 0)
    #expect(rig.level(1) == 0)
    // A part that has changed takes its hands off.
    rig.play(24, 0, 0x90, 60, 100)
    rig.surface.setMappings([try mapping(other + "device box\nnote 61 /matrix/in/0/touch")])
    #expect(!rig.isTouched(0))
    rig.play(25, 0, 0xB0, 1, 127)
    #expect(rig.level(1) > 1)
  }

  @Test("Without a mapping a device is heard no more, and is again when it has one")
  func none() throws {
    let box = "device box\ncc 0 /matrix/in/0/fader"
    let rig = try rig(box)
    rig.surface.setMappings([])
    #expect(
      rig.said().first
        == "MIDI: no mapping is given, so no device is connected; --map NAME takes one, and "
        + "\"crosspoint devices\" says which fits.")
    rig.pass()
    #expect(!rig.isConnected(24) && rig.counter("midi_devices") == 0)
    #expect(!rig.play(24, 0, 0xB0, 0, 0))
    rig.surface.setMappings([try mapping(box)])
    rig.pass()
    #expect(rig.isConnected(24))
    rig.play(24, 0, 0xB0, 0, 0)
    #expect(rig.level(0) == 0)
  }

  @Test("A hundred changes leave one connection and one voice")
  func often() throws {
    let rig = try rig("device box\ncc 0 /matrix/in/0/fader")
    for round in 1...100 {
      rig.surface.setMappings([try mapping("device box\ncc \(round) /matrix/in/0/fader")])
      rig.pass()
    }
    #expect(rig.counter("midi_devices") == 1 && rig.isConnected(24))
    let before = rig.counter("midi_events")
    rig.play(24, 0, 0xB0, 100, 0)
    #expect(rig.counter("midi_events") == before.map { $0 + 1 })
    #expect(rig.level(0) == 0)
  }
}
