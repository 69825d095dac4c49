/// What the engine does, for whoever wants to be told.
extension ControlHub {
  /// What the engine does now.
  public var engineState: EngineState { EngineState(board) }

  /// Tells observers when the engine does something else than they were told last.
  ///
  /// It is nothing that is set, saved or taken back, so it does not count as a change of the mixer.
  func tellEngineState(by source: Source) {
    let now = engineState
    guard now != toldEngineState else { return }
    toldEngineState = now
    for observer in observers {
      observer.hubChanged(Target(.engineState, .mixer), by: source)
    }
  }
}
