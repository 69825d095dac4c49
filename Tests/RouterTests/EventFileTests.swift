import Messages
import Router
import Testing
import TextLines

@Suite("Event files")
struct EventFileTests {
  private func events(_ text: String) throws(TextError) -> EventFile {
    try EventFile(Array(text.utf8), file: "show.events")
  }

  private func refusal(_ text: String) -> String? {
    do throws(TextError) {
      _ = try events(text)
      return nil
    } catch {
      return error.description
    }
  }

  private func address(_ event: EventFile.Event) -> String? {
    if case .message(let message) = event.action { message.address } else { nil }
  }

  private func batch(_ step: EventFile.Transaction.Step) -> MessageBatch? {
    if case .messages(let batch, origin: _) = step { batch } else { nil }
  }

  /// Where an address stands on a line whose time is one digit.
  private func origin(line: Int) -> String { "show.events:\(line):3" }

  @Test("Lines are sorted by time, and those of one time keep their order")
  func sorting() throws {
    let file = try events("2 /a 1\n1 /b 2\n2 /c 3\n0 /d\n1 /e 5\n")
    #expect(file.events.compactMap(address) == ["/d", "/b", "/e", "/a", "/c"])
    #expect(file.events.map(\.action.origin) == [4, 2, 5, 1, 3].map(origin))
  }

  @Test("Many lines of one time keep their order")
  func stability() throws {
    let text = (0..<1000).map { "\($0 % 3) /\($0)\n" }.joined()
    let lines = (1...1000).sorted { (($0 - 1) % 3, $0) < (($1 - 1) % 3, $1) }
    #expect(try events(text).events.map(\.action.origin) == lines.map(origin))
  }

  @Test("Lines of one time are one transaction on the nearest frame")
  func transactions() throws {
    let file = try events("0.1 /a 1\n0.1 /b 2\n0.25 /c 0.5 100 lin\n")
    let transactions = file.transactions(rateHz: 48_000)
    #expect(transactions.map(\.frame) == [4800, 12_000])
    let batches = transactions.flatMap(\.steps).compactMap(batch)
    #expect(batches.count == 2)
    let batch = batches[0]
    #expect(batch.messages.map { batch.addressText(of: $0) } == ["/a", "/b"])
    #expect(batch.arguments == [.int32(1), .int32(2)])
    #expect(batch.messages.allSatisfy { $0.time == .immediate })
    #expect(transactions[1].actions.map(\.origin) == ["show.events:3:6"])
  }

  @Test(
    "A frame is round(seconds x rate) at every rate, halves away from zero",
    arguments: [
      ("0", 48_000.0, 0), ("0.00001", 48_000, 0), ("0.0000104167", 48_000, 1), ("0.5", 1, 1),
      ("1.5", 1, 2), ("1", 44_100, 44_100), ("0.3", 44_100, 13_230), ("3600", 192_000, 691_200_000),
      ("1e9", 384_000, 384_000_000_000_000),
    ])
  func frames(seconds: String, rateHz: Double, frame: Int64) throws {
    #expect(try events("\(seconds) /a").transactions(rateHz: rateHz).map(\.frame) == [frame])
  }

  @Test("Two times on one frame stay two transactions, in order")
  func oneFrame() throws {
    let transactions = try events("0.000002 /b\n0.000001 /a\n").transactions(rateHz: 48_000)
    #expect(transactions.map(\.frame) == [0, 0])
    #expect(transactions.map(\.actions.count) == [1, 1])
    #expect(transactions.map { $0.actions[0].origin } == [2, 1].map { "show.events:\($0):10" })
  }

  @Test(
    "A line without a time, an address or sound arguments is refused with its place",
    arguments: [
      ("/a 1", "1:1: found \"/a\", expected a time in seconds, 0 or later, such as 1.5."),
      ("\n-1 /a", "2:1: found \"-1\", expected a time in seconds, 0 or later, such as 1.5."),
      ("\"1\" /a", "1:1: found \"1\", expected a time in seconds, 0 or later, such as 1.5."),
      ("-inf /a", "1:1: found \"-inf\", expected a time in seconds, 0 or later, such as 1.5."),
      ("nan /a", "1:1: found \"nan\", expected a time in seconds, 0 or later, such as 1.5."),
      ("1e10 /a", "1:1: found \"1e10\", expected a time in seconds, 0 or later, such as 1.5."),
      ("0,5 /a", "1:1: found \"0,5\", expected a time in seconds, 0 or later, such as 1.5."),
      ("1", "1:2: found the end of the line, expected an address such as /matrix/in/0/gain."),
      (
        "1 mid \"Box\" B0 07 40",
        "1:3: found \"mid\", expected an address, which begins with / and has no quotes, or the "
          + "word midi."
      ),
      (
        "1 \"midi\" \"Box\" B0",
        "1:3: found \"midi\", expected an address, which begins with / and has no quotes, or the "
          + "word midi."
      ),
      (
        "1 midi",
        "1:7: found the end of the line, expected the name of a device in quotes, such as "
          + "\"nanoKONTROL2\"."
      ),
      (
        "1 midi B0 07 40",
        "1:8: found \"B0\", expected the name of a device in quotes, such as \"nanoKONTROL2\"."
      ),
      (
        "1 midi \"Box\"",
        "1:13: found the end of the line, expected bytes of two hex digits each, such as B0 07 40."
      ),
      (
        "1 midi \"Box\" B0 7 40",
        "1:17: found \"7\", expected a byte of two hex digits, such as 7F."
      ),
      (
        "1 midi \"Box\" B0 \"07\" 40",
        "1:17: found \"07\", expected a byte of two hex digits, such as 7F."
      ),
      (
        "1 midi \"Box\" 0xB0",
        "1:14: found \"0xB0\", expected a byte of two hex digits, such as 7F."
      ),
      ("1 /a 0,5", "1:6: found \"0,5\", expected a number with a dot, or quotes around a string."),
    ])
  func mistakes(text: String, rest: String) {
    #expect(refusal(text) == "show.events:" + rest)
  }

  @Test("RT-09: byte order mark and CRLF change nothing")
  func windows() throws {
    #expect(try events("\u{FEFF}# x\r\n1 /a 0.5\r\n") == events("# x\n1 /a 0.5\n"))
  }
}

@Suite("MIDI lines of event files")
struct EventFileMIDITests {
  private func events(_ text: String) throws(TextError) -> EventFile {
    try EventFile(Array(text.utf8), file: "show.events")
  }

  private func values(_ file: EventFile) -> [[UInt16]] {
    file.events.compactMap {
      if case .midi(let line) = $0.action { line.events.map(\.value) } else { nil }
    }
  }

  @Test("Each client's bytes are one stream, with its running status, in the order of time")
  func streams() throws {
    let file = try events(
      """
      3 midi "a" 07 03
      1 midi "a" b0 07 01 07
      2 midi "b" 90 3C 7F 3C
      2 midi "a" 02 F8
      2 midi "b" 00
      """)
    #expect(values(file) == [[1], [127], [2], [0], [3]])
    #expect([file.midiLines, file.midiEvents, file.strayBytes] == [5, 5, 0])
  }

  @Test("Bytes that belong to no whole message are counted, at the end too")
  func strays() throws {
    let file = try events("0 midi \"a\" 01 02 B0 07 B0 07 40\n1 midi \"b\" B0 07\n")
    #expect(values(file) == [[64], []])
    #expect([file.midiEvents, file.strayBytes] == [1, 4])
  }

  @Test("A device may be written without quotes when its name is one word, and has a place")
  func bareName() throws {
    let file = try events("\n  1.5 midi nanoKONTROL2 B0 07 40 # slider\n")
    guard case .midi(let line) = file.events[0].action else {
      Issue.record("a MIDI line")
      return
    }
    #expect(line.client == "nanoKONTROL2")
    #expect(line.origin == "show.events:2:7")
  }

  @Test("Messages that follow each other are handed over together, a device's bytes alone")
  func steps() throws {
    let text = "0 /a\n0 /b\n0 midi x C0 01\n0 midi x 02\n0 /c\n1 /d\n"
    let steps = try events(text).transactions(rateHz: 48_000).map { transaction in
      transaction.steps.map { step in
        switch step {
        case .messages(let batch, let origin): "\(batch.messages.count) at \(origin)"
        case .midi(let line): "midi at \(line.origin)"
        }
      }
    }
    let first = [
      "2 at show.events:1:3", "midi at show.events:3:3", "midi at show.events:4:3",
      "1 at show.events:5:3",
    ]
    #expect(steps == [first, ["1 at show.events:6:3"]])
  }
}
