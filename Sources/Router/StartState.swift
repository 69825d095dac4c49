import Control
import Memory

/// The state file of a router, opened and read before the first frame.
struct StartState {
  /// The file; nothing when no state is kept.
  private(set) var file: StateFile?
  /// The state; nothing where there is none that can be read.
  private(set) var snapshot: MixerSnapshot?
  /// What the file itself holds: not the state when that came from the one before.
  private(set) var savedSnapshot: MixerSnapshot?
  /// Whether the file may be written.
  private(set) var mayReplace = true
  /// What the user should know, in sentences.
  private(set) var warnings: [String] = []
  /// What was done, in a sentence, if anything was.
  private(set) var remark: String?

  /// Opens and reads what the options name.
  ///
  /// - Throws: a `StartError` when another router has the file, the name cannot name one, or the
  ///   options name one file for two things.
  init(_ options: RunOptions) throws(StartError) {
    let path: String?
    do throws(StateError) { path = try self.path(options) } catch { throw Self.refusal(error) }
    try NamedFiles.check(options, state: path)
    guard let path else { return }
    do throws(StateError) { load(try StateFile(path), options) } catch { throw Self.refusal(error) }
  }

  private static func refusal(_ error: StateError) -> StartError {
    StartError(code: .usage, sentence: error.sentence)
  }

  private mutating func path(_ options: RunOptions) throws(StateError) -> String? {
    switch options.state {
    case .none: return nil
    case .file(let path): return path
    case .automatic:
      if let path = try StatePlace.file(forRouterNamed: options.name) { return path }
      warnings.append(
        "No state is kept, because neither XDG_STATE_HOME nor HOME says where; give --state FILE.")
      return nil
    }
  }

  private mutating func load(_ file: StateFile, _ options: RunOptions) {
    let contents = file.load()
    warnings += contents.warnings
    mayReplace = contents.mayBeReplaced
    if !file.isLocked, mayReplace {
      warnings.append(
        "\(file.path).lock cannot be made, so another router may take the same state; see that the "
          + "folder is there and may be written to.")
    }
    snapshot = contents.snapshot
    if contents.path == file.path { savedSnapshot = snapshot }
    if snapshot != nil {
      remark = "The mixer starts as \(contents.path) has it."
      if !options.addressLines.isEmpty {
        remark? += " It is newer than the configuration's address lines; --set goes over both."
      }
    }
    self.file = file
  }
}
