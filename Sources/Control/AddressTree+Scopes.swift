import MatrixCore

/// Patterns that say what of a scene is meant.
///
/// A pattern means the levels and switches whose addresses it meets, and a crosspoint's own address
/// means all of the crosspoint. One that meets none of them, but what has some below it
/// (`/matrix/in/2`, `/matrix/out/*`, `/matrix`), means all that is below.
extension AddressTree {
  /// Whether a pattern means anything that scenes keep.
  package func meansParts(_ pattern: UnsafeBufferPointer<UInt8>) -> Bool {
    var meansAny = false
    eachPart(of: pattern) { _, _ in meansAny = true }
    return meansAny
  }

  /// What a pattern means of each gain.
  package func parts(under pattern: String) -> [StoredParts] {
    var parts = [StoredParts](repeating: [], count: shape.levelCount)
    var pattern = pattern
    pattern.withUTF8 { pattern in
      eachPart(of: pattern) { crossing, met in
        let place = nodes[crossing.node].place
        for input in crossings.lists[crossing.inputs] {
          for output in crossings.lists[crossing.outputs] {
            let gain = Target(.gain, place, input: input, output: output).gain(in: shape)
            parts[Int(gain.index)].formUnion(met)
          }
        }
      }
    }
    return parts
  }

  /// Hands over every node that a pattern means, and what it means there of each gain.
  private func eachPart(
    of pattern: UnsafeBufferPointer<UInt8>, _ take: (Crossing, StoredParts) -> Void
  ) {
    find(pattern, useNames: true)
    let found = crossings.found
    var hasMetAny = false
    for crossing in found {
      let parts = stored(crossing.node)
      guard !parts.isEmpty else { continue }
      hasMetAny = true
      take(crossing, parts)
    }
    guard !hasMetAny else { return }
    for crossing in found where nodes[crossing.node].parameter == nil {
      eachPart(below: crossing, take)
    }
  }

  /// What a node's own address sets that scenes keep.
  private func stored(_ node: Int) -> StoredParts {
    guard let parameter = nodes[node].parameter, nodes[node].place.hasGain else { return [] }
    return StoredParts(parameter).intersection(.all(at: nodes[node].place))
  }

  private func eachPart(below crossing: Crossing, _ take: (Crossing, StoredParts) -> Void) {
    let parts = stored(crossing.node)
    if !parts.isEmpty {
      take(crossing, parts)
      // Below a crosspoint there is only what belongs to it.
      if parts == .all(at: nodes[crossing.node].place) { return }
    }
    var child = nodes[crossing.node].firstChild
    while child >= 0 {
      let kind = nodes[child].kind
      var next = crossing
      next.node = child
      if kind != .word { next.pass(kind, list: crossings.list(ofAll: kind)) }
      eachPart(below: next, take)
      child = nodes[child].nextSibling
    }
  }
}
