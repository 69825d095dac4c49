import Messages
import OSC
import Testing

@Suite struct PacketParserTypeTests {
  let parser: PacketParser

  init() throws {
    parser = try PacketParser()
  }

  private let address = "/matrix/in/0/out/1"

  private func arguments(_ tags: String, _ data: [UInt8] = []) -> [Argument]? {
    parser.arguments(Bytes.message(address, tags, data))
  }

  @Test("OT-01: a whole number arrives as the number it is")
  func wholeNumbers() {
    #expect(arguments(",i", [0, 0, 0, 1]) == [.int32(1)])
    #expect(arguments(",i", [0, 0, 0, 0]) == [.int32(0)])
    #expect(arguments(",i", [0x80, 0, 0, 0]) == [.int32(.min)])
    #expect(arguments(",h", [0x7F] + Array(repeating: 0xFF, count: 7)) == [.int64(.max)])
  }

  @Test("OT-02: zero is zero in every type, with the sign it had")
  func zeros() throws {
    #expect(arguments(",h", Bytes.number(UInt64(0))) == [.int64(0)])
    #expect(arguments(",d", Bytes.number(UInt64(0))) == [.double(0)])
    let minusZero = try #require(arguments(",f", [0x80, 0, 0, 0])?.first)
    guard case .float(let value) = minusZero else {
      Issue.record("not a float: \(minusZero)")
      return
    }
    #expect(value.bitPattern == 0x8000_0000)
  }

  @Test("OT-03: a double arrives as a double, wherever it lies")
  func doubles() {
    #expect(arguments(",d", [0x3F, 0xE0, 0, 0, 0, 0, 0, 0]) == [.double(0.5)])
    #expect(
      arguments(
        ",fdfd",
        Bytes.float(1) + Bytes.number((0.1).bitPattern) + Bytes.float(2)
          + Bytes.number((0.2).bitPattern)) == [.float(1), .double(0.1), .float(2), .double(0.2)])
  }

  @Test("OT-04: tags without data shift nothing")
  func tagsWithoutData() {
    #expect(arguments(",T") == [.bool(true)])
    #expect(arguments(",F") == [.bool(false)])
    #expect(arguments(",N") == [.null])
    #expect(arguments(",I") == [.impulse])
    #expect(
      arguments(",fTiFNf", Bytes.float(0.25) + Bytes.number(Int32(7)) + Bytes.float(0.75))
        == [.float(0.25), .bool(true), .int32(7), .bool(false), .null, .float(0.75)])
  }

  @Test("OT-05: data without type tags is malformed, and the address is known")
  func missingTags() throws {
    let bytes = Bytes.text(address) + [0x3F, 0, 0, 0]
    var padded = bytes + Array(repeating: 0, count: 8)
    let fault = padded.withUnsafeMutableBufferPointer {
      parser.parse(UnsafeMutableBufferPointer(rebasing: $0[..<bytes.count]))
    }
    #expect(fault?.path == address)
    #expect(fault?.reason == "it has no type tags")
    #expect(parser.batch.isEmpty)
    #expect(parser.arguments(Bytes.base) == [.float(0.5)])
  }

  @Test(
    "OT-05: a datagram that is only an address is a message without arguments",
    arguments: ["/a", "/ab", "/abc", "/abcd", "/matrix/in/0/out/1", "/", "/matrix/in/*/out/1"])
  func bareAddress(address: String) {
    #expect(
      parser.read(Bytes.text(address))
        == Reading([Reading.Message(address: address, arguments: [])]))
  }

  @Test("OT-05: an address alone is held to its form")
  func brokenBareAddress() {
    #expect(parser.read(Bytes.text("matrix")).fault != nil)
    #expect(parser.read(Bytes.text("/abc") + [0, 0, 0, 0]).fault != nil)
    #expect(parser.read(Array("/abc".utf8)).fault != nil)
    #expect(parser.read(Array("/ab\0/cd\0".utf8)).fault != nil)
    #expect(parser.read(Array("/ab\0\0".utf8)).fault != nil)
    #expect(parser.read([0, 0, 0, 0]).fault != nil)
  }

  @Test("OT-06: every argument of a message with three arrives")
  func threeArguments() {
    let data = Bytes.float(0.25) + Bytes.float(0.5) + Bytes.float(0.75)
    for count in 0...9 {
      let tags = "," + String(repeating: "f", count: count)
      let values = (0..<count).map { Float($0) / 8 }
      #expect(
        parser.arguments(Bytes.message("/matrix/row/0", tags, values.flatMap(Bytes.float)))
          == values.map { .float($0) })
    }
    #expect(
      parser.arguments(Bytes.message("/matrix/row/0", ",fff", data))
        == [.float(0.25), .float(0.5), .float(0.75)])
  }

  @Test("OT-07: a message with an empty type string is a query, and arguments come uncounted")
  func argumentCounts() {
    #expect(arguments(",") == [])
    #expect(arguments(",ff", Bytes.float(0.1) + Bytes.float(0.2)) == [.float(0.1), .float(0.2)])
    #expect(
      arguments(",if", Bytes.number(Int32(3)) + Bytes.float(0.2)) == [.int32(3), .float(0.2)])
  }

  @Test(
    "OT-08: a text arrives as the text it is",
    arguments: ["0.5", "0,5", "nan", "1e400", "", "abc", "abcd", "vox \u{FC}ber"])
  func texts(text: String) {
    #expect(arguments(",s", Bytes.text(text)) == [.string(text)])
  }

  @Test("OT-08: bytes that are no UTF-8 become a text that is")
  func brokenTexts() {
    #expect(arguments(",s", [0xFF, 0xC3, 0, 0]) == [.string("\u{FFFD}\u{FFFD}")])
  }

  @Test("OT-09: nothing is converted on the way")
  func noConversion() {
    let one = Bytes.number(Int32(1))
    #expect(
      arguments(",iif", Bytes.number(Int32(0)) + one + Bytes.float(0.5))
        == [.int32(0), .int32(1), .float(0.5)])
    #expect(
      arguments(",iii", Bytes.number(Int32(0)) + one + one) == [.int32(0), .int32(1), .int32(1)])
    #expect(
      arguments(",fff", Bytes.float(0) + Bytes.float(1) + Bytes.float(0.5))
        == [.float(0), .float(1), .float(0.5)])
  }

  @Test(
    "OT-10: one unknown tag refuses the whole message",
    arguments: [",fq", ",q", ",f[f]", ",r", ",f,", ",f\u{1}"])
  func unknownTags(tags: String) {
    let reading = parser.read(
      Bytes.message(address, tags, Bytes.float(0.9) + [0, 0, 0, 0]))
    #expect(reading.fault != nil)
    #expect(reading.messages.isEmpty)
    #expect(parser.arguments(Bytes.base) == [.float(0.5)])
  }

  @Test("OT-10: types that no parameter takes arrive as their tags")
  func otherTypes() {
    let eight = Array(repeating: UInt8(1), count: 8)
    #expect(arguments(",t", eight) == [.other(UInt8(ascii: "t"))])
    #expect(arguments(",m", [0, 0x90, 60, 127]) == [.other(UInt8(ascii: "m"))])
    #expect(arguments(",c", [0, 0, 0, 65]) == [.other(UInt8(ascii: "c"))])
    #expect(arguments(",S", Bytes.text("mute")) == [.other(UInt8(ascii: "S"))])
    #expect(
      arguments(",bf", [0, 0, 0, 3, 1, 2, 3, 0] + Bytes.float(0.5))
        == [.other(UInt8(ascii: "b")), .float(0.5)])
  }

  @Test("GD-07: not-a-number and infinity arrive as what they are, for the table to refuse")
  func notNumbers() {
    guard case .float(let value)? = arguments(",f", [0x7F, 0xC0, 0, 0])?.first else {
      Issue.record("not one float")
      return
    }
    #expect(value.isNaN)
    #expect(arguments(",f", [0xFF, 0x80, 0, 0]) == [.float(-.infinity)])
  }
}
