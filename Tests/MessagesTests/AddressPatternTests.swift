import Messages
import Testing

@Suite struct AddressPatternTests {
  private func matches(_ pattern: String, _ text: String) -> Bool {
    Array(pattern.utf8).withUnsafeBufferPointer { pattern in
      Array(text.utf8).withUnsafeBufferPointer { text in
        AddressPattern.matches(pattern: pattern, text: text)
      }
    }
  }

  private func hits(_ pattern: String, below count: Int = 16) -> [Int] {
    let hits = (0..<count).filter { matches(pattern, String($0)) }
    let numbers = Array(pattern.utf8).withUnsafeBufferPointer { pattern in
      (0..<count).filter { AddressPattern.matches(pattern: pattern, number: $0) }
    }
    #expect(hits == numbers)
    return hits
  }

  private func isPattern(_ text: String) -> Bool {
    Array(text.utf8).withUnsafeBufferPointer { AddressPattern.isPattern($0) }
  }

  @Test("PM-01: a name matches itself whole and no longer or shorter one")
  func wholeParts() {
    #expect(hits("1") == [1])
    #expect(hits("*") == Array(0..<16))
    #expect(hits("1*") == [1] + Array(10..<16))
    #expect(hits("*1") == [1, 11])
    #expect(!matches("out", "outs"))
    #expect(!matches("outs", "out"))
    #expect(matches("", ""))
    #expect(!matches("", "a"))
    #expect(!matches("a", ""))
  }

  @Test("PM-02: alternatives in braces do not depend on their order")
  func alternatives() {
    #expect(hits("{15,1}") == [1, 15])
    #expect(hits("{1,15}") == [1, 15])
    #expect(hits("{1,1,15,15}") == [1, 15])
    #expect(hits("1{,5}") == [1, 15])
    #expect(hits("{1,}{2,3}") == [2, 3, 12, 13])
    #expect(matches("{a,ab}{c,bc}", "abc"))
    #expect(matches("{in,out}put", "output"))
    #expect(matches("x{}y", "xy"))
    #expect(!matches("{in,out}", "in,out"))
  }

  @Test("PM-03: a question mark is one character, and sets know ranges and negation")
  func setsAndSingleCharacters() {
    #expect(hits("?") == Array(0..<10))
    #expect(hits("??") == Array(10..<16))
    #expect(hits("[0-3]") == [0, 1, 2, 3])
    #expect(hits("[!0-3]") == [4, 5, 6, 7, 8, 9])
    #expect(hits("1?") == [10, 11, 12, 13, 14, 15])
    #expect(hits("[13]") == [1, 3])
    #expect(hits("[0-24-5]") == [0, 1, 2, 4, 5])
    #expect(hits("1[!02-9]") == [11])
    #expect(!matches("?", ""))
    #expect(!matches("[!a]", ""))
  }

  @Test("PM-03: a minus at an end of a set, and a mark that is not its first, mean themselves")
  func literalsInSets() {
    #expect(matches("[-a]", "-"))
    #expect(matches("[a-]", "-"))
    #expect(matches("[!-]", "a"))
    #expect(!matches("[!-]", "-"))
    #expect(matches("[a!]", "!"))
    #expect(matches("[?*]", "?"))
    #expect(!matches("[?*]", "a"))
    #expect(!matches("[z-a]", "m"))
    #expect(matches("[--0]", "."))
  }

  @Test("PM-03: a comma or a minus outside of brackets means itself")
  func literalsOutside() {
    #expect(matches("a,b", "a,b"))
    #expect(matches("a-b", "a-b"))
    #expect(!matches("0-3", "2"))
    #expect(!matches("0,3", "0"))
  }

  @Test("PM-05: stars find their place wherever it is")
  func stars() {
    #expect(matches("*a*b*", "xxaxxbxx"))
    #expect(!matches("*a*b*", "xxbxxaxx"))
    #expect(matches("*ab", "aab"))
    #expect(matches("*{a,ab}*c", "xxabxc"))
    #expect(matches("**", ""))
    #expect(matches("*[0-9]?", "out12"))
    #expect(!matches("*", String(repeating: "a", count: AddressPattern.longestText + 1)))
    #expect(matches("*", String(repeating: "a", count: AddressPattern.longestText)))
    #expect(matches("*b", String(repeating: "a", count: AddressPattern.longestText - 1) + "b"))
  }

  @Test(
    "PM-06: brackets that are not balanced match nothing",
    arguments: [
      "{0", "[0-", "{0,1,", "[", "{", "]", "}", "[]", "[!]", "[!", "[0", "0]", "0}", "{0]", "[0}",
      "{{0}}", "{0,{1}}", "[[0]]", "*[", "*{", "[0-]]", "[0-[]", "[!-[]",
    ])
  func unbalanced(pattern: String) {
    #expect(hits(pattern).isEmpty)
    for text in ["", pattern, "0", "a"] { #expect(!matches(pattern, text)) }
    #expect(isPattern(pattern))
  }

  @Test("PM-06: the worst patterns take no longer than their length times the text's")
  func hostilePatterns() {
    let text = String(repeating: "a", count: AddressPattern.longestText)
    #expect(hits(String(repeating: "*", count: 2000)) == Array(0..<16))
    #expect(!matches(String(repeating: "*a", count: 30_000) + "b", text))
    #expect(!matches(String(repeating: "{a,aa,}", count: 9000) + "b", text))
    #expect(!matches(String(repeating: "*?", count: 30_000), text))
    #expect(!matches(String(repeating: "[a-z]*", count: 100) + "b", text))
    #expect(matches(String(repeating: "{a,aa,}*", count: 8000), text))
    #expect(!matches(String(repeating: "{", count: 60_000), text))
  }

  @Test("PM-07: numbers match as they are written, and only so")
  func numbers() {
    #expect(hits("15") == [15])
    for text in ["16", "99", "-1", "00", "4294967296", "\u{661}", "0x1", " 1"] {
      #expect(hits(text).isEmpty)
    }
    let everything = Array("*".utf8)
    everything.withUnsafeBufferPointer {
      #expect(AddressPattern.matches(pattern: $0, number: Int.max))
    }
  }

  @Test("A part is a pattern when it has a character that patterns are made of")
  func patternsAreRecognised() {
    for text in ["?", "a*", "[0-1]", "{a,b}", "/matrix/in/*/out/1"] { #expect(isPattern(text)) }
    for text in ["", "0", "a,b", "a-b", "!", "#", "/matrix/in/0/out/1"] {
      #expect(!isPattern(text))
    }
  }

  @Test("Spans match as pointers do")
  func spans() {
    let pattern = Array("[a-c]*".utf8)
    let text = Array("bus".utf8)
    let forwards = AddressPattern.matches(pattern: pattern.span, text: text.span)
    let backwards = AddressPattern.matches(pattern: text.span, text: pattern.span)
    #expect(forwards)
    #expect(!backwards)
  }
}
