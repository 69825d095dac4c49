import Control

/// Says in the log that everything has been silenced, and that this is over, and who has done it.
///
/// Control thread only.
final class PanicLog: HubObserver {
  // The hub outlives everybody who is told of its changes, and would otherwise never end.
  private unowned let hub: ControlHub
  private let name: (Source) -> String?
  private let say: (String) -> Void
  private var isPanicking = false

  /// Watches a hub; `name` says who a source is, where that is known, and `say` takes sentences.
  init(
    _ hub: ControlHub, name: @escaping (Source) -> String?, say: @escaping (String) -> Void
  ) {
    self.hub = hub
    self.name = name
    self.say = say
  }

  func hubChanged(_ target: Target, by source: Source) {
    guard target.parameter == .engineState else { return }
    let isPanicking = hub.engineState == .panic
    guard isPanicking != self.isPanicking else { return }
    self.isPanicking = isPanicking
    let who = name(source).map { " (\($0))" } ?? ""
    say(
      isPanicking
        ? "Panic: everything is silent until /engine/resume\(who)."
        : "The panic is over\(who).")
  }
}
