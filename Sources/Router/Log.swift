/// Says on standard error what the user should know, each kind of thing at most ten times a second.
///
/// Control thread only; the writer thread does the writing.
final class Log {
  /// The most lines of one cause in a second.
  static let linesPerSecond = 10

  private struct Window {
    var startNanoseconds: Int64
    var lines = 0
    var suppressed = 0
  }

  /// How much is said.
  var level: LogLevel
  private let writer: LineWriter
  private var windows: [String: Window] = [:]

  init(level: LogLevel, writer: LineWriter) {
    self.level = level
    self.writer = writer
  }

  /// Says a sentence, unless the level leaves it out or its cause has been heard enough of.
  func say(_ sentence: String, _ level: LogLevel, cause: String, nowNanoseconds: Int64) {
    guard level <= self.level else { return }
    var window = windows[cause] ?? Window(startNanoseconds: nowNanoseconds)
    if nowNanoseconds - window.startNanoseconds >= 1_000_000_000 {
      close(window)
      window = Window(startNanoseconds: nowNanoseconds)
    }
    window.lines += 1
    if window.lines < Self.linesPerSecond {
      write(sentence)
    } else {
      window.suppressed += 1
    }
    windows[cause] = window
  }

  /// Says how many lines were left out in seconds that are over.
  func tick(nowNanoseconds: Int64) {
    for (cause, window) in windows
    where window.suppressed > 0 && nowNanoseconds - window.startNanoseconds >= 1_000_000_000 {
      close(window)
      windows[cause] = nil
    }
  }

  /// Whether `tick` has something to say once a second is over.
  var isHoldingBack: Bool { windows.values.contains { $0.suppressed > 0 } }

  private func close(_ window: Window) {
    guard window.suppressed > 0 else { return }
    write("\(window.suppressed) more like the last one were left out.")
  }

  /// Anybody who sends a message may have a say in what a sentence says, but not in how the terminal
  /// takes it, nor in where a line ends.
  private func write(_ sentence: String) {
    writer.write("crosspoint: \(TerminalText.clean(sentence))", to: .error)
  }
}
