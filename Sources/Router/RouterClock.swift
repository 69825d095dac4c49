import CPlatform
import Control
import Glibc

/// The present by both clocks, which keep one distance until the wall clock is really moved.
///
/// Time tags of two datagrams are compared by it. If each were read by a fresh pair of clock
/// readings, a scheduler's pause between the two readings could turn the order of equal tags.
struct RouterClock {
  /// What the distance may change by before it counts as moved, in nanoseconds.
  private static let toleranceNanoseconds: Int64 = 1_000_000

  private var distanceNanoseconds: Int64

  init() {
    distanceNanoseconds = Self.measured().distance
  }

  /// The present.
  mutating func now() -> Arrival {
    let (monotonic, distance, uncertainty) = Self.measured()
    let change = abs(distance &- distanceNanoseconds)
    if change > Self.toleranceNanoseconds &+ uncertainty { distanceNanoseconds = distance }
    return Arrival(
      monotonicNanoseconds: monotonic, realtimeNanoseconds: monotonic &+ distanceNanoseconds)
  }

  /// The present by the clock that never jumps, in nanoseconds.
  static var monotonic: Int64 { crosspoint_monotonic_ns() }

  private static func measured() -> (monotonic: Int64, distance: Int64, uncertainty: Int64) {
    let before = crosspoint_monotonic_ns()
    var wall = timespec()
    clock_gettime(CLOCK_REALTIME, &wall)
    let after = crosspoint_monotonic_ns()
    let realtime = Int64(wall.tv_sec) * 1_000_000_000 + Int64(wall.tv_nsec)
    return (after, realtime &- before &- (after &- before) / 2, after &- before)
  }
}
