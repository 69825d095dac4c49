import MIDI
import Testing

@Suite("Bytes of a MIDI wire")
struct MIDIByteReaderTests {
  private func events(_ bytes: [UInt8]) -> [MIDIEvent] {
    var reader = MIDIByteReader()
    return bytes.compactMap { reader.take($0) }
  }

  private func controllers(_ bytes: [UInt8]) -> [UInt16] {
    let events = events(bytes)
    #expect(events.allSatisfy { $0.kind == .controller && $0.channel == 1 && $0.number == 7 })
    return events.map(\.value)
  }

  private func strayBytes(_ bytes: [UInt8]) -> Int {
    var reader = MIDIByteReader()
    for byte in bytes { _ = reader.take(byte) }
    return reader.strayBytes
  }

  @Test(
    "MI-05: real-time bytes are transparent, system common and exclusive end running status",
    arguments: [
      ([0xB0, 0x07, 0x0A, 0xF8, 0x07, 0x14, 0xFE, 0x07, 0x1E], [10, 20, 30]),
      ([0xB0, 0x07, 0xF8, 0x40], [64]),
      ([0xB0, 0x07, 0x0A, 0xF1, 0x25, 0x07, 0x14], [10]),
      ([0xF0, 0x01, 0xF8, 0x02, 0xF7, 0xB0, 0x07, 0x40], [64]),
      // Before, between and behind everything.
      ([0xF8, 0xB0, 0xFA, 0xFB, 0x07, 0xFC, 0xFF, 0x40, 0xF9, 0xFD, 0x07, 0x41], [64, 65]),
      // Each message of the system, with its own number of data bytes.
      ([0xB0, 0x07, 0x0A, 0xF2, 0x01, 0x02, 0x07, 0x14], [10]),
      ([0xB0, 0x07, 0x0A, 0xF3, 0x01, 0x07, 0x14], [10]),
      ([0xB0, 0x07, 0x0A, 0xF6, 0x07, 0x14], [10]),
      ([0xB0, 0x07, 0x0A, 0xF4, 0x07, 0x14], [10]),
      ([0xB0, 0x07, 0x0A, 0xF7, 0x07, 0x14], [10]),
      ([0xB0, 0x07, 0x0A, 0xF0, 0x07, 0x14, 0xF7, 0x07, 0x1E], [10]),
      ([0xF1, 0x25, 0xB0, 0x07, 0x0A], [10]),
      ([0xF2, 0x25, 0xB0, 0x07, 0x0A], [10]),
      // An exclusive message that never ends is ended by the next status.
      ([0xF0, 0x42, 0x40, 0x00, 0xB0, 0x07, 0x0A, 0x07, 0x14], [10, 20]),
      // A real-time byte between a message of the system and its data.
      ([0xF2, 0xF8, 0x01, 0xFE, 0x02, 0xB0, 0x07, 0x0A], [10]),
    ] as [([UInt8], [UInt16])])
  func runningStatus(bytes: [UInt8], values: [UInt16]) {
    #expect(controllers(bytes) == values)
  }

  @Test("MI-05: real-time bytes anywhere in a stream change none of its events")
  func realTimeAnywhere() {
    let stream: [UInt8] = [
      0xB0, 0x07, 0x0A, 0x08, 0x14, 0x93, 0x3C, 0x40, 0x3C, 0x00, 0xC5, 0x01, 0x02, 0xD6, 0x11,
      0xE8, 0x00, 0x40, 0x7F, 0x7F, 0xF0, 0x01, 0x02, 0xF7, 0xB1, 0x07, 0x01, 0xF1, 0x25, 0x83,
      0x3C, 0x00,
    ]
    let expected = events(stream)
    #expect(expected.count == 11)
    for place in 0...stream.count {
      for realTime in UInt8(0xF8)...0xFF {
        var disturbed = stream
        disturbed.insert(realTime, at: place)
        #expect(events(disturbed) == expected)
      }
    }
  }

  @Test("Every kind of message is an event, with its channel from 1 to 16")
  func kinds() {
    for channel in UInt8(0)...15 {
      let number = channel + 1
      #expect(
        events([0x80 | channel, 60, 5]) == [
          MIDIEvent(.noteOff, channel: number, number: 60, value: 5)
        ])
      #expect(
        events([0x90 | channel, 60, 5]) == [
          MIDIEvent(.noteOn, channel: number, number: 60, value: 5)
        ])
      #expect(events([0xA0 | channel, 60, 5, 61, 6]) == [])
      #expect(
        events([0xB0 | channel, 127, 127]) == [
          MIDIEvent(.controller, channel: number, number: 127, value: 127)
        ])
      #expect(
        events([0xC0 | channel, 9, 10]) == [
          MIDIEvent(.program, channel: number, number: 9),
          MIDIEvent(.program, channel: number, number: 10),
        ])
      #expect(
        events([0xD0 | channel, 9, 10]) == [
          MIDIEvent(.pressure, channel: number, value: 9),
          MIDIEvent(.pressure, channel: number, value: 10),
        ])
    }
  }

  @Test("MI-08: a bend is 0 to 16383, its low seven bits first")
  func bends() {
    let bytes: [UInt8] = [0xE0, 0x00, 0x00, 0x00, 0x40, 0x7F, 0x7F, 0x01, 0x00, 0x7F, 0x3F]
    #expect(events(bytes).map(\.value) == [0, 8192, 16_383, 1, 8191])
    #expect(events(bytes).allSatisfy { $0.kind == .bend && $0.channel == 1 && $0.number == 0 })
  }

  @Test("A note-on of velocity 0 lets go, under running status too")
  func noteOffs() {
    let kinds = events([0x90, 60, 100, 60, 0, 60, 1]).map(\.kind)
    #expect(kinds == [.noteOn, .noteOff, .noteOn])
  }

  @Test("A message that is not complete waits for its rest")
  func truncated() {
    var reader = MIDIByteReader()
    for byte: UInt8 in [0xB0, 0x07] { #expect(reader.take(byte) == nil) }
    #expect(reader.waitingBytes == 1)
    #expect(reader.take(0x40)?.value == 64)
    #expect(reader.waitingBytes == 0)
    #expect(reader.strayBytes == 0)
  }

  @Test(
    "Bytes that belong to no message are counted",
    arguments: [
      ([0x01, 0x02, 0xB0, 0x07, 0x40], 2), ([0xB0, 0x07, 0xB0, 0x07, 0x40], 1),
      ([0xF1, 0x01, 0x02, 0x03], 2), ([0xF0, 0x01, 0xF7, 0x02], 1), ([0xF6, 0x01], 1),
      ([0xF0, 0x01, 0x02, 0x03], 0), ([0xA0, 0x01, 0x02, 0x01, 0x02], 0), ([0xF7], 0),
      ([0xC0, 0x01, 0x02, 0x03], 0),
    ] as [([UInt8], Int)])
  func strays(bytes: [UInt8], count: Int) {
    #expect(strayBytes(bytes) == count)
  }

  @Test("A channel, a number and a value never leave their range, whatever comes")
  func anything() {
    var generator = SystemRandomNumberGenerator()
    var reader = MIDIByteReader()
    var count = 0
    for _ in 0..<200_000 {
      guard let event = reader.take(UInt8.random(in: 0...255, using: &generator)) else { continue }
      count += 1
      #expect((1...16).contains(event.channel))
      #expect(event.number < 128)
      #expect(event.value <= (event.kind == .bend ? 16_383 : 127))
    }
    #expect(count > 1000)
  }
}
