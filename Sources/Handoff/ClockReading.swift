/// A reading of the map between frames and monotonic time.
public struct ClockReading: Equatable, Sendable {
  /// A frame since the router started, as a point on a smooth line.
  public var frame: Double
  /// The monotonic time at which that frame is rendered, in nanoseconds.
  public var nanoseconds: Int64
  /// How long a frame is, in nanoseconds of monotonic time.
  public var nanosecondsPerFrame: Double

  /// Makes a reading.
  @_noLocks @_noAllocation
  public init(frame: Double, nanoseconds: Int64, nanosecondsPerFrame: Double) {
    self.frame = frame
    self.nanoseconds = nanoseconds
    self.nanosecondsPerFrame = nanosecondsPerFrame
  }

  /// The frame that is rendered at a monotonic time.
  public func frame(atNanoseconds time: Int64) -> Double {
    frame + Double(time &- nanoseconds) / nanosecondsPerFrame
  }

  /// The monotonic time at which a frame is rendered; the end of time for a frame beyond it.
  public func nanoseconds(atFrame target: Double) -> Int64 {
    let distance = min(max((target - frame) * nanosecondsPerFrame, -0x1p62), 0x1p62)
    let (time, overflow) = nanoseconds.addingReportingOverflow(Int64(distance))
    return overflow ? (distance < 0 ? .min : .max) : time
  }

  /// The frame that a stream begins with when it starts at a monotonic time: the next multiple of
  /// 64 at or after both that time's frame and `earliest`.
  ///
  /// While there is no card the line of frames goes on at the nominal rate, and so a reopened card
  /// begins where it would be now; with the engine's next frame as `earliest` it never goes back.
  public func startFrame(atNanoseconds time: Int64, earliest: Int64) -> Int64 {
    let now = frame(atNanoseconds: time).rounded(.up)
    let bounded = now > 0x1p62 ? Int64(1) << 62 : (now > 0 ? Int64(now) : 0)
    return (max(bounded, earliest, 0) &+ 63) & ~63
  }
}
