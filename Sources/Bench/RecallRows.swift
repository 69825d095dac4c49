import MatrixCore

/// What the calls of recalls of every crosspoint cost, of a period of one grid block each.
///
/// A call that happens once in a recall has no best of many: its figure is the median over many
/// recalls, each of which begins when the one before has come to rest.
struct RecallRows {
  private static let levels = (low: 0.3, high: 0.6)
  private static let rounds = 21
  /// An eighth of a second, so that many recalls fit a short time.
  private static let fadeFrames = 6_000.0
  /// A glide of 22 time constants of 240 frames ends on the 83rd grid point after its beginning.
  private static let glideCalls = 83
  /// The longest piece in which the control side sends what several fades move at once; those of a
  /// large group begin on all grid points of it in turn.
  private static let pieceFrames = 2_048

  let rig: BenchRig
  private let gains: [GainID]

  init(instructionSet: InstructionSet, size: Int) {
    rig = BenchRig(inputs: size, outputs: size, instructionSet: instructionSet)
    let crosspoints = rig.shape.crosspointCount
    // As the control side sends them.
    gains = rig.shape.gainsInMemoryOrder.filter { $0.index < crosspoints }
    rig.send(gains, level: Self.levels.low)
    rig.settle()
  }

  /// How many gains a recall takes over.
  var count: Int { gains.count }

  /// The median times of a recall's calls, in nanoseconds.
  struct Times {
    /// The call that takes all gains over from the ring.
    var first: Double
    /// The call in which all fades end.
    var fadeEnd: Double
    /// The call in which all glides end.
    var glideEnd: Double
  }

  /// Recalls along a curve, or without a fade.
  func times(curve: FadeCurve?) -> Times {
    let fadeCalls = curve == nil ? 0 : Int(Self.fadeFrames) / BenchRig.frames
    let calls = fadeCalls + Self.glideCalls + 1
    var times = [[Double]](repeating: [], count: calls)
    for round in 0..<Self.rounds {
      let (start, end) = levels(round)
      if let curve {
        let fade = Fade(
          startFrame: 0, start: start, end: end, durationFrames: Self.fadeFrames, curve: curve)
        rig.send(gains, fade: fade)
      } else {
        rig.send(gains, level: end)
      }
      for call in 0..<calls { times[call].append(rig.time(blocks: 1)) }
    }
    return Times(
      first: median(times[0]), fadeEnd: median(times[fadeCalls]),
      glideEnd: median(times[calls - 1]))
  }

  /// Where a round begins and ends.
  private func levels(_ round: Int) -> (start: Double, end: Double) {
    let (low, high) = Self.levels
    return round & 1 == 0 ? (low, high) : (high, low)
  }

  /// The median time of a call while all gains are sent in pieces, a part of them in each call.
  func piecesTime() -> Double {
    let turns = Self.pieceFrames / BenchRig.frames
    let parts = (0..<turns).map { part in gains.filter { Int($0.index) / 4 % turns == part } }
    var times: [Double] = []
    for round in 0..<Self.rounds {
      let (start, end) = levels(round)
      let fade = Fade(
        startFrame: 0, start: start, end: end, durationFrames: Double(Self.pieceFrames),
        curve: .decibels)
      for part in parts {
        rig.send(part, fade: fade)
        let time = rig.time(blocks: 1)
        // In the first round some gains stand still.
        if round > 0 { times.append(time) }
      }
    }
    return median(times)
  }

  private func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }
}
