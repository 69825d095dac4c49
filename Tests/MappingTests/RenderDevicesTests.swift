import Control
import MIDI
import Mapping
import Messages
import Router
import Testing
import TextLines

@Suite("MIDI in event files")
struct RenderDevicesTests {
  private let gain = "/matrix/in/0/out/1"

  /// A file played through mappings on a mixer of 4 x 4, as `render` does it.
  private func play(
    _ text: String, _ mappings: [Mapping]
  ) throws -> (rig: PortRig, devices: RenderDevices) {
    let rig = try PortRig([], inputs: 4, outputs: 4)
    let file = try EventFile(Array(text.utf8), file: "show.events")
    var devices = RenderDevices(file, mappings: mappings, hub: rig.hub)
    for transaction in file.transactions(rateHz: PortRig.rate) {
      for step in transaction.steps {
        switch step {
        case .messages(let batch, origin: _):
          rig.hub.perform(batch, at: .frame(transaction.frame), from: .local)
        case .midi(let line):
          devices.play(line, atFrame: transaction.frame, to: rig.hub)
        }
      }
      rig.hub.tick(now: 0)
    }
    return (rig, devices)
  }

  private func mapping(
    on device: DeviceSelector = DeviceSelector(client: "box*"), _ lines: MappingLine...
  ) -> Mapping {
    Mapping(file: "box.map", sections: [Mapping.Section(device: device, lines: lines)])
  }

  private func pickup(_ number: UInt8) -> MappingLine {
    line(.controller(number), gain) { $0.takeover = .pickup }
  }

  @Test("A device is what its name says, and its bytes go on from line to line")
  func names() throws {
    let text = """
      0 midi "Box 2" B0 07
      1 midi "Other" B0 07 7F
      2 midi "Box 2" 40 07
      3 midi "Box 2" 20
      """
    let (rig, devices) = try play(text, [mapping(line(.controller(7), gain))])
    #expect(rig.crosspoint(0, 1) == at(32))
    #expect(devices.unheardEvents == 1)
    #expect(rig.commands().map(\.frame) == [96_000, 144_000])
  }

  @Test("Bytes are a stream in the order of their times, wherever their lines stand")
  func timeOrder() throws {
    let text = """
      2 midi "box" 40
      1 midi "box" B0 07
      """
    let (rig, _) = try play(text, [mapping(line(.controller(7), gain))])
    #expect(rig.crosspoint(0, 1) == at(64))
  }

  @Test("Lines of one time see what the lines before them have done, and begin on one frame")
  func oneTime() throws {
    let caught = """
      0 /matrix/in/0/out/1 1
      0 midi "box" B0 07 40
      1 /matrix/in/0/out/1 0.5
      1 midi "box" B0 07 20
      """
    let lines = mapping(pickup(7))
    #expect(try play(caught, [lines]).rig.crosspoint(0, 1) == at(32))
    let missed = """
      0 /matrix/in/0/out/1 1
      0 midi "box" B0 07 40
      1 midi "box" B0 07 20
      1 /matrix/in/0/out/1 0.5
      """
    let (rig, _) = try play(missed, [lines])
    #expect(rig.crosspoint(0, 1) == 0.5)
    let both = """
      1 midi "box" B0 08 00
      1 /matrix/in/0/mute 1
      1 midi "box" B0 30 7F 30 00 30 7F
      1 /matrix/in/1/mute 1
      """
    let toggles = mapping(line(.controller(0x30), "/matrix/in/0/mute"))
    let one = try play(both, [toggles]).rig
    #expect(one.isOn("/matrix/in/0/mute") && one.isOn("/matrix/in/1/mute"))
    let commands = one.commands()
    #expect(commands.map(\.frame) == [48_000, 48_000])
    #expect(commands.map(\.endsTransaction) == [false, true])
  }

  @Test("While a fade runs a hand of the file finds the level where it is on that frame")
  func fading() throws {
    let text = """
      0 midi "box" B0 07 0A
      0 /matrix/in/0/out/1 1 10000 lin
      5 midi "box" B0 07 3E
      5 midi "box" B0 07 42
      """
    let (rig, _) = try play(text, [mapping(pickup(7))])
    #expect(rig.crosspoint(0, 1) == at(66))
    let short = text.split(separator: "\n").dropLast().joined(separator: "\n")
    #expect(try play(short, [mapping(pickup(7))]).rig.crosspoint(0, 1) == 1)
  }

  @Test("A device's hand is one for the whole file, another device has another")
  func hands() throws {
    let text = """
      0 /matrix/in/0/out/1 0.5
      1 midi "box 1" B0 07 00
      2 midi "box 2" B0 07 7F
      3 midi "box 1" B0 07 01
      4 midi "box 2" B0 07 20
      """
    #expect(try play(text, [mapping(pickup(7))]).rig.crosspoint(0, 1) == at(32))
  }

  @Test("Twins and second ports are not there, every mapping for a device is")
  func sections() throws {
    let text = "0 midi \"box\" B0 07 7F 08 7F 09 7F"
    let (rig, devices) = try play(
      text,
      [
        mapping(on: DeviceSelector(client: "box", nth: 2), line(.controller(7), gain)),
        mapping(on: DeviceSelector(client: "box", port: .number(1)), line(.controller(8), gain)),
        mapping(
          on: DeviceSelector(client: "BOX", nth: 1), line(.controller(9), "/matrix/in/1/mute")),
        mapping(on: DeviceSelector(client: "b?x"), line(.controller(9), "/matrix/in/2/mute")),
      ])
    #expect(rig.crosspoint(0, 1) == 0)
    #expect(rig.isOn("/matrix/in/1/mute") && rig.isOn("/matrix/in/2/mute"))
    #expect(devices.unheardEvents == 2)
  }

  @Test("Lines for channels that the matrix lacks are told once, however many devices there are")
  func absent() throws {
    let text = "0 midi \"box 1\" B0 07 7F\n1 midi \"box 2\" B0 07 7F"
    let lines = mapping(
      line(.controller(7), gain), line(.controller(8), "/matrix/in/4/gain"),
      line(.controller(9), "/matrix/in/5/gain"))
    #expect(
      try play(text, [lines]).devices.notes == [
        "2 lines of box.map are for channels that this matrix does not have."
      ])
  }

  @Test("What a press sets and the hub refuses comes back as an answer to a device")
  func refused() throws {
    let (rig, _) = try play(
      "0 midi \"box\" B0 07 7F",
      [mapping(line(.controller(7), "/matrix/row/0") { $0.arguments = [.string("x")] })])
    let replies = rig.hub.takeReplies()
    #expect(replies.count == 1)
    #expect(replies[0].isError && replies[0].source == .device(0))
  }
}
