import Glibc

/// What is wrong with a file, told in one sentence.
package struct FileError: Error, Equatable, Sendable {
  /// The sentence, which names the file.
  package var sentence: String

  /// Makes an error from its sentence.
  package init(_ sentence: String) {
    self.sentence = sentence
  }

  /// The error of a file that the system does not let be written, from `errno` or another number.
  package static func writing(_ path: String, _ number: Int32 = errno) -> FileError {
    FileError("\(path) cannot be written: \(reason(number)).")
  }

  /// What the system says about an error number.
  package static func reason(_ number: Int32) -> String {
    strerror(number).map { String(cString: $0) } ?? "error \(number)"
  }
}
