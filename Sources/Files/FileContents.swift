import Glibc

/// Reads files, up to a size.
package enum FileContents {
  /// Why a file was not read.
  package enum Failure: Error, Equatable {
    /// What the system says: an `errno`.
    case system(Int32)
    /// It is larger than that.
    case tooLarge(maximumBytes: Int)
    /// It is something else, which might keep its reader waiting for ever.
    case noFile(FileKind)

    /// What is wrong, to follow the name of the file.
    package var text: String {
      switch self {
      case .system(let number): "cannot be read: \(FileError.reason(number))"
      case .tooLarge(let maximumBytes): "is larger than \(maximumBytes >> 20) MiB"
      case .noFile(let kind): "is \(kind.name) and no ordinary file"
      }
    }
  }

  /// The bytes of a file that has at most so many.
  ///
  /// `mayWait` says whether a pipe or a device may be read too, for as long as it takes.
  package static func read(
    _ path: String, maximumBytes: Int, mayWait: Bool = false
  ) throws(Failure) -> [UInt8] {
    // Even to open a device may do something.
    if !mayWait { try check(FileKind(of: path)) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | (mayWait ? 0 : O_NONBLOCK))
    guard descriptor >= 0 else { throw .system(errno) }
    defer { close(descriptor) }
    if !mayWait { try check(FileKind(of: descriptor)) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw .system(errno)
      }
      guard bytes.count + count <= maximumBytes else {
        throw .tooLarge(maximumBytes: maximumBytes)
      }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  private static func check(_ kind: FileKind) throws(Failure) {
    guard kind.mayBeFile else { throw .noFile(kind) }
  }
}
