import MatrixCore

/// A level as a hand knows it: one gain, or the two from an input to a pair of outputs, which are
/// one level and one pan.
struct Strand: Equatable {
  /// The gain, or the one to the left output.
  var left: GainID
  /// The one to the right output.
  var right: GainID?

  init(_ gain: GainID) {
    left = gain
  }

  init(left: GainID, right: GainID) {
    self.left = left
    self.right = right
  }

  /// Does something with each of its gains.
  @inline(__always)
  func eachGain(_ body: (GainID) -> Void) {
    body(left)
    if let right { body(right) }
  }
}

/// What moves together: the strand that is addressed, and that of its input's or output's partner.
struct Strands {
  var first: Strand
  var second: Strand?

  init(_ first: Strand, _ second: Strand? = nil) {
    self.first = first
    self.second = second
  }

  /// The lowest of all gains, which stands for all of them.
  var leader: GainID {
    guard let second, second.left.index < first.left.index else { return first.left }
    return second.left
  }

  /// Does something with each of the gains.
  @inline(__always)
  func eachGain(_ body: (GainID) -> Void) {
    first.eachGain(body)
    second?.eachGain(body)
  }
}
