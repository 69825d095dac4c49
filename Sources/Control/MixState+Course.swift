import MatrixCore

/// How gains move under their groups.
///
/// The audio thread knows one fade and one factor for each gain. Where one thing moves, the gain's
/// own level or one of its groups, that is the fade and all that stands still is the factor: exact,
/// and sent once. Where several move, their product is sent in pieces, at most `pieceFrames` long
/// and ending where one of the fades ends, exactly on the product there: along decibels where all
/// that moves does so, which is exact, else as straight lines.
extension MixState {
  /// What is sent of a gain.
  struct Course {
    var factor: Double
    var fade: Fade
    /// The frame on which the gain is to be sent again.
    var nextFrame: Int64?
  }

  /// The longest piece: in it a fade of 60 dB/s goes 2.6 dB, and a line is at most 0.1 dB off.
  ///
  /// Pieces lie on the same grid for good: a stream that begins a multiple of it later is sent the
  /// very same ones.
  static let pieceFrames: Int64 = 2_048

  /// The most by which all groups of a gain together raise it, as linear gain: +10 dB, like a
  /// group alone; with the level's own +10 dB no gain is ever above +20 dB.
  static var mostByGroups: Double { Level.maximum }

  /// What switches and groups multiply a gain's level by; a group on its way counts as there.
  package func factor(of gain: GainID) -> Double {
    let own = switchFactor(of: gain)
    guard own != 0, groupNumber(of: gain) == nil else { return own }
    return own * groupFactor(of: gain) { $0.end }
  }

  /// What is to be sent of a gain on a frame.
  func course(of gain: GainID, from frame: Int64) -> Course {
    let fade = fade(of: gain)
    let own = switchFactor(of: gain)
    var rest = groupTable.groups(of: gain)
    guard rest != 0, own != 0 else { return Course(factor: own, fade: fade) }
    var steady = 1.0
    var moving: Fade?
    var movingCount = 0
    while rest != 0 {
      let group = group(rest.trailingZeroBitCount)
      rest &= rest - 1
      if isOn(.mute, of: group) { return Course(factor: 0, fade: fade) }
      let groupFade = self.fade(of: group)
      if groupFade.hasEnded(by: frame) {
        steady *= groupFade.end
      } else {
        moving = groupFade
        movingCount += 1
      }
    }
    let stands = fade.hasEnded(by: frame)
    guard steady > 0, let moving, !stands || fade.end > 0 else {
      return Course(factor: own * min(steady, Self.mostByGroups), fade: fade)
    }
    let isBounded = steady * max(moving.start, moving.end) <= Self.mostByGroups
    if stands, movingCount == 1, isBounded {
      return Course(factor: own * steady * fade.end, fade: moving)
    }
    return piece(of: gain, fade, own, from: frame)
  }

  private func piece(
    of gain: GainID, _ fade: Fade, _ factor: Double, from frame: Int64
  ) -> Course {
    // Neighbours have a grid of their own, so that those of a large group do not all come at once.
    let stagger = Int64(gain.index >> 2 & 31) * 64
    var end = ((frame + stagger) / Self.pieceFrames + 1) * Self.pieceFrames - stagger
    var areDecibels = true
    func note(_ fade: Fade) {
      guard !fade.hasEnded(by: frame) else { return }
      if fade.curve != .decibels { areDecibels = false }
      let last = (Double(fade.startFrame) + fade.durationFrames).rounded(.up)
      end = max(min(end, Int64(min(last, 9e15))), frame + 1)
    }
    note(fade)
    var rest = groupTable.groups(of: gain)
    while rest != 0 {
      note(self.fade(of: group(rest.trailingZeroBitCount)))
      rest &= rest - 1
    }
    let levels = (product(of: gain, at: frame), product(of: gain, at: end))
    // Below that the way along decibels is another one.
    let curve =
      areDecibels && min(levels.0, levels.1) > Fade.floorGain ? FadeCurve.decibels : .linear
    let piece = Fade(
      startFrame: frame, start: levels.0, end: levels.1, durationFrames: Double(end - frame),
      curve: curve)
    return Course(factor: factor, fade: piece, nextFrame: end)
  }

  private func product(of gain: GainID, at frame: Int64) -> Double {
    fade(of: gain).level(at: frame) * groupFactor(of: gain) { $0.level(at: frame) }
  }

  private func groupFactor(of gain: GainID, _ level: (Fade) -> Double) -> Double {
    var factor = 1.0
    var rest = groupTable.groups(of: gain)
    while rest != 0 {
      let group = group(rest.trailingZeroBitCount)
      rest &= rest - 1
      if isOn(.mute, of: group) { return 0 }
      factor *= level(fade(of: group))
    }
    return min(factor, Self.mostByGroups)
  }
}
