import Messages
import Testing
import TextLines

@Suite("Lines and words")
struct LineReaderTests {
  @Test("Words are separated by any number of spaces and tabs")
  func separation() throws {
    let line = try #require(try lines("  /matrix/in/0/gain\t 0.5  lin \t").first)
    #expect(line.words.map(\.text) == ["/matrix/in/0/gain", "0.5", "lin"])
    #expect(line.words.map(\.position.column) == [3, 22, 27])
    #expect(line.end == TextPosition(line: 1, column: 30))
  }

  @Test("A comment begins at the start of a word and nowhere else")
  func comments() throws {
    #expect(try words("a # b").map(\.text) == ["a"])
    #expect(try words("#a").isEmpty)
    #expect(try words("a#b c#").map(\.text) == ["a#b", "c#"])
    #expect(try words(#"name "a # b" #c"#).map(\.text) == ["name", "a # b"])
    #expect(try words("a # \"not closed").map(\.text) == ["a"])
  }

  @Test("Lines are numbered through blank lines and comments")
  func numbering() throws {
    let read = try lines("\n# first\n\n a\n\t\nb")
    #expect(
      read.map { $0.words[0].position } == [
        TextPosition(line: 4, column: 2), TextPosition(line: 6, column: 1),
      ])
  }

  @Test("RT-09: a byte order mark and CRLF change nothing, not even a column")
  func windows() throws {
    let unix = "# faders\n/matrix/in/0/gain 0.5\n\nname \"vox\"\n"
    let plain = try lines(unix)
    for newline in ["\n", "\r\n"] {
      for mark in [[], [0xEF, 0xBB, 0xBF]] as [[UInt8]] {
        let text = unix.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
          .joined(separator: newline.utf8)
        #expect(try LineReader.lines(of: mark + Array(text), file: "show.conf") == plain)
      }
    }
  }

  @Test("RT-09: a mistake in a Windows file is reported on its own line and column")
  func windowsMistake() {
    #expect(
      refusal([0xEF, 0xBB, 0xBF] + Array("a\r\nb\r\nc \"d\r\n".utf8))
        == "show.conf:3:3: found a quote that is not closed, "
        + "expected a second quote before the end of the line.")
  }

  @Test("A text may end without a newline, in a carriage return, or be empty")
  func ends() throws {
    #expect(try lines("").isEmpty)
    #expect(try lines("\u{FEFF}").isEmpty)
    #expect(try lines("a\nb").map(\.words.count) == [1, 1])
    #expect(try words("a\r").map(\.text) == ["a"])
  }

  @Test("A carriage return inside a line is refused, because what follows would be hidden")
  func carriageReturn() {
    #expect(
      refusal("# old Macintosh\ra b\n")
        == "show.conf:1:16: found a carriage return inside the line, "
        + "expected lines that end with LF or CRLF.")
  }

  @Test("A quoted word is a string with two escapes and nothing else")
  func quotes() throws {
    #expect(try words(#""a b" "" "\"\\" "0.5""#).map(\.text) == ["a b", "", #""\"#, "0.5"])
    #expect(try words(#""0.5""#).first?.isQuoted == true)
    #expect(
      refusal(#"name "a\n""#)
        == #"show.conf:1:8: found "\n", "#
        + #"expected \" or \\, the only two that a backslash begins inside quotes."#)
    #expect(refusal(#"name "a\"#)?.hasPrefix("show.conf:1:8:") == true)
    #expect(refusal(#"name "a\""#)?.hasPrefix("show.conf:1:6: found a quote that is not") == true)
  }

  @Test("A quote touches neither the word before it nor the one after")
  func quoteEdges() {
    #expect(refusal(#"name"vox""#)?.hasPrefix("show.conf:1:5: found a quote inside a word") == true)
    #expect(
      refusal(#""vox"1"#)
        == #"show.conf:1:6: found "1" right after a closing quote, expected a space there."#)
    #expect(refusal(#""vox"# + "\"#")?.hasPrefix("show.conf:1:6:") == true)
  }

  @Test("Columns count characters, not bytes")
  func columns() throws {
    #expect(try words("ü😀 b").map(\.position.column) == [1, 4])
  }

  @Test(
    "Bytes that are not UTF-8 are refused at their place, wherever they stand",
    arguments: [
      [0xFF], [0x80], [0xC0, 0x80], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80],
      [0xF5, 0x80, 0x80, 0x80],
      [0xF0, 0x9F, 0x98],
    ] as [[UInt8]])
  func notUTF8(bytes: [UInt8]) {
    for (before, after) in [("a\nb ", ""), ("a\n# ", " c\n"), ("a\n\" ", "\"\n")] {
      #expect(
        refusal(Array(before.utf8) + bytes + Array(after.utf8))
          == "show.conf:2:3: found bytes that are not UTF-8, expected a text that is saved as UTF-8."
      )
    }
  }

  @Test("A UTF-16 file is refused at its first column")
  func utf16() {
    #expect(refusal([0xFF, 0xFE, 0x61, 0x00])?.hasPrefix("show.conf:1:1: found bytes") == true)
  }

  @Test(
    "Control characters are refused, even in quotes and comments",
    arguments: [
      0x00, 0x07, 0x0B, 0x1B, 0x7F, 0x85,
    ] as [UInt8])
  func controls(code: UInt8) {
    let scalar = Unicode.Scalar(code)
    for text in ["a \(scalar)", "\"a\(scalar)\"", "# \(scalar)"] {
      #expect(refusal(text)?.contains("found a control character (U+00") == true)
    }
    #expect(
      refusal("a \u{0}") == "show.conf:1:3: found a control character (U+0000), expected text.")
  }

  @Test("What a web page makes of spaces and quotes is told apart from the real ones")
  func pasted() throws {
    #expect(
      refusal("/matrix/in/0/gain\u{A0}0.8")
        == "show.conf:1:18: found the special space U+00A0, expected an ordinary space.")
    #expect(
      refusal("name “vox”")
        == "show.conf:1:6: found the typographic quote “, expected a straight quote.")
    #expect(try words("name \"“vox”\u{A0}1\"").last?.text == "“vox”\u{A0}1")
  }

  @Test("The reader goes on with the line after a mistake")
  func goesOn() throws {
    var reader = LineReader(Array("\"a\nb \u{7}\nc\n".utf8), file: "f")
    #expect(throws: TextError.self) { try reader.next() }
    #expect(throws: TextError.self) { try reader.next() }
    #expect(try reader.next()?.words.map(\.text) == ["c"])
    #expect(try reader.next() == nil)
    #expect(try reader.next() == nil)
  }
}
