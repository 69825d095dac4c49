import MIDI
import Testing

struct MIDIEventTests {
  @Test func events() {
    #expect(MIDIEvent(.controller, channel: 1, number: 7, value: 3).value == 3)
  }
}
