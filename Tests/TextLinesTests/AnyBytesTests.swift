import Testing
import TextLines

@Suite("Any bytes at all")
struct AnyBytesTests {
  /// A small generator with a known start, so that a failure can be repeated.
  private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  @Test("Bytes are read or refused with a place inside the text, and words keep their places")
  func anyBytes() {
    var dice = Dice(state: 1)
    let pieces: [[UInt8]] =
      [
        " ", "\t", "\n", "\r\n", "\"", "\\", "#", "/a", "0.5", "-inf", ",", "é", "\u{A0}",
        "\u{FEFF}",
      ]
      .map { Array($0.utf8) } + [[0xC3], [0xFF], [0x00], [0x85]]
    for _ in 0..<20_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...24, using: &dice) {
        bytes += pieces.randomElement(using: &dice) ?? []
      }
      let lineCount = bytes.count(where: { $0 == 0x0A }) + 1
      do throws(TextError) {
        for line in try LineReader.lines(of: bytes, file: "f") {
          #expect(!line.words.isEmpty)
          let columns = line.words.map(\.position.column)
          #expect(columns == columns.sorted() && (columns.last ?? 0) < line.end.column)
          for word in line.words { #expect(word.isQuoted || !word.text.isEmpty) }
        }
      } catch {
        #expect((1...lineCount).contains(error.position.line))
        #expect((1...bytes.count + 1).contains(error.position.column))
      }
    }
  }
}
