import MIDI
import TextLines

/// Changes with times: lines of `SECONDS ADDRESS ARGS…` and `SECONDS midi "CLIENT NAME" BYTES…`.
package struct EventFile: Equatable, Sendable {
  /// What a line does.
  package enum Action: Equatable, Sendable {
    /// It sends a message.
    case message(TextMessage)
    /// It is what a device has sent.
    case midi(MIDILine)

    /// Where it was written, to begin an error about it: `FILE:LINE:COLUMN`.
    package var origin: String {
      switch self {
      case .message(let message): message.origin
      case .midi(let line): line.origin
      }
    }
  }

  /// The bytes of a `midi` line, as events.
  package struct MIDILine: Equatable, Sendable {
    /// The name of the text, for errors.
    package var file: String
    /// Where the word `midi` stands.
    package var position: TextPosition
    /// The name of the device's sequencer client; its first port is meant.
    package var client: String
    /// The events that these bytes complete, after all that the client has sent before.
    package var events: [MIDIEvent]

    /// Where the line was written, to begin an error about it: `FILE:LINE:COLUMN`.
    package var origin: String { "\(file):\(position.line):\(position.column)" }
  }

  /// One line.
  package struct Event: Equatable, Sendable {
    /// When it takes effect, in seconds from the first sample; 0 or later.
    package var seconds: Double
    /// What it does.
    package var action: Action
  }

  /// The latest time that an event may have, in seconds (about 31 years).
  package static let maximumSeconds = 1e9

  /// The events, sorted by time; those of one time in the order of their lines.
  package let events: [Event]
  /// How many lines are MIDI.
  package let midiLines: Int
  /// How many events these lines make.
  package let midiEvents: Int
  /// How many bytes of these lines belong to no whole message.
  package let strayBytes: Int

  /// Reads an event file.
  ///
  /// The `midi` lines of one client are one stream of bytes, in the order of their times: what one
  /// line begins another may end, and a status goes on from line to line.
  ///
  /// - Throws: a `TextError` at the first line without a time of 0...1e9 seconds, without an
  ///   address and sound arguments, or without a client and bytes.
  package init(_ bytes: [UInt8], file: String) throws(TextError) {
    var reader = LineReader(bytes, file: file)
    var unsorted: [(seconds: Double, line: Unread)] = []
    while let line = try reader.next() {
      let first = line.words[0]
      guard let seconds = first.number, (0...Self.maximumSeconds).contains(seconds) else {
        throw line.unexpected(first, expected: "a time in seconds, 0 or later, such as 1.5")
      }
      unsorted.append((seconds, try Self.read(line)))
    }
    // The library's sort is stable but does not promise it; the line's place makes it sure.
    let sorted = unsorted.enumerated()
      .sorted { ($0.element.seconds, $0.offset) < ($1.element.seconds, $1.offset) }
      .map(\.element)
    var clients: [String: MIDIByteReader] = [:]
    var events: [Event] = []
    events.reserveCapacity(sorted.count)
    var lines = 0
    var completed = 0
    for (seconds, unread) in sorted {
      switch unread {
      case .message(let message):
        events.append(Event(seconds: seconds, action: .message(message)))
      case .midi(var line, let bytes):
        for byte in bytes {
          if let event = clients[line.client, default: MIDIByteReader()].take(byte) {
            line.events.append(event)
          }
        }
        lines += 1
        completed += line.events.count
        events.append(Event(seconds: seconds, action: .midi(line)))
      }
    }
    self.events = events
    midiLines = lines
    midiEvents = completed
    strayBytes = clients.values.reduce(0) { $0 + $1.strayBytes + $1.waitingBytes }
  }

  /// A line before the bytes of its client's earlier lines are known.
  private enum Unread {
    case message(TextMessage)
    case midi(MIDILine, bytes: [UInt8])
  }

  private static func read(_ line: TextLine) throws(TextError) -> Unread {
    guard line.words.count > 1 else { return .message(try line.message(from: 1)) }
    let word = line.words[1]
    if !word.isQuoted, word.text == "midi" { return try readMIDI(line) }
    guard !word.isQuoted, word.text.utf8.first == UInt8(ascii: "/") else {
      throw line.unexpected(
        word, expected: "an address, which begins with / and has no quotes, or the word midi")
    }
    return .message(try line.message(from: 1))
  }

  private static func readMIDI(_ line: TextLine) throws(TextError) -> Unread {
    let name = "the name of a device in quotes, such as \"nanoKONTROL2\""
    guard line.words.count > 2 else { throw line.missing(name) }
    let client = line.words[2]
    guard client.hexByte == nil else { throw line.unexpected(client, expected: name) }
    guard line.words.count > 3 else {
      throw line.missing("bytes of two hex digits each, such as B0 07 40")
    }
    var bytes: [UInt8] = []
    for word in line.words[3...] {
      guard let byte = word.hexByte else {
        throw line.unexpected(word, expected: "a byte of two hex digits, such as 7F")
      }
      bytes.append(byte)
    }
    let midi = MIDILine(
      file: line.file, position: line.words[1].position, client: client.text, events: [])
    return .midi(midi, bytes: bytes)
  }
}
