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
  /// - Throws: a `StartError` when another router has the file, or the name cannot name one.
  init(_ options: RunOptions) throws(StartError) {
    do throws(StateError) {
      switch options.state {
      case .none: return
      case .file(let path): try open(path, options)
      case .automatic:
        if let path = try StatePlace.file(forRouterNamed: options.name) {
          try open(path, options)
        } else {
          warnings.append(
            "No state is kept, because neither XDG_STATE_HOME nor HOME says where; "
              + "give --state FILE.")
        }
      }
    } catch {
      throw StartError(code: .usage, sentence: error.sentence)
    }
  }

  private mutating func open(_ path: String, _ options: RunOptions) throws(StateError) {
    let file = try StateFile(path)
    let contents = file.load()
    warnings += contents.warnings
    mayReplace = contents.mayBeReplaced
    if !file.isLocked, mayReplace {
      warnings.append("\(file.path).lock cannot be had, so nobody is kept from \(file.path).")
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
