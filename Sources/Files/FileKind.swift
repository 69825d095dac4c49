import Glibc

/// What stands under a path, symbolic links followed; looking opens nothing.
package enum FileKind: Equatable, Sendable {
  /// There is nothing, or it cannot be seen.
  case nothing
  /// An ordinary file.
  case file
  case folder
  case device
  case pipe
  case socket

  /// Looks what stands under a path.
  package init(of path: String) {
    var status = stat()
    self = stat(path, &status) == 0 ? Self(status) : .nothing
  }

  /// Looks what is open.
  package init(of descriptor: Int32) {
    var status = stat()
    self = fstat(descriptor, &status) == 0 ? Self(status) : .nothing
  }

  private init(_ status: stat) {
    self =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFIFO: .pipe
      case S_IFSOCK: .socket
      default: .device
      }
  }

  /// Whether an ordinary file is or can be there.
  package var mayBeFile: Bool { self == .nothing || self == .file }

  /// It with its article, as a sentence says it.
  package var name: String {
    switch self {
    case .nothing: "nothing"
    case .file: "a file"
    case .folder: "a folder"
    case .device: "a device"
    case .pipe: "a pipe"
    case .socket: "a socket"
    }
  }
}
