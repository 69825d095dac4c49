/// Makes events of the bytes of a MIDI wire, one byte at a time.
///
/// The rules are those of the MIDI 1.0 Detailed Specification 4.2: a status byte goes on ruling
/// until the next one (running status); real-time bytes (F8...FF) may stand between any two others
/// and change nothing; system common messages (F1...F6) and exclusive ones (F0...F7) end running
/// status and are passed over. A message that is not complete waits for its rest. Any bytes at all
/// may come; nothing is allocated. One reader for one wire, on any one thread.
public struct MIDIByteReader: Equatable, Sendable {
  /// What the data bytes that come next belong to.
  private enum State: Equatable, Sendable {
    /// To nothing: no status has come, or a message of the system has ended.
    case adrift
    /// To messages of a channel with this status.
    case channel(status: UInt8)
    /// To a message of the system that takes so many more.
    case system(missing: UInt8)
    /// To an exclusive message.
    case exclusive
  }

  private var state = State.adrift
  private var first: UInt8 = 0
  private var hasFirst = false

  /// How many data bytes belonged to no message: they came without a status, or another status
  /// came before their message was complete.
  public private(set) var strayBytes = 0

  /// How many data bytes wait for the rest of their message.
  public var waitingBytes: Int { hasFirst ? 1 : 0 }

  /// Makes a reader that has heard nothing.
  public init() {}

  /// Takes one byte, and gives the event that it completes, if it does.
  ///
  /// A note-on of velocity 0 is a `noteOff`. Messages that no event stands for, such as the
  /// pressure on a single key, are passed over.
  public mutating func take(_ byte: UInt8) -> MIDIEvent? {
    if byte >= 0xF8 { return nil }
    guard byte < 0x80 else {
      begin(status: byte)
      return nil
    }
    switch state {
    case .adrift:
      strayBytes += 1
    case .system(let missing):
      state = missing > 1 ? .system(missing: missing - 1) : .adrift
    case .exclusive:
      break
    case .channel(let status):
      return data(byte, status: status)
    }
    return nil
  }

  private mutating func begin(status: UInt8) {
    switch state {
    case .channel where hasFirst: strayBytes += 1
    case .adrift, .channel, .system, .exclusive: break
    }
    hasFirst = false
    switch status {
    case 0x80...0xEF: state = .channel(status: status)
    case 0xF0: state = .exclusive
    case 0xF1, 0xF3: state = .system(missing: 1)
    case 0xF2: state = .system(missing: 2)
    default: state = .adrift
    }
  }

  private mutating func data(_ byte: UInt8, status: UInt8) -> MIDIEvent? {
    let channel = (status & 0x0F) + 1
    switch status & 0xF0 {
    case 0xC0:
      return MIDIEvent(.program, channel: channel, number: byte)
    case 0xD0:
      return MIDIEvent(.pressure, channel: channel, value: UInt16(byte))
    default:
      break
    }
    guard hasFirst else {
      first = byte
      hasFirst = true
      return nil
    }
    hasFirst = false
    let value = UInt16(byte)
    switch status & 0xF0 {
    case 0x80:
      return MIDIEvent(.noteOff, channel: channel, number: first, value: value)
    case 0x90:
      return MIDIEvent(
        byte == 0 ? .noteOff : .noteOn, channel: channel, number: first, value: value)
    case 0xB0:
      return MIDIEvent(.controller, channel: channel, number: first, value: value)
    case 0xE0:
      return MIDIEvent(.bend, channel: channel, value: value << 7 | UInt16(first))
    default:
      return nil
    }
  }
}
