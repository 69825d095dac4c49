import MatrixCore
import Messages

/// Says whether a mixer of some shape would take a message, without one: nothing is applied.
///
/// One thread at a time.
package struct MessageCheck {
  private var draft: Draft

  /// Makes a check for mixers of a configuration.
  package init(_ configuration: HubConfiguration) {
    let shape = configuration.shape
    draft = Draft(
      configuration: configuration, tree: AddressTree(shape: shape),
      state: MixState(shape: shape, dimDB: configuration.dimDB),
      maximumOperations: ControlHub.maximumOperations(shape))
    // Some mixer has pairs where a message needs them.
    if shape.inputs > 1 { draft.pairs.set(true, 0, of: .input) }
    if shape.outputs > 1 { draft.pairs.set(true, 0, of: .output) }
  }

  /// Whether a message would do anything: a trigger that is sent a number below 0.5 does not.
  ///
  /// A scene counts as one that there will be.
  ///
  /// - Throws: a `Refusal` that says why the hub would not take it.
  package mutating func acts(_ address: String, _ arguments: [Argument]) throws(Refusal) -> Bool {
    var batch = MessageBatch()
    batch.append(address: address, arguments: arguments)
    do throws(Refusal) {
      try draft.read(batch)
    } catch {
      guard error.code == .scene else { throw error }
      return true
    }
    return !draft.transaction.isEmpty
  }

  /// Why a message would be refused, or nothing.
  package mutating func refusal(of address: String, _ arguments: [Argument]) -> Refusal? {
    do throws(Refusal) {
      _ = try acts(address, arguments)
      return nil
    } catch {
      return error
    }
  }
}
