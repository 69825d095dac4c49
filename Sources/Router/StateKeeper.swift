import Control
import Memory

/// Sees to it that the state is on the disk soon after it has changed.
///
/// After a change the state is saved within a second. While changes go on without a pause it is
/// saved every five seconds, so that a fader that moves for minutes does not wear out a memory card.
/// Control thread only; the thread of files writes.
final class StateKeeper: HubObserver {
  /// How long after a change saving begins: the rest of the second is for the disk.
  static let pauseNanoseconds: Int64 = 700_000_000
  /// How long after a save the next one begins, while changes go on.
  static let intervalNanoseconds: Int64 = 5_000_000_000

  // The hub outlives everybody who is told of its changes, and would otherwise never end.
  private unowned let hub: ControlHub
  private let file: StateFile
  private let files: FileThread
  private let mayReplace: Bool
  private let say: (String, LogLevel, Int64) -> Void

  private var hasChanged = false
  private var firstChange: Int64?
  private var lastChange: Int64 = 0
  private var lastSave: Int64?
  private var savesUnderWay = 0
  private var hasFailed = false
  private var isEnding = false
  private var lastFailure: String?
  private var saves = 0
  private var failures = 0

  /// Watches a hub from now on, whose state on the disk is `saved`.
  ///
  /// `mayReplace` says whether the file may be written at all; `say` tells the user a sentence, at
  /// the time in nanoseconds.
  init(
    _ hub: ControlHub, saved: MixerSnapshot?, file: StateFile, files: FileThread, mayReplace: Bool,
    say: @escaping (String, LogLevel, Int64) -> Void
  ) {
    self.hub = hub
    self.file = file
    self.files = files
    self.mayReplace = mayReplace
    self.say = say
    hasFailed = !mayReplace
    // Address lines and --set may have changed it, and a place that cannot be written shows early.
    hasChanged = hub.snapshot() != saved
    hub.addObserver(self)
    hub.statusSources.append { [unowned self] in
      [("state_saves", .int64(Int64(saves))), ("state_save_failures", .int64(Int64(failures)))]
    }
  }

  func hubChanged(_ target: Target, by source: Source) {
    switch target.parameter {
    case .solo, .dim, .touch, .engineState: break
    default: hasChanged = true
    }
  }

  /// When `tick` has something to do, in monotonic nanoseconds, or nothing.
  var deadline: Int64? {
    guard savesUnderWay == 0, let firstChange else { return nil }
    let afterPause = lastChange + Self.pauseNanoseconds
    let afterFirst = firstChange + Self.pauseNanoseconds
    guard let lastSave else { return afterFirst }
    let next = lastSave + Self.intervalNanoseconds
    return hasFailed ? max(next, afterFirst) : min(afterPause, max(afterFirst, next))
  }

  /// Takes note of what has changed in this pass, and saves when it is time.
  func tick(nowNanoseconds now: Int64) {
    if hasChanged {
      hasChanged = false
      if firstChange == nil { firstChange = now }
      lastChange = now
    }
    if let deadline, deadline <= now { save(nowNanoseconds: now) }
  }

  /// Where the state is kept.
  var path: String { file.path }

  /// That the last changes are not saved, and why, in a sentence; nothing when they are.
  ///
  /// To be asked once `finish` has been called and its report has come.
  var loss: String? {
    if let lastFailure { return "The last changes are not saved: \(lastFailure)" }
    return savesUnderWay > 0
      ? "The last changes may not be saved: \(path) was not written in time." : nil
  }

  /// Saves what is not saved yet, at the end.
  func finish() {
    isEnding = true
    let now = RouterClock.monotonic
    tick(nowNanoseconds: now)
    // A save that is under way has an older state.
    if firstChange != nil { save(nowNanoseconds: now) }
  }

  /// Takes what the thread of files says about a save.
  func take(_ report: FileReport, nowNanoseconds now: Int64) {
    switch report {
    case .saved:
      savesUnderWay -= 1
      lastFailure = nil
      saves += 1
      if hasFailed { say("The state is saved again in \(file.path).", .info, now) }
      hasFailed = false
    case .notSaved(let sentence):
      savesUnderWay -= 1
      fail(sentence, nowNanoseconds: now)
    default: break
    }
  }

  private func save(nowNanoseconds now: Int64) {
    firstChange = nil
    lastSave = now
    guard mayReplace else {
      return fail("\(path) could not be kept aside.", nowNanoseconds: now)
    }
    savesUnderWay += 1
    let snapshot = hub.snapshot()
    files.submit { [file] in
      do throws(StateError) {
        try file.save(StateText.bytes(of: snapshot))
        return .saved
      } catch {
        return .notSaved(error.sentence)
      }
    }
  }

  private func fail(_ sentence: String, nowNanoseconds now: Int64) {
    failures += 1
    lastFailure = sentence
    if !hasFailed, !isEnding {
      say("\(sentence) The show goes on; saving the state is tried again.", .warning, now)
    }
    hasFailed = true
    if firstChange == nil {
      firstChange = now
      lastChange = now
    }
  }
}
