import Control
import Messages
import TextLines

/// Applies the messages of a configuration and of `--set`, one by one, and stops at the first that
/// is wrong.
enum StartMessages {
  /// Applies each message at a moment; none of them can be taken back by `/undo`.
  ///
  /// - Throws: a `StartError` that names where the first refused message was written.
  static func apply(
    _ messages: [TextMessage], to hub: ControlHub, at moment: Moment
  ) throws(StartError) {
    for message in messages {
      var batch = MessageBatch()
      batch.append(address: message.address, arguments: message.arguments)
      hub.perform(batch, at: moment, from: .local)
      if let refusal = refusal(of: hub) {
        throw StartError(code: .usage, sentence: ended("\(message.origin): \(refusal)"))
      }
    }
    hub.forgetHistory()
  }

  /// Takes the hub's replies and gives the text of the first refusal among them.
  static func refusal(of hub: ControlHub) -> String? {
    var text: String?
    for reply in hub.takeReplies() where reply.isError && text == nil {
      let words = reply.arguments.map { argument in
        if case .string(let word) = argument { return word }
        return ""
      }
      text = "\(words.first ?? "") was refused: \(words.last ?? "")"
    }
    return text
  }
}
