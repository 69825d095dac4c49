import CPlatform
import Engine
import Glibc

/// The writer thread: it alone writes lines while the router runs, because a full pipe blocks.
///
/// Any thread but the audio thread hands it lines. What does not fit is counted and said once
/// there is room again, so a reader who never reads costs nobody anything.
package final class LineWriter: Sendable {
  /// Where a line goes.
  enum Stream: Int32 {
    /// What the user asked for: `ready:`, meters.
    case output = 1
    /// What the user should know: the log.
    case error = 2
  }

  /// The most lines that wait.
  static let capacity = 1_024

  private struct State {
    var lines: [(stream: Stream, text: String)] = []
    var dropped = 0
    var isEnding = false
  }

  private let state = Guarded(State())
  private let wake: Int32

  /// Makes a writer; `run` is the body of its thread.
  ///
  /// - Throws: a sentence when the process has no file descriptors left.
  package init() throws(DeviceError) {
    wake = crosspoint_wake_open()
    guard wake >= 0 else {
      throw DeviceError("The system has no file descriptor left for the log (ulimit -n).")
    }
  }

  /// Hands over one line, without its line feed.
  func write(_ text: String, to stream: Stream) {
    let isNew = state.withLock { state in
      guard state.lines.count < Self.capacity else {
        state.dropped += 1
        return false
      }
      state.lines.append((stream, text))
      return true
    }
    if isNew { crosspoint_wake_signal(wake) }
  }

  /// Lets the thread end once everything is written.
  package func end() {
    state.withLock { $0.isEnding = true }
    crosspoint_wake_signal(wake)
  }

  /// Writes what is handed over until `end`; the writer thread.
  package func run() {
    var isEnding = false
    while !isEnding {
      _ = crosspoint_poll(wake, -1, -1)
      _ = crosspoint_wake_clear(wake)
      let batch = state.withLock { state in
        defer {
          state.lines.removeAll(keepingCapacity: true)
          state.dropped = 0
        }
        return state
      }
      for line in batch.lines { Self.put(line.text, on: line.stream) }
      if batch.dropped > 0 {
        Self.put("crosspoint: \(batch.dropped) lines were left out; nobody read them.", on: .error)
      }
      isEnding = batch.isEnding
    }
  }

  private static func put(_ text: String, on stream: Stream) {
    var line = text + "\n"
    line.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)[...]
      while !rest.isEmpty {
        let chunk = UnsafeRawBufferPointer(rebasing: rest)
        let count = Glibc.write(stream.rawValue, chunk.baseAddress, chunk.count)
        if count < 0, errno != EINTR { return }
        rest = rest.dropFirst(max(0, count))
      }
    }
  }
}
