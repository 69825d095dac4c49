import CPlatform
import Glibc

/// What the control thread waits for: the sockets of a surface, and descriptors of others.
///
/// Control thread only.
public struct PollSet {
  private var polled: [pollfd]
  private let socketCount: Int
  private var pace = Pace()

  /// Watches for something to read; a negative descriptor is passed over.
  public init(sockets: [Int32], others: [Int32] = []) {
    polled = (sockets + others).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    socketCount = sockets.count
  }

  /// Watches another descriptor in a place among the others.
  public mutating func setOther(_ place: Int, to descriptor: Int32) {
    polled[socketCount + place].fd = descriptor
  }

  /// Whether a socket had something to read, or has failed, when `wait` returned.
  public var hasReadySocket: Bool { polled[..<socketCount].contains { $0.revents != 0 } }

  /// Whether another descriptor had something to read, or has failed, when `wait` returned.
  public func isReady(other place: Int) -> Bool { polled[socketCount + place].revents != 0 }

  /// Waits until something can be read, at the latest until a moment.
  ///
  /// What comes on sockets singly ends the wait at once. What keeps coming there is left to gather
  /// for a moment, at most `Pace.spacingNanoseconds`; the other descriptors end that too.
  ///
  /// `deadline` is monotonic time in nanoseconds; `Int64.max` is for ever.
  public mutating func wait(untilNanoseconds deadline: Int64) {
    poll(from: 0, untilNanoseconds: deadline)
    guard hasReadySocket else { return }
    let now = crosspoint_monotonic_ns()
    let rest = pace.rest(nowNanoseconds: now)
    guard rest > 0, !polled[socketCount...].contains(where: { $0.revents != 0 }) else { return }
    poll(from: socketCount, untilNanoseconds: min(deadline, now + rest))
  }

  private mutating func poll(from first: Int, untilNanoseconds deadline: Int64) {
    polled.withUnsafeMutableBufferPointer { all in
      let some = UnsafeMutableBufferPointer(rebasing: all[first...])
      crosspoint_poll_all(some.baseAddress, Int32(some.count), deadline)
    }
  }
}
