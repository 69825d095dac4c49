/// The way that a fade takes from one level to another.
public enum FadeCurve: UInt8, Sendable, CaseIterable, BitwiseCopyable {
  /// Even in decibels; off, or anything below -90 dB at either end, counts as -90 dB for the way.
  case decibels
  /// Even in linear gain.
  case linear
  /// Smooth-step in linear gain: starts and arrives gently.
  case smooth
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

/// One gain whole, as it goes from the control thread to the audio thread.
///
/// The audio thread aims at `factor` x the fade's level. Commands of one transaction follow each
/// other, carry one frame, and the last of them says that it is the last.
public struct GainCommand: Equatable, Sendable {
  /// The first frame that may differ, in frames since the router started; one that has passed
  /// means the next frame to be rendered.
  public var frame: Int64
  /// The gain that changes.
  public var gain: GainID
  /// Whether this is the last command of its transaction.
  public var endsTransaction: Bool
  /// What mute, solo, polarity, dim and groups multiply the level by.
  public var factor: Double
  /// The level, standing still or on its way.
  public var fade: Fade

  /// Makes a command.
  @_noLocks @_noAllocation
  public init(
    frame: Int64, gain: GainID, endsTransaction: Bool, factor: Double, fade: Fade
  ) {
    self.frame = frame
    self.gain = gain
    self.endsTransaction = endsTransaction
    self.factor = factor
    self.fade = fade
  }
}
