import Control
import Handoff
import MatrixCore

/// The changes of an event file, handed to the hub shortly before their frames are rendered.
struct RenderEvents {
  private static let gridFrames: Int64 = 64

  private let transactions: [EventFile.Transaction]
  private let ring: CommandRing
  private let largestTransaction: Int
  private var next = 0
  /// The first event that the hub refused, with its place in the file.
  private(set) var refusal: StartError?

  init(_ file: EventFile?, rateHz: Double, ring: CommandRing, shape: MatrixShape) {
    transactions = file?.transactions(rateHz: rateHz) ?? []
    self.ring = ring
    largestTransaction = shape.gainCount
  }

  /// Applies what begins within some frames, as far as the ring has room, and gives the frame up
  /// to which they may be rendered; stops for good at the first refusal.
  mutating func apply(within frames: Range<Int64>, to hub: ControlHub) -> Int64 {
    while refusal == nil, next < transactions.count {
      let transaction = transactions[next]
      guard transaction.frame < frames.upperBound else { break }
      // The gate of a panic moves at the beginning of a call.
      if transaction.frame > frames.lowerBound, transaction.movesGate { return transaction.frame }
      guard ring.freeSlots >= largestTransaction else {
        // What the ring holds is rendered first; something is, even where cuts are held back.
        let nextGridPoint = (frames.lowerBound | (Self.gridFrames - 1)) + 1
        return min(frames.upperBound, max(transaction.frame, nextGridPoint))
      }
      next += 1
      hub.perform(transaction.batch, at: .frame(transaction.frame), from: .local)
      if let text = StartMessages.refusal(of: hub) {
        refusal = StartError(code: .usage, sentence: ended("\(transaction.origin): \(text)"))
      }
      hub.tick(now: 0)
    }
    return frames.upperBound
  }
}
