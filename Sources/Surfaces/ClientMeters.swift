import Control
import MatrixCore

/// The meters that a client is told of.
final class ClientMeters {
  /// One pattern of meters.
  struct Set {
    /// The pattern; empty for all inputs and outputs.
    var pattern: String
    /// How long it outlives the client's last message, in seconds; 0 lasts until the client leaves.
    var seconds: Int
    /// What it meets.
    var places: [MeterTally.Place]
  }

  /// The most sets of a client.
  static let mostSets = 16

  /// What is measured for it.
  let tally: MeterTally
  /// How it is told.
  var format = MeterFormat.floats
  /// How long peaks are held, in seconds.
  var holdSeconds = MeterRequest.usualHoldSeconds {
    didSet { tally.holdNanoseconds = Int64(holdSeconds * 1e9) }
  }
  /// What it has asked for.
  private(set) var sets: [Set] = []
  /// When it may be told again, in monotonic nanoseconds.
  var nextTurnNanoseconds: Int64 = 0
  /// Where in the meters to go on.
  var cursor = 0
  /// How often it has been told, which a blob carries.
  var turns: UInt32 = 0

  init() {
    tally = MeterTally(
      [], hz: MeterRequest.usualRate,
      holdNanoseconds: Int64(MeterRequest.usualHoldSeconds * 1e9))
  }

  /// Whether it has asked for any meter, and not only for how to be told.
  var isWanted: Bool { !sets.isEmpty }

  /// The places that it would have with one more set, each once.
  func places(with set: Set) -> [MeterTally.Place] {
    Self.places(of: sets.filter { $0.pattern != set.pattern } + [set])
  }

  /// Adds a set, or renews one that is there.
  func add(_ set: Set) {
    sets.removeAll { $0.pattern == set.pattern }
    sets.append(set)
    tally.use(Self.places(of: sets))
    cursor = 0
  }

  /// Removes the sets that a closure chooses; says whether there were any.
  func remove(_ isChosen: (Set) -> Bool) -> Bool {
    let count = sets.count
    sets.removeAll(where: isChosen)
    guard sets.count != count else { return false }
    tally.use(Self.places(of: sets))
    cursor = 0
    return true
  }

  private static func places(of sets: [Set]) -> [MeterTally.Place] {
    guard sets.count > 1 else { return sets.first?.places ?? [] }
    var isThere: Swift.Set<Int> = []
    return sets.flatMap(\.places).filter { isThere.insert($0.key).inserted }
  }
}
