import MatrixCore

/// What the calls of a whole recall cost: one in which every crosspoint is taken over from the ring,
/// those that follow, and those in which all fades and all glides end at once.
///
/// All are calls of a period of one grid block. A call that happens once has no best of many: its
/// figure is the median over many recalls, each on top of the one before when that has come to rest.
struct RecallRows {
  /// Two recalls of which the odd ones go up and the even ones down.
  private static let levels = (low: 0.3, high: 0.6)
  private static let rounds = 21
  /// An eighth of a second, so that many recalls fit a short time.
  private static let fadeFrames = 6_000.0

  let rig: BenchRig
  private let gains: [GainID]

  init(instructionSet: InstructionSet, size: Int) {
    rig = BenchRig(inputs: size, outputs: size, instructionSet: instructionSet)
    let crosspoints = rig.shape.crosspointCount
    gains = rig.shape.gainsInMemoryOrder.filter { $0.index < crosspoints }
    rig.send(gains, level: Self.levels.low)
    rig.settle()
  }

  /// The median time of each call of a recall, in nanoseconds, from the one that takes it over to
  /// the one in which nothing moves any more.
  func medianTimes(curve: FadeCurve?) -> [Double] {
    let (low, high) = Self.levels
    let calls = 90 + (curve == nil ? 0 : Int(Self.fadeFrames) / BenchRig.frames)
    var times = [[Double]](repeating: [], count: calls)
    for round in 0..<Self.rounds {
      let (start, end) = round & 1 == 0 ? (low, high) : (high, low)
      if let curve {
        let fade = Fade(
          startFrame: 0, start: start, end: end, durationFrames: Self.fadeFrames, curve: curve)
        rig.send(gains, fade: fade)
      } else {
        rig.send(gains, level: end)
      }
      for call in 0..<calls { times[call].append(rig.time(blocks: 1)) }
    }
    return times.map(median)
  }

  private func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }
}
