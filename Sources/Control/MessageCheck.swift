import Messages

/// Says whether a mixer of some shape would take a message, without one: nothing is applied.
///
/// Any one thread.
package struct MessageCheck {
  private var draft: Draft

  /// Makes a check for mixers of a configuration.
  package init(_ configuration: HubConfiguration) {
    draft = Draft(
      configuration: configuration, tree: AddressTree(shape: configuration.shape),
      maximumOperations: ControlHub.maximumOperations(configuration.shape))
  }

  /// Why a message would be refused, or nothing.
  package mutating func refusal(of address: String, _ arguments: [Argument]) -> Refusal? {
    var batch = MessageBatch()
    batch.append(address: address, arguments: arguments)
    do throws(Refusal) {
      try draft.read(batch)
      return nil
    } catch {
      return error
    }
  }
}
