import MIDI

/// Finds the controls that listen to an event, by one look.
struct ControlIndex: Sendable {
  private static let channels = 16
  private static let numbers = 128
  private static let slotCount = 3 * channels * numbers + 2 * channels

  /// Where the controls of each slot begin in `controls`; those of the next slot end them.
  private let starts: [Int32]
  private let controls: [Int32]

  /// Makes the index of some controls; control n listens to `listeners[n]`.
  init(_ listeners: [(source: MappingSource, channel: UInt8?)]) {
    // Counted first, so that a device that is plugged in costs two arrays and not thousands.
    var starts = [Int32](repeating: 0, count: Self.slotCount + 1)
    for listener in listeners {
      for slot in Self.slots(listener) { starts[slot + 1] += 1 }
    }
    for slot in 0..<Self.slotCount { starts[slot + 1] += starts[slot] }
    var controls = [Int32](repeating: 0, count: Int(starts[Self.slotCount]))
    var next = starts
    for (number, listener) in listeners.enumerated() {
      for slot in Self.slots(listener) {
        controls[Int(next[slot])] = Int32(number)
        next[slot] += 1
      }
    }
    self.starts = starts
    self.controls = controls
  }

  /// The slots of a source: of one channel, or of all.
  private static func slots(_ listener: (source: MappingSource, channel: UInt8?)) -> [Int] {
    (listener.channel.map { $0...$0 } ?? 1...UInt8(channels)).compactMap {
      slot(of: listener.source, channel: $0)
    }
  }

  /// The places in `control(at:)` of the controls that listen to an event.
  func places(of event: MIDIEvent) -> Range<Int> {
    let slot =
      switch event.kind {
      case .controller: Self.slot(0, event.channel, event.number)
      case .noteOn, .noteOff: Self.slot(1, event.channel, event.number)
      case .program: Self.slot(2, event.channel, event.number)
      case .bend: Self.slot(3, event.channel, 0)
      case .pressure: Self.slot(4, event.channel, 0)
      }
    guard let slot else { return 0..<0 }
    return Int(starts[slot])..<Int(starts[slot + 1])
  }

  /// The number of the control at a place.
  func control(at place: Int) -> Int { Int(controls[place]) }

  private static func slot(of source: MappingSource, channel: UInt8) -> Int? {
    switch source {
    case .controller(let number): slot(0, channel, number)
    case .note(let number): slot(1, channel, number)
    case .program(let number): slot(2, channel, number)
    case .bend: slot(3, channel, 0)
    case .pressure: slot(4, channel, 0)
    case .pairedController, .nonRegistered, .registered: nil
    }
  }

  /// The slot of a channel, 1...16, and a number, 0...127; nothing for others.
  private static func slot(_ kind: Int, _ channel: UInt8, _ number: UInt8) -> Int? {
    guard (1...16).contains(channel), number < 128 else { return nil }
    let channel = Int(channel) - 1
    return kind < 3
      ? (kind * channels + channel) * numbers + Int(number)
      : 3 * channels * numbers + (kind - 3) * channels + channel
  }
}
