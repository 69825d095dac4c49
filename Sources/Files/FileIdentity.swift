import Glibc

/// Which file something is, by whatever name it was found.
package struct FileIdentity: Equatable, Sendable {
  private let device: dev_t
  private let number: ino_t

  /// The file under a path, symbolic links followed; nothing when there is none.
  package init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = status.st_dev
    number = status.st_ino
  }

  /// The file that is open; nothing when none is.
  package init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    device = status.st_dev
    number = status.st_ino
  }
}
