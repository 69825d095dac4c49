import JSON
import Testing

@Suite("Writing JSON")
struct JSONWriterTests {
  private func text(_ value: JSONValue) -> String {
    String(decoding: JSONWriter.bytes(of: value), as: UTF8.self)
  }

  @Test("What holds single values stands on one line, all else on lines of its own")
  func layout() {
    let value = JSONValue.object([
      JSONValue.Member("version", .number(1)),
      JSONValue.Member(
        "rows",
        .array([.array([.number(0), .number(0.8)]), .array([.number(-120.5), .null])])),
      JSONValue.Member("one", .object([JSONValue.Member("mute", .bool(true))])),
      JSONValue.Member("none", .array([])),
    ])
    #expect(
      text(value) == """
        {
          "version": 1,
          "rows": [
            [0, 0.8],
            [-120.5, null]
          ],
          "one": {"mute": true},
          "none": []
        }

        """)
  }

  @Test("Every number comes back to the last bit, and whole ones are written as such")
  func numbers() {
    #expect(text(.number(3)) == "3\n")
    #expect(text(.number(0.8)) == "0.8\n")
    #expect(text(.number(-0.0)) == "-0.0\n")
    var numbers: [Double] = [
      0, -0.0, 1, 0.1, 1 / 3, .pi,
      .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 1e15,
      9_007_199_254_740_991, 9_007_199_254_740_992, 1e16, 1e22, 1e-7, 3.162_277_660_168_379_5,
    ]
    var bits: UInt64 = 0x1234_5678_9ABC_DEF1
    for _ in 0..<20_000 {
      // Marsaglia's xorshift.
      bits ^= bits << 13
      bits ^= bits >> 7
      bits ^= bits << 17
      let number = Double(bitPattern: bits)
      if number.isFinite { numbers.append(number) }
    }
    let read = try? JSONReader.read(
      JSONWriter.bytes(of: .array(numbers.map { .number($0) })), file: "f")
    #expect(read?.array?.compactMap(\.number?.bitPattern) == numbers.map(\.bitPattern))
  }

  @Test("Every text comes back, and the file has no control characters but line feeds")
  func texts() {
    let all = String(String.UnicodeScalarView((0..<0x250).compactMap(Unicode.Scalar.init)))
    for string in ["", "\"\\/", "lead vox", "🎹\u{10FFFF}", all] {
      let bytes = JSONWriter.bytes(of: .string(string))
      #expect(bytes.dropLast().allSatisfy { $0 >= 0x20 && $0 != 0x7F })
      #expect((try? JSONReader.read(bytes, file: "f")) == .string(string))
    }
  }
}
