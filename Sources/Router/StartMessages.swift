import Control
import Handoff
import Messages
import Surfaces
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

  /// Checks the messages and the clients of options as the start of a mixer would, on one that nobody
  /// hears.
  ///
  /// - Throws: an `OptionError` that names where the first one that would be refused was written.
  static func check(
    _ options: RunOptions, _ configuration: HubConfiguration
  ) throws(OptionError) {
    let hub = unheardHub(configuration)
    do throws(StartError) {
      try apply(options.startMessages, to: hub, at: .frame(0))
    } catch {
      throw OptionError(error.sentence)
    }
    do throws(Refusal) {
      try FixedClient.check(options.clients, hub: hub)
    } catch {
      throw OptionError(ended(error.text))
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
          "\(askedAddress(of: reply)) was refused: nobody hears the answer here; "
          + (reply.address == pong ? "leave the line out" : "give a value, or leave the line out")
      }
    }
    return nil
  }

  private static let pong = "/pong"

  /// The address of the message that a reply answers.
  static func askedAddress(of reply: Reply) -> String {
    reply.address == pong ? "/ping" : reply.address
  }
}
