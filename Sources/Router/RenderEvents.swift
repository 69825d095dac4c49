import Control
import Handoff
import Mapping
import MatrixCore
import Messages

/// The changes of an event file, handed to the hub shortly before their frames are rendered.
struct RenderEvents {
  private static let gridFrames: Int64 = 64

  private let transactions: [EventFile.Transaction]
  private let ring: CommandRing
  private let largestTransaction: Int
  private var devices: RenderDevices
  private var next = 0
  /// The values that were out of range.
  private(set) var clamped = ClampedValues()
  /// The first event that the hub refused, with its place in the file.
  private(set) var refusal: StartError?

  init(
    _ file: EventFile?, devices: RenderDevices, rateHz: Double, ring: CommandRing,
    shape: MatrixShape
  ) {
    transactions = file?.transactions(rateHz: rateHz) ?? []
    self.devices = devices
    self.ring = ring
    largestTransaction = shape.gainCount
  }

  /// How many events have not been applied so far.
  var waitingEvents: Int { transactions[next...].reduce(0) { $0 + $1.actions.count } }

  /// How many MIDI events met no line of a mapping so far.
  var unheardEvents: Int { devices.unheardEvents }

  /// Applies what begins within some frames, as far as the ring has room, and gives the frame up
  /// to which they may be rendered; nothing, for good, from the first refusal on.
  mutating func apply(within frames: Range<Int64>, to hub: ControlHub) -> Int64? {
    while refusal == nil {
      let event = next < transactions.count ? transactions[next].frame : .max
      let waypoint = hub.nextWaypointFrame ?? .max
      let due = min(event, waypoint)
      guard due < frames.upperBound else { break }
      // The gate of a panic moves at the beginning of a call.
      if event <= waypoint, event > frames.lowerBound, transactions[next].movesGate { return event }
      guard ring.freeSlots >= largestTransaction else {
        // What the ring holds is rendered first; something is, even where cuts are held back.
        let nextGridPoint = (frames.lowerBound | (Self.gridFrames - 1)) + 1
        return min(frames.upperBound, max(due, nextGridPoint))
      }
      guard event < waypoint else {
        hub.passWaypoint()
        continue
      }
      let transaction = transactions[next]
      next += 1
      apply(transaction, to: hub)
      hub.flush()
    }
    return refusal == nil ? frames.upperBound : nil
  }

  /// Hands the steps of a transaction to the hub, each after the one before has been applied; all
  /// of them leave for the renderer together, when the hub's pass ends.
  private mutating func apply(_ transaction: EventFile.Transaction, to hub: ControlHub) {
    for step in transaction.steps where refusal == nil {
      switch step {
      case .messages(let batch, let origin):
        let before = hub.counters.clamped
        hub.perform(batch, at: .frame(transaction.frame), from: .local)
        let replies = hub.takeReplies()
        noteRefusal(in: replies, of: transaction, origin: origin)
        clamped.add(
          hub.counters.clamped - before,
          origin: replies.lazy.compactMap { Self.place(of: $0, in: transaction) }.first ?? origin)
      case .midi(let line):
        devices.play(line, atFrame: transaction.frame, to: hub)
        noteRefusal(in: hub.takeReplies(), of: transaction, origin: line.origin)
      }
    }
  }

  private mutating func noteRefusal(
    in replies: [Reply], of transaction: EventFile.Transaction, origin: String
  ) {
    for reply in replies {
      guard let text = StartMessages.refusal(in: [reply]) else { continue }
      let place = Self.place(of: reply, in: transaction) ?? origin
      refusal = StartError(code: .usage, sentence: ended("\(place): \(text)"))
      return
    }
  }

  /// Where the message was written that a reply is about.
  private static func place(
    of reply: Reply, in transaction: EventFile.Transaction
  ) -> String? {
    var address = StartMessages.askedAddress(of: reply)
    if reply.isError {
      guard case .string(let refused)? = reply.arguments.first else { return nil }
      address = refused
    }
    for case .message(let message) in transaction.actions where message.address == address {
      return message.origin
    }
    return nil
  }
}
