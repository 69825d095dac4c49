import TextLines

/// The lines of a text given as a string.
func lines(_ text: String, file: String = "show.conf") throws(TextError) -> [TextLine] {
  try LineReader.lines(of: Array(text.utf8), file: file)
}

/// The words of a text of one line.
func words(_ text: String) throws(TextError) -> [Word] {
  try lines(text).first?.words ?? []
}

/// The sentence that a text is refused with, or nothing when it is read.
func refusal(_ bytes: [UInt8], file: String = "show.conf") -> String? {
  do throws(TextError) {
    _ = try LineReader.lines(of: bytes, file: file)
    return nil
  } catch {
    return error.description
  }
}

/// The sentence that a text is refused with, or nothing when it is read.
func refusal(_ text: String) -> String? { refusal(Array(text.utf8)) }
