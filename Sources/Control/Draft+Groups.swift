import MatrixCore
import Messages

/// The checking of a group's members.
extension Draft {
  mutating func stageMembers(_ arguments: UnsafeBufferPointer<Argument>) throws(Refusal) {
    let start = transaction.payload.count
    var count = 0
    for argument in arguments {
      guard case .string(let word) = argument else {
        throw Refusal(.type, "members are texts: addresses or patterns of inputs and the like")
      }
      if word.isEmpty, arguments.count == 1 { break }
      let (words, gainCount) = try tree.memberWords(of: word)
      // Gains are looked for now and again when they become members.
      strain += gainCount * hitCount
      try checkStrain()
      for word in words {
        count += 1
        guard count <= GroupTable.mostWords else { throw AddressTree.tooManyWords }
        transaction.payload.append(.string(word))
      }
    }
    stageForEachHit(
      Operation(
        verb: .enroll, target: firstHit, payload: start..<transaction.payload.count))
  }
}
