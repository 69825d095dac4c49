import Control
import Files
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
  // Bytes of half a line at the end of the file that could not be cut off yet.
  private var tornBytes = 0
  // Changes that are missing in the file since the last line.
  private var gap = 0

  /// Why changes are not in the file.
  package struct Failure: Error, Equatable {
    /// How many of them.
    package var lost: Int
    /// How many lines, of which those of changes are the last.
    var lostLines: Int
    /// The sentence that says what the system refused.
    package var sentence: String
  }

  /// Opens a file; one that is there already is kept under the next free name, `FILE.1` and so on.
  ///
  /// - Throws: an `OptionError` that says what the system refused, or that something else than an
  ///   ordinary file has the name; nothing is touched then.
  package init(_ path: String, rate: Int) throws(OptionError) {
    self.rate = Int64(rate)
    let kind = path.hasSuffix("/") ? FileKind.folder : FileKind(of: path)
    guard kind.mayBeFile else {
      throw OptionError(
        "\(path) is \(kind.name) and no ordinary file; give --record the name of a file.")
    }
    do throws(FileError) {
      self.path = try FilePath.target(of: path)
      if kind == .file { try Self.keepAside(self.path) }
      descriptor = open(self.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND, 0o644)
      guard descriptor >= 0 else { throw .writing(self.path) }
    } catch {
      throw OptionError(error.sentence)
    }
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
    do throws(Failure) { try append(text, changes: 0) } catch { throw OptionError(error.sentence) }
  }

  /// Writes changes, a line each; where some are missing before them, a comment says so.
  ///
  /// - Throws: a `Failure` when not all of them are in the file; of those that are, every line is
  ///   whole.
  package func write(_ changes: [AppliedChange]) throws(Failure) {
    var text = gap > 0 ? "# \(gap) changes are missing here.\n" : ""
    for change in changes {
      text += time(of: change)
      text += " "
      text += TextMessage.text(
        address: ParameterTable.address(of: change.target), arguments: change.arguments)
      text += "\n"
    }
    do throws(Failure) {
      try append(text, changes: changes.count)
      gap = 0
    } catch {
      // Where the comment is in the file, it has said what was missing before.
      gap = error.lostLines <= changes.count ? error.lost : gap + error.lost
      throw error
    }
  }

  /// Appends lines, of which the last ones are those of changes.
  private func append(_ text: String, changes: Int) throws(Failure) {
    var text = text
    let (written, number) = text.withUTF8 { bytes -> (Int, Int32) in
      guard cutOff() else { return (0, errno) }
      var written = 0
      while written < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[written...])
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count < 0, errno != EINTR { return (written, errno) }
        written += max(0, count)
      }
      return (written, 0)
    }
    guard number != 0 else { return }
    let rest = text.utf8.dropFirst(written)
    let lost = rest.count { $0 == UInt8(ascii: "\n") }
    tornBytes += text.utf8.prefix(written).reversed().prefix { $0 != UInt8(ascii: "\n") }.count
    _ = cutOff()
    throw Failure(
      lost: min(changes, lost), lostLines: lost,
      sentence: FileError.writing(path, number).sentence)
  }

  /// Takes half a line off the end of the file; whether none is left there.
  private func cutOff() -> Bool {
    guard tornBytes > 0 else { return true }
    var status = stat()
    guard fstat(descriptor, &status) == 0,
      ftruncate(descriptor, max(0, status.st_size - off_t(tornBytes))) == 0
    else { return false }
    tornBytes = 0
    return true
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

  private static func keepAside(_ path: String) throws(FileError) {
    for number in 1...9_999 {
      let aside = "\(path).\(number)"
      guard access(aside, F_OK) != 0 else { continue }
      guard rename(path, aside) == 0 else { throw .writing(path) }
      return
    }
  }
}
