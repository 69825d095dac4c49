import MatrixCore

/// Patterns that say what of a scene is meant.
///
/// A pattern means the levels and switches whose addresses it meets, and a crosspoint's own address
/// means all of the crosspoint. One that meets none of them, but what has some below it
/// (`/matrix/in/2`, `/matrix/out/*`, `/matrix`), means all that is below.
extension AddressTree {
  /// Whether a pattern means anything that scenes keep.
  package func meansParts(_ pattern: UnsafeBufferPointer<UInt8>) -> Bool {
    !mark(pattern) { _, _ in false }
  }

  /// What a pattern means of each gain.
  package func parts(under pattern: String) -> [StoredParts] {
    var parts = [StoredParts](repeating: [], count: shape.levelCount)
    var pattern = pattern
    pattern.withUTF8 {
      _ = mark($0) { gain, met in
        parts[Int(gain.index)].formUnion(met)
        return true
      }
    }
    return parts
  }

  /// Hands over what a pattern means until it is told to stop; says whether it never was.
  private func mark(
    _ pattern: UnsafeBufferPointer<UInt8>, _ take: (GainID, StoredParts) -> Bool
  ) -> Bool {
    forgetMatches(useNames: true)
    let root = Target(.ping, .mixer)
    var hasMetAny = false
    let isThrough = visit(pattern, from: 0, node: 0, root) { node, target in
      guard let (gain, parts) = stored(node, target) else { return true }
      hasMetAny = true
      return take(gain, parts)
    }
    guard isThrough, !hasMetAny else { return isThrough }
    return visit(pattern, from: 0, node: 0, root) { node, target in
      nodes[node].parameter != nil || visitAll(below: node, target, take)
    }
  }

  /// What a node's own address sets that scenes keep.
  private func stored(_ node: Int, _ target: Target) -> (GainID, StoredParts)? {
    guard let parameter = nodes[node].parameter, nodes[node].place.hasGain else { return nil }
    var target = target
    target.place = nodes[node].place
    let gain = target.gain(in: shape)
    let parts = StoredParts(parameter).intersection(.all(of: gain, in: shape))
    return parts.isEmpty ? nil : (gain, parts)
  }

  private func visitAll(
    below node: Int, _ target: Target, _ take: (GainID, StoredParts) -> Bool
  ) -> Bool {
    if let (gain, parts) = stored(node, target) {
      guard take(gain, parts) else { return false }
      // Below a crosspoint there is only what belongs to it.
      if parts == .all(of: gain, in: shape) { return true }
    }
    var target = target
    var child = nodes[node].firstChild
    while child >= 0 {
      switch nodes[child].kind {
      case .word:
        guard visitAll(below: child, target, take) else { return false }
      case .input, .output, .group, .scene:
        for number in 0..<count(of: nodes[child].kind) {
          target.set(number, of: nodes[child].kind)
          guard visitAll(below: child, target, take) else { return false }
        }
      }
      child = nodes[child].nextSibling
    }
    return true
  }

  /// Calls for every node that a pattern meets, until it is told to stop; says whether it never
  /// was.
  private func visit(
    _ pattern: UnsafeBufferPointer<UInt8>, from start: Int, node: Int, _ target: Target,
    _ take: (Int, Target) -> Bool
  ) -> Bool {
    guard start < pattern.count else { return take(node, target) }
    guard let part = part(of: pattern, at: start) else { return true }
    var target = target
    var child = nodes[node].firstChild
    while child >= 0 {
      switch nodes[child].kind {
      case .word:
        if matches(pattern: UnsafeBufferPointer(rebasing: pattern[part]), node: child),
          !visit(pattern, from: part.upperBound, node: child, target, take)
        {
          return false
        }
      case .input, .output, .group, .scene:
        for number in numbers(part, of: pattern, kind: nodes[child].kind) {
          target.set(number, of: nodes[child].kind)
          guard visit(pattern, from: part.upperBound, node: child, target, take) else {
            return false
          }
        }
      }
      child = nodes[child].nextSibling
    }
    return true
  }
}
