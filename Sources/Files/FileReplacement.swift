import Glibc

/// Replaces a file as a whole, see `FreshFile`.
package enum FileReplacement {
  /// Puts new contents in the place of a file; the old ones are kept as `previous` if that is given.
  ///
  /// - Throws: a `FileError` that says what the system refused; the old contents stay.
  package static func replace(
    _ path: String, by bytes: [UInt8], keepingOldAs previous: String? = nil
  ) throws(FileError) {
    let fresh = try FreshFile(for: path)
    try fresh.write(bytes)
    try fresh.takePlace(keepingOldAs: previous)
  }

  /// Makes sure that a folder's list of names is on the disk, which is what holds a name.
  package static func synchronise(folderOf path: String) {
    let descriptor = open(FilePath.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    // Some file systems do not know how; then there is nothing more to be done.
    _ = fsync(descriptor)
    close(descriptor)
  }

  /// Gives the old contents a second name, in one step and without ever taking the first away.
  static func keep(_ path: String, as previous: String) throws(FileError) {
    let second = previous + ".tmp"
    unlink(second)
    if link(path, second) != 0 {
      if errno == ENOENT { return }
      // Where a file cannot have two names, as on a memory card, it is copied.
      let failure = FileError.writing(previous)
      guard let old = try? FileContents.read(path, maximumBytes: .max) else { throw failure }
      return try replace(previous, by: old)
    }
    guard rename(second, previous) == 0 else {
      let failure = FileError.writing(previous)
      unlink(second)
      throw failure
    }
    // Two names of one file already: rename does nothing then.
    unlink(second)
  }
}
