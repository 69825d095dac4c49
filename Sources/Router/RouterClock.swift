import CPlatform
import Control
import Glibc

/// The present by both clocks.
enum RouterClock {
  static func now() -> Arrival {
    var wall = timespec()
    clock_gettime(CLOCK_REALTIME, &wall)
    return Arrival(
      monotonicNanoseconds: crosspoint_monotonic_ns(),
      realtimeNanoseconds: Int64(wall.tv_sec) * 1_000_000_000 + Int64(wall.tv_nsec))
  }
}
