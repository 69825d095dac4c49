import Messages
import Testing
import TextLines

@Suite("What a word means")
struct WordTests {
  @Test(
    "RT-07: numbers have a dot, never a comma",
    arguments: [
      ("0.8", 0.8), ("12.5", 12.5), ("-90", -90), ("+6", 6), ("5.", 5), (".5", 0.5), ("-.5", -0.5),
      ("1e3", 1000), ("1E-3", 0.001), ("1.5e+2", 150), ("007", 7), ("0", 0), ("-0.0", 0),
      ("1e-400", 0),
    ])
  func numbers(text: String, value: Double) throws {
    #expect(try words(text).first?.number == value)
    #expect(try words("\"\(text)\"").first?.number == nil)
    #expect(try words("\"\(text)\"").first?.argument == .string(text))
  }

  @Test(
    "RT-07: whatever is not wholly a finite number or -inf is a string",
    arguments: [
      "0,8", "1.000,5", "1,000", "inf", "+inf", "-Inf", "-infinity", "nan", "NaN", "0x10", "0b1",
      "1_000",
      "1e", "1e+", "e5", ".", "-", "+", "--1", "+-1", "1.2.3", "1.5f", "1d", "12dB", "1e5e5", "½",
      "٣",
      "1e999", "-1e999", "−6",
    ])
  func strings(text: String) throws {
    #expect(try words(text).first?.number == nil)
    #expect(try words(text).first?.argument == .string(text))
  }

  @Test("Off is -inf")
  func off() throws {
    #expect(try words("-inf").first?.argument == .double(-.infinity))
    #expect(try words("\"-inf\"").first?.argument == .string("-inf"))
  }

  @Test("A whole number stays whole, as small as it fits")
  func wholeNumbers() {
    func argument(_ text: String) -> Argument? { TextNumber(text)?.argument }
    #expect(argument("1") == .int32(1))
    #expect(argument("-2147483648") == .int32(.min))
    #expect(argument("2147483648") == .int64(2_147_483_648))
    #expect(argument("-9223372036854775808") == .int64(.min))
    #expect(argument("9223372036854775808") == .double(9_223_372_036_854_775_808))
    #expect(argument("1.0") == .double(1))
    #expect(argument("1e0") == .double(1))
  }

  @Test("A number of a million digits is read or refused like any other")
  func longNumbers() {
    let digits = String(repeating: "7", count: 1_000_000)
    #expect(TextNumber(digits) == nil)
    #expect(TextNumber("0." + digits)?.value == 0.7777777777777778)
  }

  @Test("RT-07: a decimal comma is recognised for the error it deserves")
  func decimalComma() throws {
    for text in ["0,8", "-1,5", "10,", ",5", "1,2,3", "a,b", "1.0,5", "0.8", "/a,", "\"0,8\""] {
      let word = try #require(try words(text).first)
      #expect(word.looksLikeDecimalComma == ["0,8", "-1,5", ",5"].contains(text))
    }
  }

  @Test("A byte is two hex digits, no more and no less")
  func bytes() throws {
    #expect(try words("90 7f FF 00 0A").map(\.hexByte) == [0x90, 0x7F, 0xFF, 0, 10])
    for text in ["9", "100", "0x", "+9", "-1", "G0", "é", "\"90\""] {
      #expect(try words(text).first?.hexByte == nil)
    }
  }

  @Test("An error shows a long word cut and without control characters")
  func shown() {
    #expect(
      Word.shown(String(repeating: "x", count: 50)) == "\"\(String(repeating: "x", count: 40))…\"")
    #expect(Word.shown("a\u{1B}[2J") == "\"a\u{FFFD}[2J\"")
  }
}
