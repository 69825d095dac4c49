import Control

/// The changes of an event file, handed to the hub shortly before their frames are rendered.
struct RenderEvents {
  private let transactions: [EventFile.Transaction]
  private var next = 0
  /// The first event that the hub refused, with its place in the file.
  private(set) var refusal: StartError?

  init(_ file: EventFile?, rateHz: Double) {
    transactions = file?.transactions(rateHz: rateHz) ?? []
  }

  /// Applies what begins before a frame; stops for good at the first refusal.
  mutating func apply(before end: Int64, to hub: ControlHub) {
    while refusal == nil, next < transactions.count, transactions[next].frame < end {
      let transaction = transactions[next]
      next += 1
      hub.perform(transaction.batch, at: .frame(transaction.frame), from: .local)
      guard let text = StartMessages.refusal(of: hub) else { continue }
      refusal = StartError(code: .usage, sentence: "\(transaction.origin): \(text).")
    }
    hub.tick(now: 0)
  }
}
