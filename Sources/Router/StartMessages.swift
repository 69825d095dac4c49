import Control
import MatrixCore
import Messages
import TextLines

/// Applies the messages of a configuration and of `--set`, one by one, and stops at the first that
/// is wrong.
enum StartMessages {
  /// Applies each message at a moment, and gives what was clamped; none of them can be taken back by
  /// `/undo`.
  ///
  /// - Throws: a `StartError` that names where the first refused message was written.
  @discardableResult
  static func apply(
    _ messages: [TextMessage], to hub: ControlHub, at moment: Moment
  ) throws(StartError) -> ClampedValues {
    var clamped = ClampedValues()
    for message in messages {
      let before = hub.counters.clamped
      var batch = MessageBatch()
      batch.append(address: message.address, arguments: message.arguments)
      hub.perform(batch, at: moment, from: .local)
      if let refusal = refusal(of: hub) {
        throw StartError(code: .usage, sentence: ended("\(message.origin): \(refusal)"))
      }
      clamped.add(hub.counters.clamped - before, origin: message.origin)
    }
    hub.forgetHistory()
    return clamped
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
  ///
  /// An answer counts as one, because nobody hears it.
  static func refusal(of hub: ControlHub) -> String? { refusal(in: hub.takeReplies()) }

  /// The text of the first refusal among replies; see `refusal(of:)`.
  static func refusal(in replies: [Reply]) -> String? {
    for reply in replies {
      if reply.isError {
        let words = reply.arguments.map { argument in
          if case .string(let word) = argument { return word }
          return ""
        }
        return "\(words.first ?? "") was refused: \(words.last ?? "")"
      }
      if reply.source == .local, !reply.isForListener {
        return
          "\(reply.address) was refused: this is a question, and nobody hears the answer here; "
          + "give a value, or leave the line out"
      }
    }
    return nil
  }
}
