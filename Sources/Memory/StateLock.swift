import Glibc

/// The right to a state file, which one process at a time has.
///
/// A lock of flock(2) on `FILE.lock`: it ends with the process, however that ends. The file itself
/// stays, because taking it away would let two processes lock two files of one name.
public struct StateLock: ~Copyable, Sendable {
  /// What came of the attempt.
  enum Outcome: ~Copyable {
    /// It is ours.
    case locked(StateLock)
    /// Somebody else has it; the number of the process where it is known.
    case taken(process: String)
    /// The place knows no locks or cannot be written; nobody is kept out.
    case impossible
  }

  private let descriptor: Int32

  fileprivate init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    // A child of this process that has not come to its own program yet would keep it otherwise.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Tries to lock a state file; never waits.
  static func take(_ path: String) -> Outcome {
    let name = path + ".lock"
    var descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o644)
    let isWritable = descriptor >= 0
    if !isWritable { descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { return .impossible }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let isTaken = errno == EWOULDBLOCK
      let process = isTaken ? owner(descriptor) : ""
      close(descriptor)
      return isTaken ? .taken(process: process) : .impossible
    }
    if isWritable {
      // For whoever comes second to say who was first.
      let text = Array("\(getpid())\n".utf8)
      _ = ftruncate(descriptor, 0)
      _ = write(descriptor, text, text.count)
    }
    return .locked(StateLock(descriptor: descriptor))
  }

  private static func owner(_ descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    let digits = bytes[..<max(0, count)].prefix { (0x30...0x39).contains($0) }
    return String(decoding: digits, as: UTF8.self)
  }
}
