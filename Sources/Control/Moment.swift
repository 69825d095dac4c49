/// When a datagram arrived, by the two clocks that matter.
public struct Arrival: Equatable, Sendable {
  /// By the clock that never jumps, in nanoseconds: deadlines are kept in it.
  public var monotonicNanoseconds: Int64
  /// By the clock of the wall, in nanoseconds since 1970: time tags are read by it.
  public var realtimeNanoseconds: Int64

  /// Says when something arrived.
  public init(monotonicNanoseconds: Int64, realtimeNanoseconds: Int64) {
    self.monotonicNanoseconds = monotonicNanoseconds
    self.realtimeNanoseconds = realtimeNanoseconds
  }
}

/// When a batch is meant to take effect.
public enum Moment: Equatable, Sendable {
  /// As soon as possible, or at the times of its tags, as seen from its arrival.
  case now(Arrival)
  /// On exactly that frame, whatever its tags say: for renderings of files.
  case frame(Int64)
}
