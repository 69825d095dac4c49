import MIDI

extension MappingSource {
  /// Appends the events that bring it to a value, 0...`highest`, on a channel, 1...16.
  ///
  /// What has 14 bits and is no bend goes in controllers, as devices send it themselves: the upper
  /// half first, a parameter's number before its value. A program is chosen by any value but 0.
  func append(_ value: Int, on channel: UInt8, to events: inout [MIDIEvent]) {
    func controller(_ number: Int, _ value: Int) {
      events.append(
        MIDIEvent(.controller, channel: channel, number: UInt8(number), value: UInt16(value)))
    }
    func parameter(_ selectors: (high: Int, low: Int), _ number: UInt16) {
      controller(selectors.high, Int(number >> 7))
      controller(selectors.low, Int(number & 127))
      controller(6, value >> 7)
      controller(38, value & 127)
    }
    switch self {
    case .controller(let number): controller(Int(number), value)
    case .pairedController(let high, let low):
      controller(Int(high), value >> 7)
      controller(Int(low), value & 127)
    case .nonRegistered(let number): parameter((99, 98), number)
    case .registered(let number): parameter((101, 100), number)
    case .note(let number):
      // A lamp is put out by a note of no velocity; some devices take no other.
      events.append(
        MIDIEvent(.noteOn, channel: channel, number: number, value: UInt16(value)))
    case .bend: events.append(MIDIEvent(.bend, channel: channel, value: UInt16(value)))
    case .pressure: events.append(MIDIEvent(.pressure, channel: channel, value: UInt16(value)))
    case .program(let number):
      if value > 0 { events.append(MIDIEvent(.program, channel: channel, number: number)) }
    }
  }
}
