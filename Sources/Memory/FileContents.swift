import Glibc

/// Reads files.
enum FileContents {
  /// The most bytes that a state may have.
  static let maximumBytes = 64 << 20

  /// Why a file was not read.
  enum Failure: Error, Equatable {
    /// There is none.
    case missing
    /// The sentence about what is wrong with it.
    case unreadable(StateError)
  }

  /// The bytes of a file.
  static func read(_ path: String) throws(Failure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw errno == ENOENT ? .missing : .unreadable(failure(path))
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw .unreadable(failure(path))
      }
      guard bytes.count + count <= maximumBytes else {
        throw .unreadable(StateError("\(path) is larger than \(maximumBytes >> 20) MiB."))
      }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  private static func failure(_ path: String) -> StateError {
    let reason = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
    return StateError("\(path) cannot be read: \(reason).")
  }
}
