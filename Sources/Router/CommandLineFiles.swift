import Files
import Glibc

/// Reads the files that the command line names, and writes to the terminal.
package enum CommandLineFiles {
  /// The most bytes that a text may have.
  package static let maximumBytes = 256 << 20

  /// Makes sure that the standard streams exist, before anything else is opened.
  ///
  /// Where the caller has closed one, the next file or socket would get its number, and lines that
  /// are meant for the terminal would go there.
  package static func openMissingStreams() {
    var descriptor = open("/dev/null", O_RDWR)
    while (STDIN_FILENO...STDERR_FILENO).contains(descriptor) {
      descriptor = open("/dev/null", O_RDWR)
    }
    if descriptor >= 0 { close(descriptor) }
  }

  /// Lets a file that would become larger than the user may have (ulimit -f) be refused, as a full
  /// disk refuses it, instead of ending the program.
  package static func surviveFileLimit() {
    signal(SIGXFSZ, SIG_IGN)
  }

  /// The bytes of a file, or of a pipe for as long as that takes.
  ///
  /// - Throws: an `OptionError` that names the file and what is wrong with it.
  package static func read(_ path: String) throws(OptionError) -> [UInt8] {
    try read(path, mayWait: true)
  }

  /// The bytes of a file that is read while a show runs: of a pipe, which might keep its reader for
  /// ever, nothing.
  ///
  /// - Throws: an `OptionError` that names the file and what is wrong with it.
  package static func readAgain(_ path: String) throws(OptionError) -> [UInt8] {
    try read(path, mayWait: false)
  }

  private static func read(_ path: String, mayWait: Bool) throws(OptionError) -> [UInt8] {
    do throws(FileContents.Failure) {
      return try FileContents.read(path, maximumBytes: maximumBytes, mayWait: mayWait)
    } catch {
      throw OptionError("\(path) \(error.text).")
    }
  }

  /// Writes a text to standard output.
  package static func print(_ text: String) { write(text, to: STDOUT_FILENO) }

  /// Writes a sentence to standard error, after the program's name.
  package static func complain(_ sentence: String) {
    write("crosspoint: \(sentence)\n", to: STDERR_FILENO)
  }

  /// Writes everything or, when nobody listens, gives up: there is nobody left to tell.
  private static func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Glibc.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0 {
          if errno == EINTR { continue }
          return
        }
        rest = rest.dropFirst(count)
      }
    }
  }
}
