/// What the meters have gathered: peaks, sums of squares, and over how many frames; and what has
/// been wrong with samples.
///
/// Each point has a plane with a place per channel, in whole fours; the last plane is that of the
/// watched crosspoints.
struct MeterMemory {
  /// What is metered.
  struct State {
    var points = MeterPoints(rawValue: 0)
    var crosspointCount = 0
  }

  /// One watched crosspoint; the bank's slot is -1 where there is none.
  struct Crosspoint {
    var gain: GainID
    var slot: Int
    var input: Int
    var frames: Int

    /// One that is none yet.
    @_noLocks @_noAllocation
    init() {
      gain = GainID(index: -1)
      slot = -1
      input = 0
      frames = 0
    }
  }

  /// The plane of the crosspoints.
  static var crosspointPlane: Int { @_noLocks @_noAllocation get { 4 } }

  let inputPlaces: Int
  let outputPlaces: Int
  let peaks: UnsafeMutablePointer<Float>
  let sums: UnsafeMutablePointer<Double>
  /// Frames gathered, by point.
  let frames: UnsafeMutablePointer<Int>
  let crosspoints: UnsafeMutablePointer<Crosspoint>
  let state: UnsafeMutablePointer<State>
  let inputFaults: FaultCounters
  let outputFaults: FaultCounters

  init(shape: MatrixShape, arena: Arena) {
    inputPlaces = (shape.inputs + 3) / 4 * 4
    outputPlaces = (shape.outputs + 3) / 4 * 4
    let places = 2 * inputPlaces + 2 * outputPlaces + MeterPoint.maximumCrosspoints
    peaks = arena.take(places)
    sums = arena.take(places)
    frames = arena.take(Self.crosspointPlane)
    crosspoints = arena.take(MeterPoint.maximumCrosspoints)
    crosspoints.initialize(repeating: Crosspoint(), count: MeterPoint.maximumCrosspoints)
    state = arena.take(1)
    state.initialize(to: State())
    inputFaults = FaultCounters(arena.take(3 * inputPlaces))
    outputFaults = FaultCounters(arena.take(3 * outputPlaces))
  }

  /// The first place of a plane: by the index of a point, or that of the crosspoints.
  @_noLocks @_noAllocation
  func base(ofPlane plane: Int) -> Int {
    let inputs = plane < 2 ? plane : 2
    return inputs &* inputPlaces &+ (plane &- inputs) &* outputPlaces
  }

  @_noLocks @_noAllocation
  func clear(plane: Int) {
    let base = base(ofPlane: plane)
    let count =
      plane == Self.crosspointPlane
      ? MeterPoint.maximumCrosspoints : (plane < 2 ? inputPlaces : outputPlaces)
    for place in base..<base &+ count {
      peaks[place] = 0
      sums[place] = 0
    }
  }

  /// Begins anew with every point that is metered.
  @_noLocks @_noAllocation
  func reset() {
    for plane in 0..<Self.crosspointPlane where state.pointee.points.rawValue & (1 << plane) != 0 {
      clear(plane: plane)
      frames[plane] = 0
    }
    if state.pointee.crosspointCount == 0 { return }
    clear(plane: Self.crosspointPlane)
    for place in 0..<state.pointee.crosspointCount { crosspoints[place].frames = 0 }
  }

  /// The highest magnitude at a place; what is not a number counts as infinite.
  @_noLocks @_noAllocation
  func peak(_ place: Int) -> Float {
    let peak = peaks[place]
    return peak.isNaN ? .infinity : peak
  }

  /// The mean of the squares at a place over so many frames, likewise; 0 over none.
  @_noLocks @_noAllocation
  func meanSquare(_ place: Int, frames: Int) -> Float {
    if frames == 0 { return 0 }
    let mean = sums[place] / Double(frames)
    return mean.isNaN ? .infinity : Float(mean)
  }
}
