import Glibc

extension Fade {
  /// The linear gain that counts as the end of the way for a level that is off or below it: -90 dB.
  public static var floorGain: Double {
    @_noLocks @_noAllocation get { 3.162_277_660_168_379_5e-05 }
  }

  /// The linear gain at a frame.
  ///
  /// Exactly `start` up to the first frame and exactly `end` from `startFrame + durationFrames` on.
  /// Along `decibels` a level below `floorGain` counts as `floorGain` for the way between. Both the
  /// control side and the audio side ask this function, so they agree.
  @_noLocks @_noAllocation
  public func level(at frame: Int64) -> Double {
    if hasEnded(by: frame) { return end }
    let elapsed = Double(frame &- startFrame)
    if elapsed <= 0 { return start }
    let progress = elapsed / durationFrames
    switch curve {
    case .decibels:
      return wayStart * exponential(progress * logarithm(wayEnd / wayStart))
    case .linear:
      return start + (end - start) * progress
    case .smooth:
      return start + (end - start) * progress * progress * (3 - 2 * progress)
    }
  }

  /// Where the way in decibels begins.
  var wayStart: Double {
    @_noLocks @_noAllocation get { start > Self.floorGain ? start : Self.floorGain }
  }

  /// Where the way in decibels ends.
  var wayEnd: Double {
    @_noLocks @_noAllocation get { end > Self.floorGain ? end : Self.floorGain }
  }
}

// The mathematics of the C library neither locks nor allocates; the compiler cannot see that.

@_semantics("no_performance_analysis") @inline(never)
func exponential(_ exponent: Double) -> Double { exp(exponent) }

@_semantics("no_performance_analysis") @inline(never)
func logarithm(_ value: Double) -> Double { log(value) }
