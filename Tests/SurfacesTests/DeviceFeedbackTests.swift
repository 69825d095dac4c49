import Control
import FaultCard
import Mapping
import Messages
import Surfaces
import Testing

/// Fader boxes that see what others do, over a sequencer made of software.
@Suite("Feedback to MIDI devices")
struct DeviceFeedbackTests {
  private let box = """
    device box
    cc <0-7> /matrix/in/<0-7>/fader feedback
    cc <32-39> /matrix/in/<0-7>/mute toggle feedback
    """

  /// A box that is connected and has been told everything.
  private func rig(_ mapping: String) throws -> DeviceRig {
    let rig = try DeviceRig(mapping) { DeviceRig.plugDuplex(into: $0) }
    rig.wait(milliseconds: 100)
    _ = rig.heard()
    return rig
  }

  @Test("A device is told what somebody else has done, at once and only that")
  func others() throws {
    let rig = try rig(box)
    rig.osc("/matrix/in/3/fader", .float(1))
    rig.osc("/matrix/in/3/mute", .int32(1))
    rig.osc("/matrix/out/3/fader", .float(1))
    rig.passOnce()
    #expect(rig.heard() == [[0xB0, 3, 127], [0xB0, 35, 127]])
    rig.wait(milliseconds: 200)
    #expect(rig.heard() == [])
    #expect(rig.counter("midi_feedback_failures") == 0)
  }

  @Test("FB-04: while a motor fader is touched it is sent nothing, and exactly one value after")
  func touch() throws {
    let rig = try rig(
      "device box\nch 1 bend /matrix/in/0/gain feedback\nch 1 note 104 /matrix/in/0/touch")
    rig.play(24, 0, 0x90, 0x68, 0x7F)
    for high: UInt8 in [0x10, 0x20, 0x30] {
      rig.play(24, 0, 0xE0, 0, high)
      rig.wait(milliseconds: 30)
    }
    rig.osc("/matrix/in/0/gain", .float(0.1))
    rig.wait(milliseconds: 300)
    #expect(rig.heard() == [])
    rig.play(24, 0, 0x90, 0x68, 0)
    rig.wait(milliseconds: 300)
    // 0.1 of 16383 is 1638: 12 x 128 + 102.
    #expect(rig.heard() == [[0xE0, 102, 12]])
  }

  @Test("FB-04: the touch may stand in another mapping for the same box")
  func otherSection() throws {
    let rig = try DeviceRig(
      "device box\nbend /matrix/in/0/gain feedback", "device box\nnote 104 /matrix/in/0/touch"
    ) { DeviceRig.plugDuplex(into: $0) }
    rig.wait(milliseconds: 100)
    _ = rig.heard()
    rig.play(24, 0, 0x90, 0x68, 0x7F)
    rig.osc("/matrix/in/0/gain", .float(0))
    rig.wait(milliseconds: 100)
    #expect(rig.heard() == [])
    rig.play(24, 0, 0x90, 0x68, 0)
    rig.wait(milliseconds: 100)
    #expect(rig.heard() == [[0xE0, 0, 0]])
  }

  @Test("FB-05: a device that sends back whatever it hears makes no loop and changes nothing")
  func loop() throws {
    let rig = try rig(
      "device box\ncc 7 /matrix/in/0/fader feedback\ncc 8 /matrix/in/0/mute toggle feedback\n"
        + "note 9 /matrix/in/0/phase toggle feedback")
    var told = 0
    func echo(milliseconds: Int) {
      for _ in 0..<milliseconds {
        rig.passOnce()
        for event in rig.heard() {
          told += 1
          faultsequencer_play(rig.device, 24, 0, event, UInt32(event.count))
        }
      }
    }
    rig.play(24, 0, 0xB0, 7, 64)
    echo(milliseconds: 1_000)
    #expect(told == 0)
    rig.osc("/matrix/in/0/gain", .float(0.3))
    echo(milliseconds: 1_000)
    #expect(told == 1)
    #expect(rig.level(0) == Double(Float(0.3)))
    rig.osc("/matrix/in/0/mute", .int32(1))
    rig.osc("/matrix/in/0/phase", .int32(1))
    echo(milliseconds: 1_000)
    #expect(told == 3)
    #expect(rig.factor(0) == 0)
    rig.osc("/matrix/in/0/mute", .int32(0))
    echo(milliseconds: 1_000)
    #expect(told == 4)
    #expect(rig.factor(0) == -1)
    rig.play(24, 0, 0xB0, 8, 127)
    echo(milliseconds: 1_000)
    #expect(told == 5)
    #expect(rig.factor(0) == 0)
    // That of a lamp that was put out needs no guard.
    #expect(rig.counter("midi_ignored_echoes") == 4)
  }

  @Test("FB-05: a device that sends back whatever it hears does not stop a fade")
  func fadeAndEcho() throws {
    let rig = try rig("device box\ncc 7 /matrix/in/0/gain feedback")
    rig.osc("/matrix/in/0/gain", .float(0), .float(1_000), .string("lin"))
    var told = 0
    for _ in 0..<1_200 {
      rig.passOnce()
      for event in rig.heard() {
        told += 1
        faultsequencer_play(rig.device, 24, 0, event, UInt32(event.count))
      }
    }
    #expect((30...42).contains(told))
    #expect(rig.level(0) == 0)
    #expect(rig.counter("midi_ignored_echoes") == UInt64(told))
  }

  @Test("FB-05: Midi Through is never told anything, and nobody can listen to what is sent")
  func through() throws {
    let rig = try DeviceRig("device *\ncc 7 /matrix/in/0/fader feedback") {
      DeviceRig.plugDuplex(into: $0, 14, 0, "Midi Through")
      DeviceRig.plugDuplex(into: $0, 24, 0, "box")
    }
    rig.osc("/matrix/in/0/fader", .float(0))
    rig.wait(milliseconds: 50)
    #expect(rig.isOpen(24) && !rig.isOpen(14))
    #expect(rig.heard(24) == [[0xB0, 7, 0]] && rig.heard(14) == [])
    #expect(faultsequencer_capabilities(rig.device) == DeviceRig.Capability.writing)
  }

  @Test(
    "FB-06: a box that is plugged in again is told everything once, paced, within half a second")
  func refresh() throws {
    let lines = """
      device box
      cc <0-15> /matrix/in/<0-15>/fader feedback
      cc <32-47> /matrix/in/<0-15>/mute toggle feedback
      """
    let desk = try Desk()
    let rig = try DeviceRig(lines, hub: desk.hub) { DeviceRig.plugDuplex(into: $0) }
    rig.wait(milliseconds: 100)
    #expect(rig.heard().count == 32)
    rig.pull(24)
    for input in 0..<16 {
      rig.osc("/matrix/in/\(input)/fader", .float(Float(input) / 15))
    }
    rig.plugDuplex(30)
    var heard: [[UInt8]] = []
    for _ in 0..<500 {
      rig.passOnce()
      let now = rig.heard(30)
      #expect(now.count <= 4, "12 bytes at a time")
      heard += now
    }
    #expect(heard.count == 32)
    for input in 0..<16 {
      let values = heard.filter { $0[1] == UInt8(input) }
      #expect(values.count == 1)
      let position = (Double(input) / 15 * 127).rounded()
      #expect(abs(Double(values[0][2]) - position) <= 0)
    }
  }

  @Test("FB-06: a device is told everything once when somebody asks for it")
  func request() throws {
    let rig = try rig(box)
    rig.surface.refresh()
    rig.wait(milliseconds: 500)
    #expect(rig.heard().count == 16)
  }

  @Test("FB-06: another mapping is told everything, and the same one nothing")
  func reload() throws {
    let rig = try rig(box)
    func read(_ text: String) throws -> Mapping { try Mapping(Array(text.utf8), file: "box.map") }
    rig.surface.setMappings([try read(box)])
    rig.wait(milliseconds: 100)
    #expect(rig.heard() == [])
    rig.surface.setMappings([try read("device box\ncc 1 /matrix/in/1/fader feedback")])
    rig.wait(milliseconds: 100)
    #expect(rig.heard() == [[0xB0, 1, 95]])
    rig.surface.setMappings([try read("device box\ncc 1 /matrix/in/1/fader")])
    rig.osc("/matrix/in/1/fader", .float(1))
    rig.wait(milliseconds: 100)
    #expect(rig.heard() == [] && rig.isConnected(24))
  }

  @Test("A sweep is told at 40 values a second at most, and its last value always arrives")
  func sweep() throws {
    let rig = try rig(box)
    for step in 0..<1_000 {
      rig.osc("/matrix/in/0/fader", .float(Float(step) / 1_000))
      rig.osc("/matrix/in/1/fader", .float(1 - Float(step) / 1_000))
      rig.passOnce()
    }
    rig.osc("/matrix/in/0/fader", .float(1))
    rig.wait(milliseconds: 50)
    let heard = rig.heard()
    let first = heard.filter { $0[1] == 0 }.map { $0[2] }
    #expect((38...43).contains(first.count))
    #expect(zip(first, first.dropFirst()).allSatisfy { $0 < $1 })
    #expect(first.last == 127)
    #expect(heard.last { $0[1] == 1 } == [0xB0, 1, 1])
  }

  @Test("A device that is full is told the latest value when it has room again, and it is counted")
  func full() throws {
    let rig = try rig(box)
    rig.giveRoom(0)
    rig.osc("/matrix/in/0/fader", .float(0.5))
    rig.osc("/matrix/in/1/fader", .float(1))
    rig.wait(milliseconds: 100)
    rig.osc("/matrix/in/0/fader", .float(0))
    rig.wait(milliseconds: 100)
    #expect(rig.heard() == [])
    let blocked = try #require(rig.counter("midi_feedback_blocked_turns"))
    #expect((4...10).contains(blocked))
    rig.giveRoom(-1)
    rig.wait(milliseconds: 100)
    #expect(rig.heard().sorted { $0[1] < $1[1] } == [[0xB0, 0, 0], [0xB0, 1, 127]])
    #expect(rig.counter("midi_feedback_failures") == 0)
  }

  @Test("A device that takes nothing is said once, tried again, and told everything that it missed")
  func failure() throws {
    let rig = try rig(box)
    _ = rig.said()
    let events = try #require(rig.counter("midi_feedback_events"))
    faultsequencer_shut(rig.device, 24, 0, true)
    rig.osc("/matrix/in/0/fader", .float(0))
    rig.wait(milliseconds: 2_500)
    #expect(
      rig.said() == [
        "MIDI: \"box\" (port 24:0) is not told what changes: it takes nothing (No such device); "
          + "it is tried again every second."
      ])
    #expect(rig.counter("midi_feedback_failures") == 3)
    faultsequencer_shut(rig.device, 24, 0, false)
    rig.wait(milliseconds: 1_100)
    #expect(rig.heard() == [[0xB0, 0, 0]])
    #expect(rig.counter("midi_feedback_events") == events + 1)
  }

  @Test("A device without a port to write to moves levels and is told nothing, which is said")
  func readOnly() throws {
    let rig = try DeviceRig(box) { faultsequencer_plug($0, 24, 0, "box", "box MIDI 1", 1) }
    #expect(
      rig.said().last
        == "MIDI: \"box\" (port 24:0) is not told what changes: it has no port that can be written "
        + "to.")
    rig.osc("/matrix/in/0/fader", .float(1))
    rig.wait(milliseconds: 100)
    #expect(!rig.isOpen() && rig.heard() == [])
    rig.play(24, 0, 0xB0, 0, 0)
    #expect(rig.level(0) == 0)
    #expect(rig.said() == [])
  }

  @Test("A device with a port for each way is told at the one that can be written to")
  func twoPorts() throws {
    let rig = try DeviceRig("device box\ncc 1 /matrix/in/1/fader feedback") {
      faultsequencer_plug($0, 129, 0, "box", "box out", -1)
      faultsequencer_plug_as($0, 129, 1, "box", "box in", -1, DeviceRig.Capability.writing)
    }
    rig.wait(milliseconds: 50)
    #expect(rig.isConnected(129, 0) && rig.isOpen(129, 1))
    #expect(rig.heard(129, 1) == [[0xB0, 1, 95]])
  }

  @Test("Without the word feedback no device is opened for sending")
  func withoutFeedback() throws {
    let rig = try DeviceRig("device box\ncc 1 /matrix/in/1/fader") {
      DeviceRig.plugDuplex(into: $0)
    }
    rig.osc("/matrix/in/1/fader", .float(0))
    rig.wait(milliseconds: 100)
    #expect(rig.isConnected(24) && !rig.isOpen() && rig.heard() == [])
  }

  @Test("After an overrun nobody knows what a device shows, and it is told everything")
  func overrun() throws {
    let rig = try rig(
      "device box\ncc 1 /matrix/in/1/mute feedback\ncc 2 /matrix/in/2/fader feedback")
    faultsequencer_fail(rig.device, -28)
    rig.wait(milliseconds: 200)
    #expect(rig.heard() == [[0xB0, 1, 0], [0xB0, 2, 95]])
  }

  @Test("Somebody who disconnects a box by hand ends what it is told, too")
  func released() throws {
    let rig = try rig(box)
    faultsequencer_connect(rig.device, 24, 0, false)
    rig.pass()
    rig.osc("/matrix/in/1/fader", .float(1))
    rig.wait(milliseconds: 100)
    #expect(rig.heard() == [])
    faultsequencer_connect(rig.device, 24, 0, true)
    rig.wait(milliseconds: 100)
    #expect(rig.isOpen() && rig.heard().count == 16)
  }

  @Test("FB-05: a button with a highest position of its own is known by its echo, too")
  func echoOfCalibratedButton() throws {
    let rig = try rig("device box\ncc 8 /matrix/in/0/mute max 100 feedback")
    rig.osc("/matrix/in/0/mute", .int32(1))
    var heard: [[UInt8]] = []
    for _ in 0..<100 where heard.isEmpty {
      rig.wait(milliseconds: 1)
      heard = rig.heard()
    }
    #expect(heard == [[0xB0, 8, 127]])
    rig.play(24, 0, 0xB0, 8, 127)
    #expect(rig.counter("midi_ignored_echoes") == 1)
    rig.wait(milliseconds: 100)
    #expect(rig.heard() == [])
  }

  @Test("A hand that comes to rest where the fader was sent a moment ago is heard")
  func backAgain() throws {
    let rig = try rig("device box\ncc 1 /matrix/in/0/fader feedback")
    rig.osc("/matrix/in/0/fader", .float(0))
    rig.wait(milliseconds: 30)
    #expect(rig.heard().last == [0xB0, 1, 0])
    for value in [64, 1, 0] as [UInt8] { rig.play(24, 0, 0xB0, 1, value) }
    #expect(rig.level(0) == 0)
    #expect(rig.counter("midi_ignored_echoes") == 0)
  }
}
