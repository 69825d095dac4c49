import Handoff
import MatrixCore

/// What one listener wants to know of the meters, gathered between two of its looks.
///
/// The board gives each reading once, and listeners look at different times: each has its own peaks
/// and sums, and loses none. Control thread only.
package final class MeterTally {
  /// What is metered.
  package enum Place: Equatable {
    /// A channel at a point.
    case channel(MeterPoint, Int)
    /// A crosspoint.
    case crosspoint(GainID)

    /// A number that no other place has.
    package var key: Int {
      switch self {
      case .channel(let point, let channel): -1 - (4 * channel + point.index)
      case .crosspoint(let gain): Int(gain.index)
      }
    }
  }

  /// One meter, as linear gains of full scale.
  package struct Meter {
    /// What is metered.
    package let place: Place
    var peak: Float = 0
    var squares: Float = 0
    var readings: Float = 0
    var held: Float = 0
    var holdEndNanoseconds = Int64.min
    /// The values of the last look.
    var last = (peak: Float(0), average: Float(0), held: Float(0))
  }

  /// How often a second it is to be read.
  package var hz: Int
  /// How long a peak is held, in nanoseconds.
  package var holdNanoseconds: Int64
  /// The meters, in the order in which they were asked for.
  package private(set) var meters: [Meter]
  /// The points of channels among them.
  package private(set) var points: MeterPoints = []
  /// The crosspoints among them.
  package private(set) var crosspoints: [GainID] = []
  private var crosspointPlaces: [Int] = []
  /// Whether there has been a reading since `hasNews` was set to false.
  package var hasNews = false
  /// Whether the last reading was silence because no sound is running.
  package private(set) var isStandingStill = false

  /// Makes a tally of some places, each of which is there once.
  package init(_ places: [Place], hz: Int, holdNanoseconds: Int64 = 0) {
    self.hz = hz
    self.holdNanoseconds = holdNanoseconds
    meters = places.map { Meter(place: $0) }
    note(places)
  }

  /// Asks for other places; meters that stay keep what they have.
  package func use(_ places: [Place]) {
    var known: [Int: Meter] = [:]
    for meter in meters { known[meter.place.key] = meter }
    meters = places.map { known[$0.key] ?? Meter(place: $0) }
    note(places)
  }

  private func note(_ places: [Place]) {
    points = []
    crosspoints.removeAll(keepingCapacity: true)
    crosspointPlaces.removeAll(keepingCapacity: true)
    for (number, place) in places.enumerated() {
      switch place {
      case .channel(let point, _): points.insert(MeterPoints(point))
      case .crosspoint(let gain):
        crosspoints.append(gain)
        crosspointPlaces.append(number)
      }
    }
  }

  /// Adds what the board has answered; `now` is monotonic time in nanoseconds.
  func add(_ board: MeterBoard, now: Int64) {
    let answered = board.answeredPoints
    for place in meters.indices {
      switch meters[place].place {
      case .channel(let point, let channel):
        guard answered.has(point) else { continue }
        add(
          board.peak(point, channel), board.rootMeanSquare(point, channel), to: place, now: now)
      case .crosspoint: break
      }
    }
    if !crosspoints.isEmpty { addCrosspoints(board, now: now) }
    isStandingStill = false
    hasNews = true
  }

  private func addCrosspoints(_ board: MeterBoard, now: Int64) {
    for answer in 0..<MeterPoint.maximumCrosspoints {
      guard let reading = board.crosspoint(at: answer) else { continue }
      for number in crosspoints.indices where crosspoints[number].index == reading.gain.index {
        add(reading.peak, reading.rootMeanSquare, to: crosspointPlaces[number], now: now)
      }
    }
  }

  private func add(_ peak: Float, _ average: Float, to place: Int, now: Int64) {
    meters[place].peak = max(meters[place].peak, peak)
    meters[place].squares += average * average
    meters[place].readings += 1
    guard peak >= meters[place].held || now >= meters[place].holdEndNanoseconds else { return }
    meters[place].held = peak
    meters[place].holdEndNanoseconds = now + holdNanoseconds
  }

  /// Adds silence, because no sound is running; held peaks end in their time.
  func addSilence(now: Int64) {
    for place in meters.indices { add(0, 0, to: place, now: now) }
    isStandingStill = true
    hasNews = true
  }

  /// Looks at a meter: since the last look its peak, its root mean square and its held peak; what it
  /// had then if nothing has been read since.
  package func take(_ place: Int) -> (peak: Float, average: Float, held: Float) {
    if meters[place].readings > 0 {
      let square = meters[place].squares / meters[place].readings
      meters[place].last = (meters[place].peak, square.squareRoot(), meters[place].held)
      meters[place].peak = 0
      meters[place].squares = 0
      meters[place].readings = 0
    }
    return meters[place].last
  }

  /// What the last look at a place gave, if it is here.
  package func last(_ place: Place) -> (peak: Float, average: Float, held: Float)? {
    meters.first { $0.place == place }?.last
  }

  /// Forgets the held peaks of some places.
  package func forgetHolds(_ isChosen: (Place) -> Bool) {
    for place in meters.indices where isChosen(meters[place].place) {
      meters[place].held = 0
      meters[place].holdEndNanoseconds = .min
    }
  }
}
