import CTestSupport
import Control
import MIDI
import Mapping
import Messages
import Testing

@Suite("Events and memory")
struct SteadyMemoryTests {
  private func rig() throws -> PortRig {
    var lines: [MappingLine] = []
    for number in UInt8(0)..<8 {
      let input = "/matrix/in/\(number)"
      lines.append(line(.controller(number), input + "/fader") { $0.takeover = .pickup })
      lines.append(line(.controller(16 + number), input + "/out/0/fader"))
      lines.append(line(.controller(32 + number), input + "/solo"))
      lines.append(line(.controller(48 + number), input + "/mute") { $0.button = .gate })
    }
    lines.append(line(.note(60), "/matrix/in/*/phase", "/matrix/out/[0-3]/dim"))
    lines.append(line(.note(61), "/matrix/identity"))
    lines.append(
      line(.note(62), "/matrix/in/1/db") { $0.arguments = [.int32(-3), .int32(50)] })
    lines.append(
      line(.bend, "/matrix/in/*/out/3", "/matrix/master/db") {
        $0.range = MappingRange(low: -1, high: 1)
      })
    lines.append(line(.pressure, "/config/dim"))
    lines.append(line(.program(1), "/matrix/solo/clear"))
    return try PortRig(lines)
  }

  /// Number n of a long stream in which every control of the rig takes part.
  private func event(_ number: Int) -> MIDIEvent {
    let value = UInt16(number / 8 % 128)
    switch number % 16 {
    case 0...3: return MIDIEvent(.controller, channel: 1, number: UInt8(number % 4), value: value)
    case 4...6:
      return MIDIEvent(.controller, channel: 1, number: 16 + UInt8(number % 8), value: value)
    case 7...9:
      return MIDIEvent(.controller, channel: 1, number: 32 + UInt8(number / 16 % 8), value: value)
    case 10:
      return MIDIEvent(.controller, channel: 1, number: 48 + UInt8(number / 16 % 8), value: value)
    case 11: return MIDIEvent(.noteOn, channel: 2, number: 60 + UInt8(number / 16 % 3), value: 1)
    case 12: return MIDIEvent(.noteOff, channel: 2, number: 60 + UInt8(number / 16 % 3))
    case 13: return MIDIEvent(.bend, channel: 3, value: value << 7 | value)
    case 14: return MIDIEvent(.pressure, channel: 4, value: value)
    default: return MIDIEvent(.program, channel: 5, number: UInt8(number / 16 % 4))
    }
  }

  private func replay(_ numbers: Range<Int>, on rig: PortRig) {
    for number in numbers {
      rig.take(event(number))
      if number % 4 == 3 { rig.tickAndDrain() }
    }
  }

  @Test(
    "From an event to the audio thread nothing is allocated, whatever the event moves",
    .enabled(if: crosspoint_test_can_watch() != 0, "sanitizers bring their own allocator"))
  func allocatesNothing() throws {
    let rig = try rig()
    replay(0..<16_384, on: rig)
    let before = rig.hub.revision
    crosspoint_test_watch_begin()
    replay(0..<16_384, on: rig)
    let found = crosspoint_test_watch_end() & 0xFFFF_FFFF
    #expect(found == 0)
    #expect(rig.hub.revision > before + 4_000)
    #expect(rig.refusals().isEmpty)
  }

  @Test(
    "FL-06: six controllers every 8 ms for twenty minutes leave memory as it was, and the last value",
    .enabled(if: crosspoint_test_can_watch() != 0, "sanitizers bring their own allocator"))
  func longStream() throws {
    let rig = try rig()
    // Each of the six as far as the hand goes, so that all are caught, and once more.
    func replay(_ events: Range<Int>) {
      for number in events {
        let step = number / 6 % 254
        rig.take(
          MIDIEvent(
            .controller, channel: 1, number: UInt8(number % 6),
            value: UInt16(step < 128 ? step : 254 - step)))
        if number % 6 == 5 {
          rig.advance(seconds: 0.008)
          rig.tickAndDrain()
        }
      }
    }
    replay(0..<3_048)
    let commands = rig.drained
    crosspoint_test_watch_begin()
    replay(0..<900_000)
    // Nothing that is allocated and kept can be more than all that is allocated.
    #expect(crosspoint_test_watch_end() & 0xFFFF_FFFF == 0)
    #expect(rig.drained - commands > 890_000)
    for (number, value) in [(0, 0), (1, 127), (2, 64), (3, 1), (4, 126), (5, 33)] {
      rig.take(
        MIDIEvent(.controller, channel: 1, number: UInt8(number), value: UInt16(value)))
      let expected = Taper.x32.gain(atPosition: Double(value) / 127)
      #expect(rig.input(number) == expected)
    }
  }
}
