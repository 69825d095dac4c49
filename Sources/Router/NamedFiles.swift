import Files
import Memory

/// Sees to it that no file that is written is taken for something else too: the state would put a
/// configuration aside that it cannot read, and replace a record while that is written.
enum NamedFiles {
  /// Looks at everything that a run reads and writes; `state` is the path of its state.
  ///
  /// - Throws: a `StartError` that names the file and both of its uses.
  static func check(_ options: RunOptions, state: String?) throws(StartError) {
    let states = state.map(StateFile.allPaths) ?? []
    let records = [options.record].compactMap { $0 }
    var reads: [(use: String, path: String)] = options.mappings.map { ("--map", $0.file) }
    if let path = options.source?.path { reads.append(("--config", path)) }
    for record in records {
      try refuse(record, "--record", ifIn: states.map { ("--state", $0) })
      try refuse(record, "--record", ifIn: reads)
    }
    for state in states { try refuse(state, "--state", ifIn: reads) }
  }

  /// Looks whether a rendering would write over what it reads.
  ///
  /// - Throws: a `StartError` that names the file.
  static func check(_ options: RenderOptions) throws(StartError) {
    guard let output = FileIdentity(of: options.outputPath),
      FileKind(of: options.outputPath) == .file
    else { return }
    let reads = [options.inputPath] + options.otherPaths
    guard let read = reads.first(where: { FileIdentity(of: $0) == output }) else { return }
    let name =
      read == options.outputPath ? read : "\(options.outputPath) is the same file as \(read), which"
    throw StartError(
      code: .usage,
      sentence: "\(name) is read and cannot be written at the same time; name another OUT.")
  }

  private static func refuse(
    _ path: String, _ use: String, ifIn others: [(use: String, path: String)]
  ) throws(StartError) {
    for other in others where FilePath.areSame(path, other.path) {
      throw StartError(
        code: .usage,
        sentence: "\(path) is named for \(use) and for \(other.use); give each a file of its own.")
    }
  }
}
