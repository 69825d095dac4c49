import Glibc

/// The new contents of a file, which take its place in one step and only once they are whole.
///
/// Whoever reads the file, at any moment and after a power cut, finds either the old or the new
/// contents. Until then they lie beside it; what has not taken its place is gone with this object.
/// One thread at a time; blocks, so never on the control or the audio thread.
package final class FreshFile {
  /// Where the new contents are written to; belongs to this object.
  package let descriptor: Int32
  private let path: String
  private let name: String
  private var isNamed: Bool

  /// Begins new contents for a path; those that are there may be none or an ordinary file, whose
  /// owner and mode go over.
  ///
  /// `suffix` follows the path in the name of the new contents. With `isHidden` they have none
  /// where the system can do that, and a program that is killed leaves nothing behind.
  ///
  /// - Throws: a `FileError` that says what the system refused.
  package init(
    for path: String, suffix: String = ".tmp", mode: mode_t = 0o644, isHidden: Bool = false
  ) throws(FileError) {
    self.path = path
    name = path + suffix
    let hidden = isHidden ? Self.openHidden(besides: path, mode) : -1
    if hidden >= 0 {
      descriptor = hidden
      isNamed = false
    } else {
      // What an earlier one has left is in the way, and might be anything.
      unlink(name)
      descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      guard descriptor >= 0 else { throw .writing(path) }
      isNamed = true
    }
    var old = stat()
    if stat(path, &old) == 0 {
      // Without the right to give files away the new one is its writer's.
      _ = fchown(descriptor, old.st_uid, old.st_gid)
      _ = fchmod(descriptor, old.st_mode & 0o777)
    }
  }

  deinit {
    if isNamed { unlink(name) }
    close(descriptor)
  }

  /// Appends bytes.
  ///
  /// - Throws: a `FileError` that says what the system refused.
  package func write(_ bytes: [UInt8]) throws(FileError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
        return Glibc.write(descriptor, rest.baseAddress, rest.count)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw .writing(path)
      }
      written += count
    }
  }

  /// Puts the new contents in their place, once they are on the disk; the old ones are kept as
  /// `previous` if that is given.
  ///
  /// - Throws: a `FileError` that says what the system refused; the old contents stay.
  package func takePlace(keepingOldAs previous: String? = nil) throws(FileError) {
    guard fsync(descriptor) == 0 else { throw .writing(path) }
    if !isNamed {
      unlink(name)
      let linked = linkat(AT_FDCWD, Self.entry(descriptor), AT_FDCWD, name, AT_SYMLINK_FOLLOW)
      guard linked == 0 else { throw .writing(path) }
      isNamed = true
    }
    if let previous { try FileReplacement.keep(path, as: previous) }
    guard rename(name, path) == 0 else { throw .writing(path) }
    isNamed = false
    FileReplacement.synchronise(folderOf: path)
  }

  /// A file without a name, in the folder of another one; -1 where the system has none.
  private static func openHidden(besides path: String, _ mode: mode_t) -> Int32 {
    // O_TMPFILE of linux/fcntl.h, which is a compound that Swift does not import.
    let unnamed = 0o20_000_000 | O_DIRECTORY
    let descriptor = open(FilePath.folder(of: path), O_WRONLY | O_CLOEXEC | unnamed, mode)
    guard descriptor >= 0 else { return -1 }
    // The name comes from there in the end.
    guard access(entry(descriptor), F_OK) == 0 else {
      close(descriptor)
      return -1
    }
    return descriptor
  }

  private static func entry(_ descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }
}
