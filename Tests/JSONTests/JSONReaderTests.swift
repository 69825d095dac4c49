import JSON
import Testing
import TextLines

/// Reads a text, or gives the sentence that it is refused with.
func read(_ text: String) -> Result<JSONValue, TextError> { read(Array(text.utf8)) }

func read(_ bytes: [UInt8]) -> Result<JSONValue, TextError> {
  do throws(TextError) {
    return .success(try JSONReader.read(bytes, file: "f"))
  } catch {
    return .failure(error)
  }
}

@Suite("Reading JSON")
struct JSONReaderTests {
  @Test("Every kind of value is read, with blanks and a byte order mark around it")
  func kinds() {
    let text =
      "\u{FEFF} {\"a\" : [1, -2.5e1, 0, true, false, null, \"x\"],\r\n\t\"b\":{},\"c\":[]} \n"
    #expect(
      read(text)
        == .success(
          .object([
            JSONValue.Member(
              "a",
              .array([
                .number(1), .number(-25), .number(0), .bool(true), .bool(false), .null,
                .string("x"),
              ])),
            JSONValue.Member("b", .object([])), JSONValue.Member("c", .array([])),
          ])))
  }

  @Test("Texts keep every character, however it is written")
  func texts() {
    #expect(
      read(#""\"\\\/\b\f\n\r\t\u0041\u00e9\ud83c\udfb9 é🎹""#)
        == .success(.string("\"\\/\u{8}\u{c}\n\r\tAé🎹 é🎹")))
  }

  @Test(
    "What is no JSON is refused with its place, what was found and what was expected",
    arguments: [
      ("", "f:1:1: found the end of the text, expected a value of JSON."),
      ("  \n ", "f:2:2: found the end of the text, expected a value of JSON."),
      ("\0\0\0", "f:1:1: found a control character (U+0000), expected a value of JSON."),
      ("{\"a\": NaN}", "f:1:7: found \"N\", expected a value of JSON."),
      ("[nan]", "f:1:2: found \"n\", expected a value of JSON."),
      ("[1e999]", "f:1:2: found \"1e999\", expected a number of at most 1.8e308."),
      ("[-Infinity]", "f:1:3: found \"I\", expected a digit."),
      ("[1,\n 0,8", "f:2:5: found the end of the text, expected a comma or ]."),
      ("[01]", "f:1:3: found \"1\", expected a comma or ]."),
      ("[1.]", "f:1:4: found \"]\", expected a digit."),
      ("[.5]", "f:1:2: found \".\", expected a value of JSON."),
      ("[+1]", "f:1:2: found \"+\", expected a value of JSON."),
      ("[1,]", "f:1:4: found \"]\", expected a value of JSON."),
      ("[1] 2", "f:1:5: found \"2\", expected the end of the text."),
      ("{a: 1}", "f:1:2: found \"a\", expected a name in quotes."),
      ("{\"a\" 1}", "f:1:6: found \"1\", expected a colon behind the name."),
      ("{\"ä\":1,\"ä\":2}", "f:1:8: found \"ä\", expected each name only once."),
      ("{\"a\":1", "f:1:7: found the end of the text, expected a comma or }."),
      ("\"abc", "f:1:1: found a quote that is not closed, expected a second quote."),
      (
        "\"\\ud83c\"",
        "f:1:2: found half of a character, expected both halves, as in \\ud83c\\udfb9."
      ),
      (
        "\"\\ud83c\\ubfd9\"",
        "f:1:2: found half of a character, expected both halves, as in \\ud83c\\udfb9."
      ),
      (
        "\"\\udfb9\\ud83c\"",
        "f:1:2: found half of a character, expected both halves, as in \\ud83c\\udfb9."
      ),
      ("\"\\u12g4\"", "f:1:6: found \"g\", expected four hex digits."),
      ("tru", "f:1:1: found \"t\", expected a value of JSON."),
    ])
  func refusals(text: String, sentence: String) {
    guard case .failure(let error) = read(text) else {
      Issue.record("\(text) was read")
      return
    }
    #expect(error.description == sentence)
  }

  @Test("Bytes that are not UTF-8 are refused, in quotes and outside")
  func bytesOfOtherKinds() {
    for bytes: [UInt8] in [[0x22, 0xE9, 0x22], [0xFF], [0x22, 0xED, 0xA0, 0x80, 0x22]] {
      guard case .failure(let error) = read(bytes) else {
        Issue.record("\(bytes) was read")
        continue
      }
      #expect(error.found == "bytes that are not UTF-8")
    }
  }

  @Test("Nesting has a limit, and what is deeper is refused, not followed")
  func depth() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect((try? read(nested(JSONReader.maximumDepth)).get()) != nil)
    for depth in [JSONReader.maximumDepth + 1, 1_000_000] {
      guard case .failure(let error) = read(nested(depth)) else {
        Issue.record("\(depth) levels were read")
        continue
      }
      #expect(error.position.column == JSONReader.maximumDepth + 1)
    }
  }

  @Test("Any part of a text is refused, but the whole")
  func parts() {
    let whole = Array(#"{"a": [1.5, "é\n", {"b": null}], "c": -1e-7}"#.utf8)
    #expect((try? read(whole).get()) != nil)
    for count in 0..<whole.count {
      #expect((try? read(Array(whole[..<count])).get()) == nil, "\(count) bytes")
    }
  }
}
