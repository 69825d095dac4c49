import Glibc

/// Writes a file so that whoever reads it, at any moment and after a power cut, finds either the
/// old or the new contents, whole.
///
/// The new contents go to a file beside it and to the disk, then take the name (rename(2) replaces
/// in one step), then the folder goes to the disk, which is what holds the name. Blocks; never call
/// it on the control or the audio thread.
enum FileReplacement {
  /// Puts new contents in the place of a file; the old ones are kept as `previous` if that is given.
  ///
  /// - Throws: a `StateError` that says what the system refused; the old contents stay.
  static func replace(
    _ path: String, by bytes: [UInt8], keepingOldAs previous: String? = nil
  ) throws(StateError) {
    let fresh = path + ".tmp"
    try write(bytes, to: fresh)
    if let previous { try keep(path, as: previous) }
    guard rename(fresh, path) == 0 else { throw failure(path) }
    synchronise(folderOf: path)
  }

  /// Makes sure that a folder's list of names is on the disk.
  static func synchronise(folderOf path: String) {
    let descriptor = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    // Some file systems do not know how; then there is nothing more to be done.
    _ = fsync(descriptor)
    close(descriptor)
  }

  /// The folder that a path names a file in.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    let folder = path[..<slash]
    return folder.isEmpty ? "/" : String(folder)
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(StateError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(path) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(
          descriptor, UnsafeRawBufferPointer(rebasing: buffer[written...]).baseAddress,
          buffer.count - written)
      }
      if count < 0 {
        if errno == EINTR { continue }
        let failure = failure(path)
        close(descriptor)
        throw failure
      }
      written += count
    }
    let isOnDisk = fsync(descriptor) == 0
    let failure = failure(path)
    close(descriptor)
    guard isOnDisk else { throw failure }
  }

  /// Gives the old contents a second name, in one step and without ever taking the first away.
  private static func keep(_ path: String, as previous: String) throws(StateError) {
    let second = previous + ".tmp"
    unlink(second)
    if link(path, second) != 0 {
      if errno == ENOENT { return }
      // Where a file cannot have two names, as on a memory card, it is copied.
      guard let old = try? FileContents.read(path, maximumBytes: StateFile.maximumBytes) else {
        throw failure(path)
      }
      try write(old, to: second)
    }
    guard rename(second, previous) == 0 else { throw failure(previous) }
  }

  private static func failure(_ path: String) -> StateError {
    let reason = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
    return StateError("\(path) cannot be written: \(reason).")
  }
}
