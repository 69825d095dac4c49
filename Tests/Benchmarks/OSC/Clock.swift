import Glibc

/// The clocks of the system, in seconds.
enum Clock {
  /// A clock that nobody steps.
  static var monotonicSeconds: Double { seconds(of: CLOCK_MONOTONIC) }

  /// The clock of the wall, in nanoseconds since 1970.
  static var realtimeNanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The CPU time of the calling thread, its part of the kernel included.
  static var threadSeconds: Double { seconds(of: CLOCK_THREAD_CPUTIME_ID) }

  /// Lets the calling thread rest.
  static func sleep(seconds: Double) {
    var time = timespec(
      tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
    nanosleep(&time, nil)
  }

  private static func seconds(of clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
