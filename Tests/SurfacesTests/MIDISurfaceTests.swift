import CTestSupport
import Control
import FaultCard
import Messages
import Surfaces
import Testing

@Suite("The MIDI surface")
struct MIDISurfaceTests {
  private let box = """
    device box
    cc <0-7> /matrix/in/<0-7>/fader
    cc <32-39> /matrix/in/<0-7>/mute
    """
  /// The top of a fader: +10 dB.
  private let top = 3.1622776601683795

  @Test("A device that is there at the start moves levels, from end to end exactly")
  func start() throws {
    let rig = try DeviceRig(box) { faultsequencer_plug($0, 24, 0, "box", "box MIDI 1", 1) }
    #expect(
      rig.said() == ["MIDI: \"box\" (port 24:0 \"box MIDI 1\") is connected, mapping box.map."])
    for (value, level): (UInt8, Double) in [(127, top), (0, 0), (127, top)] {
      rig.play(24, 0, 0xB0, 0, value)
      #expect(abs(rig.level(0) - level) < 1e-15)
    }
    rig.play(24, 0, 0xB0, 3, 0)
    #expect(rig.level(3) == 0 && rig.level(4) == 1)
    #expect(rig.counter("midi_devices") == 1)
    #expect(rig.counter("midi_events") == 4)
    rig.play(24, 0, 0xB0, 99, 1)
    #expect(rig.counter("midi_unmapped_events") == 1)
  }

  @Test("SQ-06: a device that appears later is connected, and a program's port as well")
  func hotPlug() throws {
    let rig = try DeviceRig(box)
    _ = rig.said()
    rig.plug(24)
    rig.play(24, 0, 0xB0, 0, 0)
    #expect(rig.level(0) == 0)
    rig.pull(24)
    rig.plug(129, card: -1)
    rig.play(129, 0, 0xB0, 1, 0)
    #expect(rig.level(1) == 0)
  }

  @Test("SQ-01, SQ-03: pulled out, its gains stay; it comes back under any number; a line each way")
  func replug() throws {
    let rig = try DeviceRig(box) { faultsequencer_plug($0, 24, 0, "box", "box MIDI 1", 1) }
    rig.play(24, 0, 0xB0, 0, 0)
    _ = rig.said()
    rig.pull(24)
    #expect(rig.level(0) == 0)
    #expect(rig.said() == ["MIDI: \"box\" (port 24:0) is gone; gains stay."])
    #expect(rig.counter("midi_devices") == 0)
    // Its old number is somebody else's now.
    rig.plug(24, 0, "other")
    #expect(!rig.isConnected(24))
    rig.plug(30)
    #expect(
      rig.said() == ["MIDI: \"box\" (port 30:0 \"box MIDI 1\") is connected, mapping box.map."])
    #expect(!rig.play(24, 0, 0xB0, 0, 127))
    rig.play(30, 0, 0xB0, 1, 0)
    #expect(rig.level(0) == 0 && rig.level(1) == 0)
  }

  @Test("SQ-03: what was known of hands dies with the port: a press that was held is a press again")
  func stateDies() throws {
    let rig = try DeviceRig(box) { faultsequencer_plug($0, 24, 0, "box", "box MIDI 1", 1) }
    rig.play(24, 0, 0xB0, 32, 127)
    rig.play(24, 0, 0xB0, 32, 127)
    #expect(rig.factor(0) == 0)
    rig.pull(24)
    rig.plug(24)
    rig.play(24, 0, 0xB0, 32, 127)
    #expect(rig.factor(0) == 1)
  }

  @Test("SQ-03: a hand that was on a level is off it when its device is gone")
  func touch() throws {
    let rig = try DeviceRig("device box\nnote 104 /matrix/in/0/touch gate") {
      faultsequencer_plug($0, 24, 0, "box", "box MIDI 1", 1)
    }
    rig.play(24, 0, 0x90, 104, 127)
    #expect(rig.isTouched(0))
    rig.pull(24)
    #expect(!rig.isTouched(0))
  }

  @Test(
    "SQ-02: twins are told apart by nth; without it neither moves anything, and one line says so")
  func twins() throws {
    let rig = try DeviceRig(box) {
      faultsequencer_plug($0, 28, 0, "box", "box MIDI 1", 1)
      faultsequencer_plug($0, 36, 0, "box", "box MIDI 1", 2)
    }
    #expect(!rig.isConnected(28) && !rig.isConnected(36))
    let said = rig.said()
    #expect(said.count { $0.contains("nth 1 or nth 2") } == 1)
    rig.plug(40, 0, "other")
    #expect(rig.said() == [])
    rig.pull(28)
    #expect(rig.isConnected(36))

    let both = try DeviceRig(
      "device box nth 2\ncc 0 /matrix/in/2/fader\ndevice box nth 1\ncc 0 /matrix/in/1/fader"
    ) {
      faultsequencer_plug($0, 28, 0, "box", "box MIDI 1", 1)
      faultsequencer_plug($0, 36, 0, "box", "box MIDI 1", 2)
    }
    both.play(36, 0, 0xB0, 0, 0)
    #expect(both.level(2) == 0 && both.level(1) == 1)
    both.play(28, 0, 0xB0, 0, 0)
    #expect(both.level(1) == 0)
  }

  @Test("SQ-02: a twin that is connected by hand is the one, and one that is released stays so")
  func byHand() throws {
    let rig = try DeviceRig(box) {
      faultsequencer_plug($0, 28, 0, "box", "box MIDI 1", 1)
      faultsequencer_plug($0, 36, 0, "box", "box MIDI 1", 2)
    }
    faultsequencer_connect(rig.device, 36, 0, true)
    rig.pass()
    rig.play(36, 0, 0xB0, 0, 0)
    #expect(rig.level(0) == 0)
    faultsequencer_connect(rig.device, 36, 0, false)
    rig.pass()
    #expect(rig.counter("midi_devices") == 0)
    rig.plug(40, 0, "other")
    #expect(!rig.isConnected(36))
    // Pulled out and plugged in again, it is as new.
    rig.pull(28)
    rig.pull(36)
    rig.plug(36)
    #expect(rig.isConnected(36))
  }

  @Test("SQ-07: what is not found at the start is said once, with every name that was seen")
  func names() throws {
    let rig = try DeviceRig(box) {
      faultsequencer_plug($0, 24, 0, "Launchkey MK4 61 Launchkey MK4 ", "Launchkey MK4 61 DAW", 1)
      faultsequencer_plug($0, 14, 0, "Midi Through", "Midi Through Port-0", -1)
      faultsequencer_plug($0, 129, 3, "loop 10", "out", -1)
    }
    #expect(
      rig.said() == [
        "MIDI: nothing is connected for \"box\" (box.map) yet; seen: "
          + "\"Launchkey MK4 61 Launchkey MK4 \" port 0 \"Launchkey MK4 61 DAW\", "
          + "\"loop 10\" port 3 \"out\"."
      ])
    #expect(try DeviceRig(box).said().last?.hasSuffix("there is no MIDI device.") == true)
  }

  @Test("FB-05: Midi Through is never connected, whatever the glob")
  func echo() throws {
    let rig = try DeviceRig("device *\ncc 0 /matrix/in/0/fader") {
      faultsequencer_plug($0, 14, 0, "Midi Through", "Midi Through Port-0", -1)
    }
    rig.plug(15, 0, "Midi Through", card: -1)
    #expect(!rig.isConnected(14) && !rig.isConnected(15))
    rig.plug(24)
    #expect(rig.isConnected(24))
  }

  @Test("Without a mapping nothing is connected, and the first device that is seen says how to")
  func noMapping() throws {
    let rig = try DeviceRig()
    #expect(rig.said() == [])
    rig.plug(24)
    #expect(!rig.isConnected(24))
    let said = rig.said()
    #expect(said.count == 1 && said[0].contains("--map"))
    rig.plug(28)
    #expect(rig.said() == [])
  }

  @Test("SQ-05: after an overrun the last position is where the level is, and the hands are new")
  func overrun() throws {
    let rig = try DeviceRig(box) { faultsequencer_plug($0, 24, 0, "box", "box MIDI 1", 1) }
    rig.play(24, 0, 0xB0, 32, 127)
    #expect(rig.factor(0) == 0)
    _ = rig.said()
    faultsequencer_fail(rig.device, -28)
    faultsequencer_fail(rig.device, -11)
    for value: UInt8 in [100, 50, 0] { rig.play(24, 0, 0xB0, 7, value) }
    #expect(rig.level(7) == 0)
    #expect(rig.counter("midi_overruns") == 1)
    #expect(rig.said().count { $0.contains("faster") } == 1)
    // The button may have been let go in between.
    rig.play(24, 0, 0xB0, 32, 127)
    #expect(rig.factor(0) == 1)
  }

  @Test("SQ-05: a device that came or went during an overrun is found")
  func overrunHidesDevices() throws {
    let rig = try DeviceRig("device *\ncc 0 /matrix/in/0/fader") {
      faultsequencer_plug($0, 24, 0, "box", "box MIDI 1", 1)
      faultsequencer_plug($0, 28, 0, "second", "second MIDI 1", 2)
    }
    rig.pass()
    for _ in 0..<3_000 { _ = faultsequencer_control(rig.device, 24, 0, 10, 0, 0, 64) }
    // None of this reaches the queue: one goes, one is another under the same number, one comes.
    faultsequencer_pull(rig.device, 28)
    faultsequencer_pull(rig.device, 24)
    faultsequencer_plug(rig.device, 24, 0, "box", "box MIDI 1", 1)
    faultsequencer_plug(rig.device, 30, 0, "third", "third MIDI 1", 3)
    rig.pass()
    #expect(rig.counter("midi_overruns") == 1)
    #expect(rig.isConnected(24) && rig.isConnected(30))
    #expect(rig.counter("midi_devices") == 2)
    rig.play(24, 0, 0xB0, 0, 0)
    #expect(rig.level(0) == 0)
  }

  @Test("SQ-05: a storm of 50,000 ends where the hand ended, and nothing of it is lost")
  func storm() throws {
    let rig = try DeviceRig(box) { faultsequencer_plug($0, 24, 0, "box", "box MIDI 1", 1) }
    rig.pass()
    let before = try #require(rig.counter("midi_events"))
    for round in 0..<50 {
      for number in 0..<1_000 {
        let isLast = round == 49 && number == 999
        _ = faultsequencer_control(rig.device, 24, 0, 10, 0, 7, isLast ? 0 : Int32(number % 128))
      }
      // A pass takes fewer than come; the kernel's queue is emptied all the same.
      rig.passOnce()
    }
    rig.pass()
    #expect(rig.level(7) == 0)
    #expect(rig.counter("midi_events") == before + 50_000)
    #expect(rig.counter("midi_overruns") == 0)
  }

  @Test("FL-03: a pass acts on a bounded number of events")
  func bounded() throws {
    let rig = try DeviceRig(box) { faultsequencer_plug($0, 24, 0, "box", "box MIDI 1", 1) }
    rig.pass()
    for _ in 0..<1_000 { _ = faultsequencer_control(rig.device, 24, 0, 10, 0, 7, 9) }
    rig.passOnce()
    #expect(rig.counter("midi_events") == UInt64(MIDISurface.eventsPerPass))
    #expect(rig.surface.hasWaiting)
    rig.pass()
    #expect(rig.counter("midi_events") == 1_000)
  }

  @Test("Nothing is allocated for an event", .enabled(if: crosspoint_test_can_watch() != 0))
  func allocations() throws {
    let rig = try DeviceRig(box) { faultsequencer_plug($0, 24, 0, "box", "box MIDI 1", 1) }
    let arrival = Arrival(monotonicNanoseconds: 9_000_000_000, realtimeNanoseconds: 0)
    for isWatched in [false, true] {
      rig.pass()
      for value in 0..<200 {
        _ = faultsequencer_control(rig.device, 24, 0, 10, 0, UInt32(value % 8), Int32(value % 128))
        _ = faultsequencer_control(rig.device, 24, 0, 10, 0, 99, 1)
      }
      if isWatched { crosspoint_test_watch_begin() }
      rig.surface.receive(now: arrival)
      guard isWatched else { continue }
      let allocations = crosspoint_test_watch_end() & 0xFFFF_FFFF
      #expect(allocations == 0)
    }
  }

  @Test("What the hub refuses is said with the device and the line of its mapping")
  func refusal() throws {
    let rig = try DeviceRig(box) { faultsequencer_plug($0, 24, 0, "box", "box MIDI 1", 1) }
    _ = rig.said()
    let text = Argument.string("There is no such channel.")
    for number in [0, 7] {
      rig.surface.take(
        Reply(
          source: .device(number), address: Reply.errorAddress,
          arguments: [.string("/matrix/in/2/fader"), .string("index"), text]))
    }
    #expect(
      rig.said() == [
        "/matrix/in/2/fader from \"box\" (box.map:2:1) was refused: There is no such channel."
      ])
  }

  @Test("Lines for channels that the matrix lacks are left out, and said once")
  func absentLines() throws {
    let rig = try DeviceRig("device box\ncc <0-15> /matrix/in/<0-15>/fader") {
      faultsequencer_plug($0, 24, 0, "box", "box MIDI 1", 1)
    }
    #expect(rig.said().count { $0.contains("8 lines of box.map") } == 1)
    rig.pull(24)
    rig.plug(24)
    #expect(!rig.said().contains { $0.contains("8 lines") })
    rig.play(24, 0, 0xB0, 7, 0)
    #expect(rig.level(7) == 0)
    rig.play(24, 0, 0xB0, 8, 0)
  }
}
