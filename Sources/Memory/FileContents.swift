import Glibc

/// Reads files, up to a size.
package enum FileContents {
  /// Why a file was not read.
  package enum Failure: Error, Equatable {
    /// What the system says: an `errno`.
    case system(Int32)
    /// It is larger than that.
    case tooLarge(maximumBytes: Int)

    /// What is wrong, to follow the name of the file.
    package var text: String {
      switch self {
      case .system(let number):
        let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
        return "cannot be read: \(reason)"
      case .tooLarge(let maximumBytes):
        return "is larger than \(maximumBytes >> 20) MiB"
      }
    }
  }

  /// The bytes of a file that has at most so many.
  package static func read(
    _ path: String, maximumBytes: Int
  ) throws(Failure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(errno) }
    defer { close(descriptor) }
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
}
