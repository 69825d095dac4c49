import MatrixCore

/// Levels by number, for callers inside the program that have no words to parse.
extension ControlHub {
  /// Sends levels to new values on one frame, as one message with all of them would.
  ///
  /// Levels are linear gains, 0...`Level.maximum`, and finite; running fades end. Give the frame
  /// that comes next, `EngineBoard.nextFrame`, for as soon as possible.
  public func setLevels(_ levels: [(gain: GainID, level: Double)], atFrame frame: Int64) {
    let first = outbox.open(atFrame: frame, state)
    for (gain, level) in levels {
      precondition((0...Level.maximum).contains(level), "a level that the mixer has")
      let current = state.fade(of: gain)
      if current.end == level, current.hasEnded(by: first) { continue }
      move(gain, to: level, atFrame: first, by: .local)
    }
  }
}
