import Messages
import Testing
import TextLines

@Suite("Lines that are messages")
struct TextMessageTests {
  private func message(_ text: String, from index: Int = 0) throws(TextError) -> TextMessage {
    guard let line = try lines(text).first else {
      return TextMessage(
        file: "", position: TextPosition(line: 0, column: 0), address: "", arguments: [])
    }
    return try line.message(from: index)
  }

  private func refusal(_ text: String, from index: Int = 0) -> String? {
    do throws(TextError) {
      _ = try message(text, from: index)
      return nil
    } catch {
      return error.description
    }
  }

  @Test("A message is an address and its arguments, and knows where it was written")
  func whole() throws {
    let read = try message("\n  /matrix/in/0/out/1 0.8 250 lin \"7\" -inf")
    #expect(read.address == "/matrix/in/0/out/1")
    #expect(
      read.arguments == [
        .double(0.8), .int32(250), .string("lin"), .string("7"), .double(-.infinity),
      ])
    #expect(read.origin == "show.conf:2:3")
  }

  @Test("Patterns are addresses like any other")
  func patterns() throws {
    #expect(
      try message("/matrix/in/{0,3}/out/[0-7]/gain 0").address == "/matrix/in/{0,3}/out/[0-7]/gain")
  }

  @Test("RT-07: a decimal comma is refused with its line and column")
  func decimalComma() {
    #expect(
      refusal("# levels\n/matrix/in/0/out/1 0,8")
        == "show.conf:2:20: found \"0,8\", expected a number with a dot, or quotes around a string."
    )
    #expect(refusal("/matrix/in/0/name \"0,8\"") == nil)
  }

  @Test("What does not begin with a slash is no address")
  func noAddress() {
    #expect(
      refusal("1.5 midi", from: 1)
        == "show.conf:1:5: found \"midi\", "
        + "expected an address, which begins with / and has no quotes.")
    #expect(
      refusal("\"/matrix/clear\"")?.hasPrefix("show.conf:1:1: found \"/matrix/clear\"") == true)
    #expect(
      refusal("1.5", from: 1)
        == "show.conf:1:4: found the end of the line, "
        + "expected an address such as /matrix/in/0/gain.")
  }
}
