/// Holds back a device that claims to be ready for ever.
///
/// Software devices without a clock take a concert in a second, and a real-time thread that never
/// sleeps is killed by the kernel. A card is never ahead of time by more than its buffer, and its
/// clock is right within a few parts in a thousand; so a leaky bucket that drains at 1.1 times the
/// nominal rate never touches a card.
package struct ALSADevicePace {
  private let stepNanoseconds: Int64
  private let slackNanoseconds: Int64
  private var due: Int64 = 0

  /// Watches steps of so many frames that pass through a buffer of so many.
  package init(stepFrames: Int, bufferFrames: Int, rate: Int) {
    stepNanoseconds = Int64(stepFrames) * 1_000_000_000 * 10 / 11 / Int64(rate)
    slackNanoseconds = Int64(bufferFrames + 2 * stepFrames) * 1_000_000_000 / Int64(rate)
  }

  /// How long to rest before the next step, in milliseconds; 0 for a device that keeps time.
  @_noLocks @_noAllocation
  package func restMilliseconds(now: Int64) -> Int32 {
    let ahead = due &- now &- slackNanoseconds
    return ahead > 0 ? Int32(clamping: ahead / 1_000_000 &+ 1) : 0
  }

  /// A step was taken.
  @_noLocks @_noAllocation
  package mutating func step(now: Int64) {
    due = max(due, now) &+ stepNanoseconds
  }
}
