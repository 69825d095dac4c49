import Control
import MIDI
import Mapping
import Messages
import Testing

@Suite("What a button does")
struct ButtonTests {
  private let mute = "/matrix/in/0/mute"

  private func rig(
    _ source: MappingSource = .controller(48), _ address: String,
    _ change: (inout MappingOptions) -> Void = { _ in }
  ) throws -> PortRig {
    try PortRig([line(source, address, channel: nil, change)])
  }

  /// What a switch is after each event.
  private func states(_ rig: PortRig, _ address: String, _ events: [[UInt8]]) -> [Bool] {
    events.map {
      rig.send($0)
      return rig.isOn(address)
    }
  }

  @Test("MI-13: a toggle turns over with each press, and not with a release")
  func toggles() throws {
    for button in [nil, MappingOptions.Button.toggle] {
      let rig = try rig(.controller(0x30), mute) { $0.button = button }
      let press: [[UInt8]] = [[0xB0, 0x30, 0x7F], [0xB0, 0x30, 0x00]]
      #expect(states(rig, mute, press + press) == [true, true, false, false])
    }
  }

  @Test("MI-13: the note form of a toggle, with releases of either kind")
  func noteToggles() throws {
    let rig = try rig(.note(0x3C), mute)
    let press: [[UInt8]] = [[0x90, 0x3C, 0x7F], [0x90, 0x3C, 0x00]]
    #expect(states(rig, mute, press) == [true, true])
    #expect(states(rig, mute, [[0x90, 0x3C, 0x01], [0x80, 0x3C, 0x40]]) == [false, false])
    // However softly, and though the release has been lost: every note-on is a press.
    #expect(states(rig, mute, [[0x90, 0x3C, 0x01], [0x90, 0x3C, 0x01]]) == [true, false])
  }

  @Test("MI-13: a gate follows, on from 64, off below")
  func gates() throws {
    for address in [mute, "/matrix/in/0/solo", "/matrix/out/1/dim", "/matrix/in/0/out/1/phase"] {
      let rig = try rig(.controller(0x30), address) { $0.button = .gate }
      let moves = [0x7F, 0x00, 0x40, 0x3F, 0x41, 0x40, 0x3F].map { [0xB0, 0x30, UInt8($0)] }
      #expect(
        states(rig, address, moves) == [true, false, true, false, true, true, false])
    }
    let note = try rig(.note(60), mute) { $0.button = .gate }
    #expect(states(note, mute, [[0x90, 60, 1], [0x90, 60, 0]]) == [true, false])
  }

  @Test("MI-13: a push turns on and a release leaves it on")
  func pushes() throws {
    let rig = try rig(.controller(0x30), mute) { $0.button = .push }
    let press: [[UInt8]] = [[0xB0, 0x30, 0x7F], [0xB0, 0x30, 0x00]]
    #expect(states(rig, mute, press + press) == [true, true, true, true])
    rig.osc(mute, .int32(0))
    #expect(states(rig, mute, press) == [true, true])
  }

  @Test("A controller that repeats its press without a release presses once")
  func repeatedPress() throws {
    let rig = try rig(.controller(48), mute)
    let moves = [127, 127, 100, 64, 63, 64, 127, 0, 1, 63, 127].map { [0xB0, 48, UInt8($0)] }
    #expect(
      states(rig, mute, moves) == [
        true, true, true, true, true, false, false, false, false, false, true,
      ])
  }

  @Test("A toggle turns over what the switch is now, whoever has turned it since")
  func togglesWhatIs() throws {
    let rig = try rig(.controller(48), mute)
    rig.osc(mute, .int32(1))
    #expect(states(rig, mute, [[0xB0, 48, 127], [0xB0, 48, 0]]) == [false, false])
    rig.osc(mute, .int32(1))
    #expect(states(rig, mute, [[0xB0, 48, 127]]) == [false])
  }

  @Test(
    "A pattern toggles all to the opposite of the first that it meets; addresses each their own")
  func togglesMany() throws {
    let rig = try PortRig([
      line(.controller(48), "/matrix/in/[1-3]/mute"),
      line(.controller(49), "/matrix/in/4/mute", "/matrix/in/5/mute"),
    ])
    rig.osc("/matrix/in/2/mute", .int32(1))
    rig.send([0xB0, 48, 127])
    #expect((1...3).map { rig.isOn("/matrix/in/\($0)/mute") } == [true, true, true])
    rig.send([0xB0, 48, 0, 48, 127])
    #expect((1...3).map { rig.isOn("/matrix/in/\($0)/mute") } == [false, false, false])
    rig.osc("/matrix/in/5/mute", .int32(1))
    rig.send([0xB0, 49, 127])
    #expect((4...5).map { rig.isOn("/matrix/in/\($0)/mute") } == [true, false])
  }

  @Test("Half of a calibrated or a finer control is where it is down")
  func halves() throws {
    let calibrated = try rig(.controller(48), mute) {
      $0.button = .gate
      $0.maximum = 100
    }
    #expect(
      states(calibrated, mute, [[0xB0, 48, 49], [0xB0, 48, 50], [0xB0, 48, 49]]) == [
        false, true, false,
      ])
    let one = try rig(.controller(48), mute) {
      $0.button = .gate
      $0.maximum = 1
    }
    #expect(states(one, mute, [[0xB0, 48, 1], [0xB0, 48, 0]]) == [true, false])
    let bend = try rig(.bend, mute) { $0.button = .gate }
    #expect(
      states(bend, mute, [[0xE0, 0x7F, 0x3F], [0xE0, 0x00, 0x40]]) == [false, true])
    let pressure = try rig(.pressure, mute)
    #expect(states(pressure, mute, [[0xD0, 63], [0xD0, 64], [0xD0, 0]]) == [false, true, true])
  }

  @Test("A program is a press each time")
  func programs() throws {
    let rig = try PortRig([line(.program(3), mute), line(.program(4), "/matrix/clear")])
    #expect(
      states(rig, mute, [[0xC0, 3], [0xC0, 2], [0xC0, 3], [0xC0, 3]]) == [
        true, true, false, true,
      ])
    rig.osc("/matrix/in/0/out/0", .int32(1))
    rig.send([0xC0, 4])
    #expect(rig.crosspoint(0, 0) == 0)
  }

  @Test("A trigger acts when it is pressed, and not when it is let go")
  func triggers() throws {
    let rig = try PortRig([
      line(.controller(42), "/engine/panic") { $0.button = .push },
      line(.controller(41), "/engine/resume"), line(.note(1), "/matrix/identity"),
      line(.controller(40), "/matrix/solo/clear"), line(.controller(39), "/matrix/in/*/stop"),
    ])
    rig.send([0xB0, 42, 127])
    #expect(rig.board.isPanicking)
    rig.send([0xB0, 41, 127])
    #expect(!rig.board.isPanicking)
    rig.send([0xB0, 42, 0])
    #expect(!rig.board.isPanicking)
    rig.send([0x91, 1, 5])
    #expect(rig.crosspoint(3, 3) == 1)
    rig.osc("/matrix/clear")
    rig.send([0x81, 1, 5])
    #expect(rig.crosspoint(3, 3) == 0)
    rig.osc("/matrix/in/2/solo", .int32(1))
    rig.send([0xB0, 40, 64])
    #expect(!rig.isOn("/matrix/in/2/solo"))
    rig.osc("/matrix/in/1/gain", .int32(0), .int32(1_000), .string("lin"))
    rig.advance(seconds: 0.5)
    rig.send([0xB0, 39, 127])
    #expect(rig.input(1) == 0.5)
    #expect(rig.refusals().isEmpty)
  }

  @Test("A press sends what a line has set, to any address, and a release sends nothing")
  func sets() throws {
    let rig = try PortRig([
      line(.controller(1), "/matrix/in/0/gain") {
        $0.arguments = [.double(0.5), .int32(1_000), .string("lin")]
      },
      line(.note(2), "/matrix/in/[0-1]/name") { $0.arguments = [.string("Lead")] },
      line(.controller(3), "/matrix/in/1/mute") { $0.arguments = [.int32(1)] },
      line(.program(4), "/matrix/row/2", "/matrix/row/3") {
        $0.arguments = [.float(1), .float(0.5)]
      },
      line(.controller(5), "/matrix/in/0/nudge") { $0.arguments = [.int32(-3)] },
      line(.controller(6), "/matrix/clear") { $0.arguments = [.int32(2_000)] },
      line(.controller(8), "/matrix/set") { $0.arguments = [.int32(5), .int32(6), .float(0.25)] },
    ])
    rig.send([0xB0, 1, 127])
    #expect(rig.input(0) == 0.5)
    #expect(rig.read("/matrix/in/0/now") == 1)
    rig.osc("/matrix/in/0/gain", .int32(1))
    rig.send([0xB0, 1, 0])
    #expect(rig.input(0) == 1)
    rig.send([0x90, 2, 1, 2, 0])
    #expect(rig.refusals().isEmpty)
    rig.osc("/matrix/in/1/name")
    #expect(rig.hub.takeReplies().last?.arguments == [.string("Lead")])
    rig.send([0xB0, 3, 127, 3, 0, 3, 127])
    #expect(rig.isOn("/matrix/in/1/mute"))
    rig.send([0xC0, 4])
    #expect([0, 1, 2].map { rig.crosspoint(2, $0) } == [1, 0.5, 0])
    #expect([0, 1, 2].map { rig.crosspoint(3, $0) } == [1, 0.5, 0])
    rig.send([0xB0, 5, 127, 5, 0, 5, 127])
    #expect(abs((rig.read("/matrix/in/0/db") ?? 0) + 6) < 1e-5)
    rig.send([0xB0, 6, 127])
    #expect(rig.read("/matrix/in/2/out/0/now") == 1)
    rig.send([0xB0, 8, 127])
    #expect(rig.crosspoint(5, 6) == 0.25)
    #expect(rig.refusals().isEmpty)
  }

  @Test("A hand that is said to be there is there as long as it is down")
  func touches() throws {
    let rig = try rig(.note(104), "/matrix/in/0/touch")
    #expect(
      states(rig, "/matrix/in/0/touch", [[0x90, 104, 127], [0x90, 104, 0]]) == [true, false])
  }

  @Test("After events were lost a button that was down presses again")
  func afterLosses() throws {
    let rig = try rig(.controller(48), mute)
    rig.send([0xB0, 48, 127])
    rig.port.forgetHands()
    rig.send([0xB0, 48, 127])
    #expect(!rig.isOn(mute))
  }

  @Test("One channel's press is not another's, on a line that hears all")
  func channels() throws {
    let rig = try rig(.controller(48), mute)
    #expect(
      states(rig, mute, [[0xB0, 48, 127], [0xB1, 48, 127], [0xB0, 48, 127], [0xBF, 48, 64]]) == [
        true, false, false, true,
      ])
  }
}
