/// The way that a fade takes from one level to another.
public enum FadeCurve: UInt8, Sendable, CaseIterable, BitwiseCopyable {
  /// Even in decibels; off, or anything below -90 dB at either end, counts as -90 dB for the way.
  case decibels
  /// Even in linear gain.
  case linear
  /// Smooth-step in linear gain: starts and arrives gently.
  case smooth

  /// The raw value, as the kernel takes it: without optimisation `rawValue` is a call that the
  /// compiler cannot vouch for.
  var number: UInt8 {
    @_noLocks @_noAllocation get {
      switch self {
      case .decibels: 0
      case .linear: 1
      case .smooth: 2
      }
    }
  }
}

/// A change of a level with a duration of its own, on the absolute frame grid.
///
/// A level that does not move is a fade of duration 0: it has its end value from `startFrame` on.
/// The control side and the audio side hold the same fade and so agree on every travelling value.
public struct Fade: Equatable, Sendable, BitwiseCopyable {
  /// The frame on which the fade begins, in frames since the router started.
  public var startFrame: Int64
  /// The linear gain that it begins at.
  public var start: Double
  /// The linear gain that it ends at, exactly.
  public var end: Double
  /// How long it takes, in frames; 0 or less is at once.
  public var durationFrames: Double
  /// The way between the two.
  public var curve: FadeCurve

  /// Makes a fade.
  @_noLocks @_noAllocation
  public init(
    startFrame: Int64, start: Double, end: Double, durationFrames: Double, curve: FadeCurve
  ) {
    self.startFrame = startFrame
    self.start = start
    self.end = end
    self.durationFrames = durationFrames
    self.curve = curve
  }

  /// A level that stands still.
  @_noLocks @_noAllocation
  public init(steady level: Double) {
    self.init(startFrame: 0, start: level, end: level, durationFrames: 0, curve: .decibels)
  }

  /// Whether the level stands at its end from `frame` on.
  @_noLocks @_noAllocation
  public func hasEnded(by frame: Int64) -> Bool {
    Double(frame &- startFrame) >= durationFrames
  }
}
