import MatrixCore

/// Taking back what hands have done.
extension ControlHub {
  /// Takes back the latest gesture that still makes a difference, or brings back what was taken
  /// back last.
  func takeBack(_ operation: Operation, _ frame: Int64, _ source: Source) throws(Refusal) {
    let isRedo = operation.target.parameter == .redo
    while var step = history.take(undone: isRedo) {
      let entries = step.entries
      step.entries.removeAll()
      history.isRecording = false
      for entry in entries {
        let level = state.level(of: entry.gain)
        let switches = state.storedSwitches(of: entry.gain)
        guard level != entry.level || switches != entry.switches else { continue }
        step.entries.append(UndoHistory.Entry(level: level, gain: entry.gain, switches: switches))
        var parts = StoredParts.switches
        if level != entry.level { parts.insert(.level) }
        restore(parts, of: entry.gain, to: entry.level, entry.switches, operation, frame, source)
      }
      history.isRecording = true
      // A gesture that ended where it began has nothing to take back; the one before it is meant.
      guard !step.entries.isEmpty else { continue }
      if let scene = step.scene {
        step.scene = UndoHistory.SceneBefore(number: state.scenes.current)
        setCurrentScene(scene.number, by: source)
        drift.measure(state)
      }
      return history.put(step, undone: !isRedo)
    }
    throw Refusal(
      .undo, isRedo ? "there is nothing to bring back" : "there is nothing to take back")
  }

  /// Forgets what hands have done, so that nothing of it can be taken back.
  ///
  /// For a start and a restore, which are nobody's gestures.
  public func forgetHistory() {
    history.removeAll()
  }

  /// How many gestures can be taken back, and brought back.
  public var undoCounts: (undo: Int, redo: Int) {
    let counts = history.counts
    return (counts.done, counts.undone)
  }
}
