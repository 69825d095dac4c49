import Control
import MatrixCore
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

  /// Checks the messages of options as their mixer would, without applying them.
  ///
  /// `running` is the mixer that stands in where the options do not say how many channels there
  /// are.
  ///
  /// - Throws: an `OptionError` that names where the first message that would be refused was written.
  static func check(
    _ options: RunOptions, _ running: HubConfiguration
  ) throws(OptionError) {
    var configuration = running
    let shape = MatrixShape(
      inputs: options.inputs ?? running.shape.inputs,
      outputs: options.outputs ?? running.shape.outputs)
    guard let shape else {
      throw OptionError("The configuration's inputs and outputs are too many crosspoints together.")
    }
    configuration.shape = shape
    configuration.rate = Double(options.rateHz)
    var check = MessageCheck(configuration)
    for message in options.startMessages {
      guard let refusal = check.refusal(of: message.address, message.arguments) else { continue }
      throw OptionError(
        ended("\(message.origin): \(message.address) was refused: \(refusal.text)"))
    }
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
