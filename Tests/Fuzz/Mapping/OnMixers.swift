import Control
import Handoff
import Mapping
import MatrixCore
import Messages

/// What a mapping sends is taken by the mixers that have its channels.
func checkOnMixers(_ mapping: Mapping) {
  for line in mapping.sections.flatMap(\.lines).prefix(32) {
    for address in line.addresses { check(address.text, line.options) }
  }
}

// The fuzzer runs one input after the other on one thread.
private nonisolated(unsafe) let trees = [(512, 128), (128, 512)].compactMap { inputs, outputs in
  MatrixShape(inputs: inputs, outputs: outputs).map { AddressTree(shape: $0) }
}
private nonisolated(unsafe) let hub: ControlHub = {
  guard let shape = MatrixShape(inputs: 4, outputs: 4) else { preconditionFailure("a matrix") }
  return ControlHub(
    HubConfiguration(shape: shape), ring: CommandRing(shape: shape),
    board: EngineBoard(rate: 48_000))
}()

private func check(_ address: String, _ options: MappingOptions) {
  precondition(trees.contains { knows(address, $0) }, "some matrix has it: \(address)")
  var batch = MessageBatch()
  batch.append(address: address, arguments: options.arguments ?? [.int32(1)])
  hub.perform(batch, at: .frame(0), from: .local)
  hub.tick(now: 0)
  for reply in hub.takeReplies() where reply.isError {
    // A small matrix lacks channels, or outputs for all values of a row; what needs set has none
    // here that fits where set was left out.
    guard options.arguments != nil, case .string(let code)? = reply.arguments.dropFirst().first
    else { continue }
    precondition(["index", "address", "count"].contains(code), "\(address) \(reply.arguments)")
  }
}

private func knows(_ address: String, _ tree: AddressTree) -> Bool {
  var address = address
  return address.withUTF8 { bytes in
    switch tree.find(bytes) {
    case .target: return true
    case .badIndex, .nothing: break
    }
    guard AddressPattern.isPattern(bytes) else { return false }
    var hits: [Target] = []
    do throws(AddressTree.PatternFault) {
      try tree.collect(bytes, limit: 1, into: &hits)
      return true
    } catch {
      return error == .tooMany
    }
  }
}
