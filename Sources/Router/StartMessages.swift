import Control
import Handoff
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

  /// Checks messages as the start of a mixer would, by applying them to one that nobody hears.
  ///
  /// - Throws: an `OptionError` that names where the first message that would be refused was written.
  static func check(
    _ messages: [TextMessage], _ configuration: HubConfiguration
  ) throws(OptionError) {
    do throws(StartError) {
      try apply(messages, to: unheardHub(configuration), at: .frame(0))
    } catch {
      throw OptionError(error.sentence)
    }
  }

  /// Checks the messages of an event file as a rendering would.
  ///
  /// - Throws: an `OptionError` that names where the first message that would be refused was written.
  static func check(
    _ file: EventFile, _ configuration: HubConfiguration
  ) throws(OptionError) {
    let hub = unheardHub(configuration)
    for transaction in file.transactions(rateHz: configuration.rate) {
      for case .messages(let batch, let origin) in transaction.steps {
        hub.perform(batch, at: .frame(transaction.frame), from: .local)
        if let refusal = refusal(of: hub) { throw OptionError(ended("\(origin): \(refusal)")) }
      }
    }
  }

  private static func unheardHub(_ configuration: HubConfiguration) -> ControlHub {
    ControlHub(
      configuration, ring: CommandRing(shape: configuration.shape),
      board: EngineBoard(rate: configuration.rate))
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
