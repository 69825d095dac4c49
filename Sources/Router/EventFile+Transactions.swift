import Messages
import TextLines

extension EventFile {
  /// The changes of one moment, which take effect on the same frame.
  package struct Transaction: Equatable, Sendable {
    /// What is handed to the hub at a time.
    package enum Step {
      /// Messages that follow each other, as the control side takes them; `origin` is where the
      /// first of them was written.
      case messages(MessageBatch, origin: String)
      /// What a device has sent.
      case midi(MIDILine)
    }

    /// The first frame that may differ, counted from 0.
    package var frame: Int64
    /// The actions, in the order of their lines.
    package var actions: [Action]

    /// Whether a panic may begin or end in it, which acts at the beginning of a render call.
    package var movesGate: Bool {
      actions.contains { action in
        switch action {
        case .message(let message):
          message.address == "/engine/panic" || message.address == "/engine/resume"
        // What a device has sent may mean either.
        case .midi: true
        }
      }
    }

    /// The actions in their order, with messages that follow each other together.
    ///
    /// What a device has sent is a step of its own, because what it means may depend on where the
    /// messages before it have put things.
    package var steps: [Step] {
      var steps: [Step] = []
      var batch = MessageBatch()
      var origin = ""
      for action in actions {
        switch action {
        case .message(let message):
          if batch.isEmpty { origin = message.origin }
          batch.append(address: message.address, arguments: message.arguments)
        case .midi(let line):
          if !batch.isEmpty { steps.append(.messages(batch, origin: origin)) }
          batch.removeAll()
          steps.append(.midi(line))
        }
      }
      if !batch.isEmpty { steps.append(.messages(batch, origin: origin)) }
      return steps
    }
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
        transactions[transactions.count - 1].actions.append(event.action)
      } else {
        lastSeconds = event.seconds
        let frame = Int64((event.seconds * rateHz).rounded())
        transactions.append(Transaction(frame: frame, actions: [event.action]))
      }
    }
    return transactions
  }
}
