import MatrixCore
import Synchronization

/// Where the audio thread leaves its meters when a reader has asked for them.
///
/// The reader says once what it watches: points of all inputs and outputs, and up to 64 crosspoints.
/// Nothing else is metered. The audio thread keeps peaks and sums to itself; it publishes what it
/// gathered since the last time, and starts anew, once per request. So no peak between two readings
/// is lost, and a cycle in which nobody asks costs two atomic loads.
///
/// What is wrong with samples (full scale, NaN, infinity) is counted all the time, watched or not.
///
/// One reader at a time, on the control thread; it holds peaks for as long as it likes.
public final class MeterBoard: @unchecked Sendable {
  // @unchecked: the cells are atomics behind pointers that never change; `faultsSeen` belongs to the
  // reader.
  private let peaks: UnsafeMutablePointer<Atomic<UInt32>>
  private let meanSquares: UnsafeMutablePointer<Atomic<UInt32>>
  private let faults: UnsafeMutablePointer<Atomic<UInt64>>
  private let wanted: UnsafeMutablePointer<Atomic<Int32>>
  private let measured: UnsafeMutablePointer<Atomic<Int32>>
  // Points in bits 0...7, the number of crosspoints in bits 8...15, above them a count of changes.
  private let watchWord = Atomic<UInt64>(0)
  private let measuredPoints = Atomic<UInt8>(0)
  private let requested = Atomic<UInt64>(0)
  private let published = Atomic<UInt64>(0)
  private var faultsSeen: [UInt64]

  /// The inputs and outputs of the mixer.
  public let shape: MatrixShape

  /// Makes a board on which nothing is watched.
  public init(shape: MatrixShape) {
    self.shape = shape
    let cells = Self.cellCount(shape)
    let faultCells = 3 * (shape.inputs + shape.outputs)
    peaks = .allocate(capacity: cells)
    meanSquares = .allocate(capacity: cells)
    for cell in 0..<cells {
      (peaks + cell).initialize(to: Atomic(0))
      (meanSquares + cell).initialize(to: Atomic(0))
    }
    faults = .allocate(capacity: faultCells)
    for cell in 0..<faultCells { (faults + cell).initialize(to: Atomic(0)) }
    faultsSeen = [UInt64](repeating: 0, count: faultCells)
    wanted = .allocate(capacity: MeterPoint.maximumCrosspoints)
    measured = .allocate(capacity: MeterPoint.maximumCrosspoints)
    for place in 0..<MeterPoint.maximumCrosspoints {
      (wanted + place).initialize(to: Atomic(-1))
      (measured + place).initialize(to: Atomic(-1))
    }
  }

  deinit {
    let cells = Self.cellCount(shape)
    peaks.deinitialize(count: cells)
    meanSquares.deinitialize(count: cells)
    faults.deinitialize(count: 3 * (shape.inputs + shape.outputs))
    wanted.deinitialize(count: MeterPoint.maximumCrosspoints)
    measured.deinitialize(count: MeterPoint.maximumCrosspoints)
    peaks.deallocate()
    meanSquares.deallocate()
    faults.deallocate()
    wanted.deallocate()
    measured.deallocate()
  }

  // Each point's channels, in the order of the points, then the crosspoints.
  private static func cellCount(_ shape: MatrixShape) -> Int {
    2 * (shape.inputs + shape.outputs) + MeterPoint.maximumCrosspoints
  }

  @_noLocks @_noAllocation
  private func cell(_ point: MeterPoint, _ channel: Int) -> Int {
    let index = point.index
    let inputs = index < 2 ? index : 2
    return inputs &* shape.inputs &+ (index &- inputs) &* shape.outputs &+ channel
  }

  @_noLocks @_noAllocation
  private func cell(crosspoint place: Int) -> Int {
    2 &* (shape.inputs &+ shape.outputs) &+ place
  }

  // MARK: Reader: what is watched

  /// Says what is metered from the next cycle on; what was not before begins from nothing.
  ///
  /// At most 64 crosspoints, each of this mixer; the n-th of them is the one at place n. The next
  /// answer may still be for what was watched before.
  public func watch(_ points: MeterPoints, crosspoints: [GainID] = []) {
    precondition(crosspoints.count <= MeterPoint.maximumCrosspoints, "no more than can be watched")
    for (place, gain) in crosspoints.enumerated() {
      precondition((0..<shape.crosspointCount).contains(Int(gain.index)), "a crosspoint")
      wanted[place].store(gain.index, ordering: .relaxed)
    }
    let changes = watchWord.load(ordering: .relaxed) >> 16 &+ 1
    let word = changes << 16 | UInt64(crosspoints.count) << 8 | UInt64(points.rawValue)
    watchWord.store(word, ordering: .releasing)
  }

  /// The points that are watched.
  public var watchedPoints: MeterPoints {
    MeterPoints(rawValue: UInt8(truncatingIfNeeded: watchWord.load(ordering: .relaxed)))
  }

  // MARK: Reader: levels

  /// Asks for what has been gathered since the last answer.
  public func request() {
    requested.wrappingAdd(1, ordering: .relaxed)
  }

  /// Whether the last request has been answered.
  public var isAnswered: Bool {
    published.load(ordering: .acquiring) == requested.load(ordering: .relaxed)
  }

  /// The points that the last answer is about.
  public var answeredPoints: MeterPoints {
    MeterPoints(rawValue: measuredPoints.load(ordering: .relaxed))
  }

  /// The peak of a channel at a point, as linear gain of full scale, of the last answer; infinite
  /// when a sample was not finite, 0 when the point was not watched.
  public func peak(_ point: MeterPoint, _ channel: Int) -> Float {
    guard answeredPoints.has(point) else { return 0 }
    return Float(bitPattern: peaks[checked(point, channel)].load(ordering: .relaxed))
  }

  /// The root mean square of a channel at a point, likewise.
  public func rootMeanSquare(_ point: MeterPoint, _ channel: Int) -> Float {
    guard answeredPoints.has(point) else { return 0 }
    return Float(bitPattern: meanSquares[checked(point, channel)].load(ordering: .relaxed))
      .squareRoot()
  }

  /// The crosspoint that the last answer has at a place, 0...63, behind its gain, with its peak and
  /// its root mean square as linear gains of full scale; nothing where none was watched.
  public func crosspoint(at place: Int) -> (gain: GainID, peak: Float, rootMeanSquare: Float)? {
    precondition((0..<MeterPoint.maximumCrosspoints).contains(place), "a place of the board")
    let index = measured[place].load(ordering: .relaxed)
    guard index >= 0 else { return nil }
    let cell = cell(crosspoint: place)
    return (
      GainID(index: index), Float(bitPattern: peaks[cell].load(ordering: .relaxed)),
      Float(bitPattern: meanSquares[cell].load(ordering: .relaxed)).squareRoot()
    )
  }

  private func checked(_ point: MeterPoint, _ channel: Int) -> Int {
    let channels = point.isOfInputs ? shape.inputs : shape.outputs
    precondition((0..<channels).contains(channel), "a channel of the point")
    return cell(point, channel)
  }

  // MARK: Reader: what is wrong with samples

  /// What had been wrong with an input's samples by the last answer, since its last reset.
  public func faults(ofInput input: Int) -> SampleFaults {
    precondition((0..<shape.inputs).contains(input), "an input of the mixer")
    return faults(ofRow: input)
  }

  /// What had been wrong with an output's samples by the last answer, since its last reset.
  public func faults(ofOutput output: Int) -> SampleFaults {
    precondition((0..<shape.outputs).contains(output), "an output of the mixer")
    return faults(ofRow: shape.inputs + output)
  }

  /// Counts an input's faults from the last answer on.
  public func resetFaults(ofInput input: Int) {
    precondition((0..<shape.inputs).contains(input), "an input of the mixer")
    resetFaults(ofRow: input)
  }

  /// Counts an output's faults from the last answer on.
  public func resetFaults(ofOutput output: Int) {
    precondition((0..<shape.outputs).contains(output), "an output of the mixer")
    resetFaults(ofRow: shape.inputs + output)
  }

  private func faults(ofRow row: Int) -> SampleFaults {
    func since(_ cell: Int) -> UInt64 {
      faults[cell].load(ordering: .relaxed) &- faultsSeen[cell]
    }
    return SampleFaults(
      clipped: since(3 * row), notANumber: since(3 * row + 1), infinite: since(3 * row + 2))
  }

  private func resetFaults(ofRow row: Int) {
    for cell in 3 * row..<3 * row + 3 { faultsSeen[cell] = faults[cell].load(ordering: .relaxed) }
  }

  // MARK: Audio thread

  /// What is watched, and how often that has been changed, as one number to compare.
  public var watchState: UInt64 {
    @_noLocks @_noAllocation get { watchWord.load(ordering: .acquiring) }
  }

  /// The points of a `watchState`.
  @_noLocks @_noAllocation
  public func points(of state: UInt64) -> MeterPoints {
    MeterPoints(rawValue: UInt8(truncatingIfNeeded: state))
  }

  /// The number of crosspoints of a `watchState`.
  @_noLocks @_noAllocation
  public func crosspointCount(of state: UInt64) -> Int {
    Int(state >> 8 & 0xff)
  }

  /// The crosspoint that is wanted at a place.
  @_noLocks @_noAllocation
  public func wantedCrosspoint(at place: Int) -> GainID {
    GainID(index: wanted[place].load(ordering: .relaxed))
  }

  /// Whether a reader waits for an answer.
  public var isRequested: Bool {
    @_noLocks @_noAllocation get {
      requested.load(ordering: .relaxed) != published.load(ordering: .relaxed)
    }
  }

  /// Leaves the answer for one channel at a point; `answer` makes it visible.
  @_noLocks @_noAllocation
  public func leave(_ point: MeterPoint, _ channel: Int, peak: Float, meanSquare: Float) {
    let cell = cell(point, channel)
    peaks[cell].store(peak.bitPattern, ordering: .relaxed)
    meanSquares[cell].store(meanSquare.bitPattern, ordering: .relaxed)
  }

  /// Leaves the answer for the crosspoint at a place; an index below 0 says that there is none.
  @_noLocks @_noAllocation
  public func leave(crosspoint gain: GainID, at place: Int, peak: Float, meanSquare: Float) {
    let cell = cell(crosspoint: place)
    measured[place].store(gain.index, ordering: .relaxed)
    peaks[cell].store(peak.bitPattern, ordering: .relaxed)
    meanSquares[cell].store(meanSquare.bitPattern, ordering: .relaxed)
  }

  /// Leaves what has been wrong with an input's samples so far.
  @_noLocks @_noAllocation
  public func leave(_ faults: SampleFaults, ofInput input: Int) {
    leave(faults, ofRow: input)
  }

  /// Leaves what has been wrong with an output's samples so far.
  @_noLocks @_noAllocation
  public func leave(_ faults: SampleFaults, ofOutput output: Int) {
    leave(faults, ofRow: shape.inputs &+ output)
  }

  @_noLocks @_noAllocation
  private func leave(_ found: SampleFaults, ofRow row: Int) {
    faults[3 &* row].store(found.clipped, ordering: .relaxed)
    faults[3 &* row &+ 1].store(found.notANumber, ordering: .relaxed)
    faults[3 &* row &+ 2].store(found.infinite, ordering: .relaxed)
  }

  /// Answers every request so far, with levels of these points.
  @_noLocks @_noAllocation
  public func answer(_ points: MeterPoints) {
    measuredPoints.store(points.rawValue, ordering: .relaxed)
    published.store(requested.load(ordering: .relaxed), ordering: .releasing)
  }
}
