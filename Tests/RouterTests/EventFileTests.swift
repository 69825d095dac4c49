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

  @Test("Lines are sorted by time, and those of one time keep their order")
  func sorting() throws {
    let file = try events("2 /a 1\n1 /b 2\n2.0 /c 3\n0 /d\n1 /e 5\n")
    #expect(file.events.map(\.message.address) == ["/d", "/b", "/e", "/a", "/c"])
    #expect(file.events.map(\.message.position.line) == [4, 2, 5, 1, 3])
  }

  @Test("Many lines of one time keep their order")
  func stability() throws {
    let text = (0..<1000).map { "\($0 % 3) /\($0)\n" }.joined()
    let lines = try events(text).events.map(\.message.position.line)
    #expect(lines == lines.sorted { (($0 - 1) % 3, $0) < (($1 - 1) % 3, $1) })
  }

  @Test("Lines of one time are one transaction on the nearest frame")
  func transactions() throws {
    let file = try events("0.1 /a 1\n0.1 /b 2\n0.25 /c 0.5 100 lin\n")
    let transactions = file.transactions(rateHz: 48_000)
    #expect(transactions.map(\.frame) == [4800, 12_000])
    let batch = transactions[0].batch
    #expect(batch.messages.map { batch.addressText(of: $0) } == ["/a", "/b"])
    #expect(batch.arguments == [.int32(1), .int32(2)])
    #expect(batch.messages.allSatisfy { $0.time == .immediate })
    #expect(transactions[1].messages[0].origin == "show.events:3:6")
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
    #expect(transactions.map { $0.messages[0].address } == ["/a", "/b"])
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
        "1 midi \"Box\" B0 07 40",
        "1:3: found \"midi\", expected an address, which begins with / and has no quotes."
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
