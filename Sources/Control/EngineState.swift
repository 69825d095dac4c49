import Handoff

/// What the engine does, as `/engine/state` answers it.
public enum EngineState: String, CaseIterable, Sendable {
  /// Audio runs.
  case running
  /// There is no sound card at the moment.
  case waiting
  /// Everything is silent until somebody resumes, with a card or without.
  case panic

  /// What a board says.
  init(_ board: EngineBoard) {
    self = board.isPanicking ? .panic : board.isRunning ? .running : .waiting
  }
}
