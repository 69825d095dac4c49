import Messages
import TextLines

/// What libFuzzer calls: a text, which is refused with a place or survives being written again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let lineCount = bytes.count { $0 == UInt8(ascii: "\n") } + 1
  do throws(TextError) {
    let lines = try LineReader.lines(of: bytes, file: "text")
    checkPlaces(lines, lineCount: lineCount)
    let again = lines.map(written).joined(separator: "\r\n")
    let read = try LineReader.lines(of: Array("\u{FEFF}\(again)".utf8), file: "text")
    precondition(read.map(contents) == lines.map(contents), "what is written reads the same")
  } catch {
    precondition((1...lineCount).contains(error.position.line), "the line exists")
    precondition((1...count + 1).contains(error.position.column), "the column exists")
    precondition(!error.description.contains("\n"), "an error is one line")
  }
  return 0
}

private func checkPlaces(_ lines: [TextLine], lineCount: Int) {
  var lastLine = 0
  for line in lines {
    precondition(line.end.line > lastLine && line.end.line <= lineCount, "lines go forward")
    lastLine = line.end.line
    var lastColumn = 0
    for word in line.words {
      precondition(word.position.line == lastLine, "a word stands on its line")
      precondition(word.position.column > lastColumn, "words go forward")
      lastColumn = word.position.column
      checkMeaning(word)
    }
    precondition(line.end.column > lastColumn, "a line ends behind its last word")
    _ = try? line.message()
  }
}

private func checkMeaning(_ word: Word) {
  precondition(word.number == word.argument.number, "a number is the same as an argument")
  if let number = word.number {
    precondition(number.isFinite || number == -.infinity, "a number is finite or off")
    precondition(!word.looksLikeDecimalComma, "a number has no comma")
  }
  if word.hexByte != nil { precondition(word.text.utf8.count == 2, "a byte has two digits") }
  if let near = nearest(to: word.text, among: ["capture", "rate", word.text]) {
    precondition(word.text.utf8.count <= 64 && !near.isEmpty, "a near word is one of ours")
  }
}

private func contents(_ line: TextLine) -> [Argument] { line.words.map(\.argument) }

private func written(_ line: TextLine) -> String {
  let words = line.words.map { word in
    guard word.isQuoted else { return word.text }
    var text = ""
    for scalar in word.text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { text.unicodeScalars.append("\\") }
      text.unicodeScalars.append(scalar)
    }
    return "\"\(text)\""
  }
  return words.joined(separator: "\t")
}
