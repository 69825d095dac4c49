import Messages
import Testing
import TextLines

@Suite("Messages as text")
struct MessageTextTests {
  private func reread(_ arguments: [Argument]) throws -> [Argument] {
    let text = TextMessage.text(address: "/a", arguments: arguments)
    let lines = try LineReader.lines(of: Array(text.utf8), file: "f")
    #expect(lines.count == 1)
    return try lines[0].message().arguments
  }

  @Test("Every number comes back to the last bit")
  func numbers() throws {
    let numbers: [Double] = [
      0, -0.0, 1, 0.1, 1 / 3, -120, 1e-30, 1e22, .leastNormalMagnitude, .greatestFiniteMagnitude,
      -.infinity, Double(Float(0.8)),
    ]
    let again = try reread(numbers.map { .double($0) })
    #expect(again.compactMap(\.number?.bitPattern) == numbers.map(\.bitPattern))
    #expect(try reread([.float(0.8)]) == [.double(Double(Float(0.8)))])
    #expect(try reread([.int32(.min), .int64(.max)]) == [.int32(.min), .int64(.max)])
    #expect(try reread([.bool(true), .bool(false)]) == [.int32(1), .int32(0)])
  }

  @Test("Every string comes back, those that look like numbers or comments too")
  func strings() throws {
    let strings: [Argument] = ["", "7", "-inf", "#a", "a b", "\"", "\\", "ä🎹"].map { .string($0) }
    #expect(try reread(strings) == strings)
  }
}
