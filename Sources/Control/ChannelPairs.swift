import MatrixCore

/// Which channels are linked with their right neighbour.
///
/// Any two neighbours can be a pair, a channel is in one pair at most. Control thread only.
final class ChannelPairs {
  private let shape: MatrixShape
  private var inputLefts: [Bool]
  private var outputLefts: [Bool]
  private var count = 0

  /// Makes a matrix without pairs.
  init(shape: MatrixShape) {
    self.shape = shape
    inputLefts = [Bool](repeating: false, count: shape.inputs)
    outputLefts = [Bool](repeating: false, count: shape.outputs)
  }

  /// Whether there are no pairs.
  var isEmpty: Bool { count == 0 }

  /// Whether a channel is the left one of a pair.
  func isLeft(_ channel: Int, of side: Place) -> Bool {
    side == .input ? inputLefts[channel] : outputLefts[channel]
  }

  /// The left channel of the pair that a channel is in, or nothing.
  func left(of channel: Int, _ side: Place) -> Int? {
    if isLeft(channel, of: side) { return channel }
    return channel > 0 && isLeft(channel - 1, of: side) ? channel - 1 : nil
  }

  /// The left channels of all pairs of a side.
  func lefts(of side: Place) -> [Int] {
    let lefts = side == .input ? inputLefts : outputLefts
    return lefts.indices.filter { lefts[$0] }
  }

  /// Why a channel cannot be paired with its right neighbour, or nothing.
  func refusal(ofPairing channel: Int, _ side: Place) -> Refusal? {
    guard !isLeft(channel, of: side) else { return nil }
    guard channel + 1 < (side == .input ? shape.inputs : shape.outputs) else {
      return Refusal(
        .value, "\(side.noun) \(channel) is the last one and has no right neighbour to pair with")
    }
    for member in [channel, channel + 1] {
      guard let left = left(of: member, side) else { continue }
      let address = ParameterTable.address(of: Target(.pair, side, input: left, output: left))
      return Refusal(
        .value,
        "\(side.noun) \(member) is in the pair of \(left) and \(left + 1) already, which "
          + "\(address) 0 takes apart")
    }
    return nil
  }

  /// Makes a pair or takes one apart; says whether that changed anything.
  @discardableResult
  func set(_ on: Bool, _ channel: Int, of side: Place) -> Bool {
    guard isLeft(channel, of: side) != on else { return false }
    count += on ? 1 : -1
    if side == .input { inputLefts[channel] = on } else { outputLefts[channel] = on }
    return true
  }

  /// What moves when a gain's address is used; the gain that was addressed is in the first.
  func strands(of gain: GainID) -> Strands {
    guard !isEmpty else { return Strands(Strand(gain)) }
    switch shape.stage(of: gain) {
    case .crosspoint(let input, let output):
      let partner = partner(of: input, .input)
      return Strands(
        strand(input: input, output: output),
        partner.map { strand(input: $0, output: output) })
    case .input(let input):
      return Strands(Strand(gain), partner(of: input, .input).map { Strand(shape.input($0)) })
    case .output(let output):
      return Strands(Strand(gain), partner(of: output, .output).map { Strand(shape.output($0)) })
    case .master:
      return Strands(Strand(gain))
    }
  }

  /// The strand from an input to an output: to both of a pair, or to a single one.
  func strand(input: Int, output: Int) -> Strand {
    guard let left = left(of: output, .output) else {
      return Strand(shape.crosspoint(input: input, output: output))
    }
    return Strand(
      left: shape.crosspoint(input: input, output: left),
      right: shape.crosspoint(input: input, output: left + 1))
  }

  /// The strand that a gain is part of, its channel's partner apart.
  func strand(of gain: GainID) -> Strand {
    guard !isEmpty, case .crosspoint(let input, let output) = shape.stage(of: gain) else {
      return Strand(gain)
    }
    return strand(input: input, output: output)
  }

  private func partner(of channel: Int, _ side: Place) -> Int? {
    guard let left = left(of: channel, side) else { return nil }
    return left == channel ? channel + 1 : left
  }
}
