import Messages
import Router
import TextLines

/// What libFuzzer calls: a text, read as lines, as an event file and as a configuration.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  checkLines(of: bytes)
  checkEvents(of: bytes)
  do throws(TextError) {
    _ = try Configuration.read(bytes, file: "f")
  } catch {
    check(error, in: bytes)
  }
  return 0
}

private func checkLines(of bytes: [UInt8]) {
  var reader = LineReader(bytes, file: "f")
  var lastLine = 0
  var refusals = 0
  while true {
    do throws(TextError) {
      guard let line = try reader.next() else { return }
      check(line, after: &lastLine)
    } catch {
      check(error, in: bytes)
      refusals += 1
      precondition(refusals <= bytes.count, "the reader goes on behind an error")
    }
  }
}

private func check(_ line: TextLine, after lastLine: inout Int) {
  precondition(!line.words.isEmpty, "a line has words")
  precondition(line.words[0].position.line > lastLine, "lines go forward")
  lastLine = line.words[0].position.line
  var column = 0
  for word in line.words {
    precondition(word.position.line == lastLine, "the words of a line stand on it")
    precondition(word.position.column > column, "words go forward")
    column = word.position.column
    precondition(word.isQuoted || !word.text.isEmpty, "a bare word has letters")
    if let number = word.number { precondition(number.isFinite || number == -.infinity) }
    checkRereading(word)
  }
  precondition(line.end.column > column, "the line ends behind its last word")
}

/// A word that is written in quotes and read again says the same.
private func checkRereading(_ word: Word) {
  var quoted = "\""
  for scalar in word.text.unicodeScalars {
    if scalar == "\"" || scalar == "\\" { quoted.unicodeScalars.append("\\") }
    quoted.unicodeScalars.append(scalar)
  }
  quoted += "\""
  do throws(TextError) {
    let lines = try LineReader.lines(of: Array(quoted.utf8), file: "f")
    precondition(lines.count == 1 && lines[0].words.count == 1, "a quoted word is one word")
    precondition(lines[0].words[0].isQuoted, "and is known as quoted")
    precondition(lines[0].words[0].text.utf8.elementsEqual(word.text.utf8), "and says the same")
  } catch {
    preconditionFailure("what was read can be read again")
  }
}

private func checkEvents(of bytes: [UInt8]) {
  do throws(TextError) {
    let file = try EventFile(bytes, file: "f")
    var last: Int64 = 0
    var actions = 0
    var handed = 0
    for transaction in file.transactions(rateHz: 48_000) {
      precondition(transaction.frame >= last, "frames do not go back")
      last = transaction.frame
      actions += transaction.actions.count
      for step in transaction.steps {
        switch step {
        case .messages(let batch, origin: _): handed += batch.messages.count
        case .midi: handed += 1
        }
      }
    }
    precondition(actions == file.events.count && handed == actions, "no event is lost")
  } catch {
    check(error, in: bytes)
  }
}

private func check(_ error: TextError, in bytes: [UInt8]) {
  precondition(error.position.line >= 1 && error.position.column >= 1, "an error has a place")
  precondition(error.position.line <= bytes.count + 1, "which lies in the text")
  let text = error.description.unicodeScalars
  precondition(!text.contains { $0.value < 0x20 }, "an error is one line")
}
