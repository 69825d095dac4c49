import Control
import Glibc
import Messages
import Synchronization
import TextLines

/// Writes an event file of changes with their frames, for `render --events` to play again.
///
/// `@unchecked Sendable`: made and begun on the control thread, then used by the thread of files
/// alone.
package final class EventFileWriter: @unchecked Sendable {
  private static let nanosecondsPerSecond: Int64 = 1_000_000_000
  // Transactions of one frame are told apart by nanoseconds, which round to the same frame: a frame
  // of the highest rate has 2,604 of them.
  private static let mostOfOneFrame: Int64 = 1_000

  private let descriptor: Int32
  private let path: String
  private let rate: Int64
  private var startFrame: Int64 = 0
  private var frame: Int64 = -1
  private var transaction = Int.min
  private var ordinal: Int64 = 0

  /// Opens a file; one that is there already is kept under the next free name, `FILE.1` and so on.
  ///
  /// - Throws: an `OptionError` that says what the system refused.
  package init(_ path: String, rate: Int) throws(OptionError) {
    self.path = path
    self.rate = Int64(rate)
    if access(path, F_OK) == 0 { try Self.keepAside(path) }
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND, 0o644)
    guard descriptor >= 0 else { throw Self.failure(path) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Says which frame is time 0.
  package func begin(atFrame frame: Int64) {
    startFrame = frame
  }

  /// Writes lines as they are, such as comments.
  ///
  /// - Throws: an `OptionError` that says what the system refused.
  package func write(_ text: String) throws(OptionError) {
    var text = text
    let isWritten = text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)[...]
      while !rest.isEmpty {
        let chunk = UnsafeRawBufferPointer(rebasing: rest)
        let count = Glibc.write(descriptor, chunk.baseAddress, chunk.count)
        if count < 0, errno != EINTR { return false }
        rest = rest.dropFirst(max(0, count))
      }
      return true
    }
    guard isWritten else { throw Self.failure(path) }
  }

  /// Writes changes, a line each.
  ///
  /// - Throws: an `OptionError` that says what the system refused.
  package func write(_ changes: [AppliedChange]) throws(OptionError) {
    var text = ""
    for change in changes {
      text += time(of: change)
      text += " "
      text += TextMessage.text(
        address: ParameterTable.address(of: change.target), arguments: change.arguments)
      text += "\n"
    }
    try write(text)
  }

  /// Seconds with nine decimals: the frame, and from the second transaction of a frame on so many
  /// nanoseconds more.
  private func time(of change: AppliedChange) -> String {
    if let number = change.transaction {
      if change.frame != frame {
        frame = change.frame
        ordinal = 0
      } else if number != transaction {
        ordinal = min(ordinal + 1, Self.mostOfOneFrame)
      }
      transaction = number
    }
    let frames = max(0, change.frame - startFrame)
    let rest = (frames % rate * Self.nanosecondsPerSecond + rate / 2) / rate
    let nanoseconds = rest + (change.transaction == nil ? 0 : ordinal)
    let seconds = frames / rate + nanoseconds / Self.nanosecondsPerSecond
    let decimals = String(
      nanoseconds % Self.nanosecondsPerSecond + Self.nanosecondsPerSecond)
    return "\(seconds).\(decimals.dropFirst())"
  }

  private static func keepAside(_ path: String) throws(OptionError) {
    for number in 1...9_999 {
      let aside = "\(path).\(number)"
      guard access(aside, F_OK) != 0 else { continue }
      guard rename(path, aside) == 0 else { throw failure(path) }
      return
    }
  }

  private static func failure(_ path: String) -> OptionError {
    let reason = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
    return OptionError("\(path) cannot be written: \(reason).")
  }
}
