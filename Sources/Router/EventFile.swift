import Messages
import TextLines

/// Changes with times: lines of `SECONDS ADDRESS ARGS…`.
package struct EventFile: Equatable, Sendable {
  /// One line.
  package struct Event: Equatable, Sendable {
    /// When it takes effect, in seconds from the first sample; 0 or later.
    package var seconds: Double
    /// What changes.
    package var message: TextMessage
  }

  /// The changes of one moment, which take effect on the same frame.
  package struct Transaction: Equatable, Sendable {
    /// The first frame that may differ, counted from 0.
    package var frame: Int64
    /// The messages, in the order of their lines.
    package var messages: [TextMessage]

    /// Whether a panic begins or ends in it, which acts at the beginning of a render call.
    package var movesGate: Bool {
      messages.contains { $0.address == "/engine/panic" || $0.address == "/engine/resume" }
    }

    /// Where its first message was written.
    package var origin: String { messages.first?.origin ?? "" }

    /// The messages as the control side takes them; message n of the batch is `messages[n]`.
    package var batch: MessageBatch {
      var batch = MessageBatch()
      for message in messages {
        batch.append(address: message.address, arguments: message.arguments)
      }
      return batch
    }
  }

  /// The latest time that an event may have, in seconds (about 31 years).
  package static let maximumSeconds = 1e9

  /// The events, sorted by time; those of one time in the order of their lines.
  package let events: [Event]

  /// Reads an event file.
  ///
  /// - Throws: a `TextError` at the first line without a time of 0...1e9 seconds, an address, or
  ///   sound arguments.
  package init(_ bytes: [UInt8], file: String) throws(TextError) {
    var reader = LineReader(bytes, file: file)
    var events: [Event] = []
    while let line = try reader.next() {
      let first = line.words[0]
      guard let seconds = first.number, (0...Self.maximumSeconds).contains(seconds) else {
        throw line.unexpected(first, expected: "a time in seconds, 0 or later, such as 1.5")
      }
      events.append(Event(seconds: seconds, message: try line.message(from: 1)))
    }
    // The library's sort is stable but does not promise it; the line's place makes it sure.
    self.events = events.enumerated()
      .sorted { ($0.element.seconds, $0.offset) < ($1.element.seconds, $1.offset) }
      .map(\.element)
  }

  /// The transactions at a sample rate in Hz, in the order in which they are applied.
  ///
  /// The frame of a time is round(seconds x rate), halves away from zero. Two different times that
  /// fall on one frame stay two transactions.
  package func transactions(rateHz: Double) -> [Transaction] {
    precondition((1...1e6).contains(rateHz), "a sample rate in Hz")
    var transactions: [Transaction] = []
    var lastSeconds = -1.0
    for event in events {
      if event.seconds == lastSeconds {
        transactions[transactions.count - 1].messages.append(event.message)
      } else {
        lastSeconds = event.seconds
        let frame = Int64((event.seconds * rateHz).rounded())
        transactions.append(Transaction(frame: frame, messages: [event.message]))
      }
    }
    return transactions
  }
}
