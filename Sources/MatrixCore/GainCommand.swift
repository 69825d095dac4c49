import CMatrixKernel

/// One gain whole, as it goes from the control thread to the audio thread.
///
/// The audio thread aims at `factor` x the fade's level. Commands of one transaction follow each
/// other, carry one frame, and the last of them says that it is the last. It is kept as the kernel
/// reads it, as large as a cache line, with what the audio thread would have to ask a logarithm for.
public struct GainCommand: Equatable, Sendable, BitwiseCopyable {
  private var stored: CMKCommand

  /// Makes a command; a factor or a level that is not finite, or beyond every gain, counts as 0.
  @_noLocks @_noAllocation
  public init(
    frame: Int64, gain: GainID, endsTransaction: Bool, factor: Double, fade: Fade
  ) {
    var fade = fade
    fade.start = Self.number(fade.start)
    fade.end = Self.number(fade.end)
    stored = CMKCommand(
      frame: frame, startFrame: fade.startFrame, durationFrames: fade.durationFrames,
      gain: gain.index, curve: fade.curve.number, endsTransaction: endsTransaction, unused: 0,
      factor: Self.number(factor), start: fade.start, end: fade.end, way: fade.way)
  }

  /// The first frame that may differ, in frames since the router started; one that has passed
  /// means the next frame to be rendered.
  public var frame: Int64 {
    @_noLocks @_noAllocation get { stored.frame }
    set { stored.frame = newValue }
  }

  /// The gain that changes.
  public var gain: GainID {
    @_noLocks @_noAllocation get { GainID(index: stored.gain) }
    set { stored.gain = newValue.index }
  }

  /// Whether this is the last command of its transaction.
  public var endsTransaction: Bool {
    @_noLocks @_noAllocation get { stored.endsTransaction }
    set { stored.endsTransaction = newValue }
  }

  /// What mute, solo, polarity, dim and groups multiply the level by.
  public var factor: Double {
    @_noLocks @_noAllocation get { stored.factor }
    @_noLocks @_noAllocation set { stored.factor = Self.number(newValue) }
  }

  /// The level, standing still or on its way.
  public var fade: Fade {
    get {
      guard let curve = FadeCurve(rawValue: stored.curve) else {
        preconditionFailure("a curve was stored")
      }
      return Fade(
        startFrame: stored.startFrame, start: stored.start, end: stored.end,
        durationFrames: stored.durationFrames, curve: curve)
    }
    set {
      self = GainCommand(
        frame: frame, gain: gain, endsTransaction: endsTransaction, factor: factor, fade: newValue)
    }
  }

  // Products of two of them are finite in single precision, so the audio thread need not look.
  @_noLocks @_noAllocation
  private static func number(_ value: Double) -> Double {
    value.magnitude < 1e18 ? value : 0
  }

  /// Whether two commands say the same.
  public static func == (left: GainCommand, right: GainCommand) -> Bool {
    left.frame == right.frame && left.gain == right.gain
      && left.endsTransaction == right.endsTransaction && left.factor == right.factor
      && left.fade == right.fade
  }
}

extension Fade {
  /// The natural logarithm of how far the way in decibels leads; 0 for a level that stands or goes
  /// along another curve.
  fileprivate var way: Double {
    @_noLocks @_noAllocation get {
      guard case .decibels = curve, durationFrames > 0 else { return 0 }
      return logarithm(wayEnd / wayStart)
    }
  }
}
