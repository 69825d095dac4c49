import Messages
import OSC
import Testing

@Suite struct PacketParserFaultTests {
  let parser: PacketParser

  init() throws {
    parser = try PacketParser()
  }

  private func expectRefused(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
    let reading = parser.read(bytes)
    #expect(reading.fault != nil, "\(bytes.prefix(40))", sourceLocation: sourceLocation)
    #expect(reading.messages.isEmpty, sourceLocation: sourceLocation)
    let next = parser.arguments(Bytes.base)
    #expect(next == [.float(0.5)], sourceLocation: sourceLocation)
  }

  @Test("MF-01: junk is refused and the next good packet works")
  func junk() {
    expectRefused([])
    expectRefused(Array("hello".utf8))
    expectRefused(Bytes.text("hello"))
    expectRefused(Bytes.message("hello", ",f", Bytes.float(1)))
    expectRefused(Array(repeating: 0xFF, count: 28))
    expectRefused(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    expectRefused(Array(repeating: 0, count: 28))
  }

  @Test("MF-01: a packet that is cut at any length is refused", arguments: 1..<28)
  func cut(length: Int) {
    let bytes = Array(Bytes.base.prefix(length))
    if length == 20 {
      #expect(parser.read(bytes) == Reading([.init(address: "/matrix/in/0/out/1", arguments: [])]))
    } else {
      expectRefused(bytes)
    }
  }

  @Test("MF-01: a packet with anything behind its end is refused", arguments: 1...9)
  func excess(length: Int) {
    expectRefused(Bytes.base + Array(repeating: 0, count: length))
    expectRefused(Bytes.base + Array(repeating: 0x2F, count: length))
  }

  @Test("MF-02: a packet that begins like a bundle and is none is refused")
  func almostBundles() {
    expectRefused(Array("#hello".utf8))
    expectRefused(Bytes.text("#bundlf"))
    expectRefused(Bytes.text("#bundle"))
    let empty = Bytes.bundle()
    #expect(parser.read(empty) == Reading([]))
    for length in 1..<empty.count { expectRefused(Array(empty.prefix(length))) }
    expectRefused(Bytes.text("#bundle1") + Bytes.number(UInt64(1)))
  }

  @Test("MF-03: a bundle with one broken element is refused whole")
  func brokenElements() {
    let good = Bytes.message("/matrix/in/0/out/1", ",f", Bytes.float(0.9))
    let bundle = Bytes.bundle(good)
    expectRefused(bundle + [0, 0, 3, 0xE7])
    expectRefused(bundle + [0, 0, 0, 0])
    expectRefused(bundle + [0xFF, 0xFF, 0xFF, 0xFF])
    expectRefused(bundle + [0x7F, 0xFF, 0xFF, 0xFF])
    for length in 17..<bundle.count { expectRefused(Array(bundle.prefix(length))) }
    expectRefused(Bytes.bundle(good, Bytes.text("/a")))
    expectRefused(Bytes.bundle(good, Bytes.message("a", ",")))
    expectRefused(Bytes.bundle(good, Bytes.message("/a", ",q")))
    expectRefused(Bytes.bundle(Bytes.message("/a", ",f"), good))
  }

  @Test("MF-03: a fault in an inner bundle refuses what stands before and behind it")
  func brokenInnerBundles() {
    let good = Bytes.message("/matrix/in/0/out/1", ",f", Bytes.float(0.9))
    expectRefused(Bytes.bundle(good, Bytes.bundle(good, Bytes.message("/a", ",q")), good))
    expectRefused(Bytes.bundle(good, Bytes.bundle(good) + [0, 0, 0, 0], good))
    expectRefused(Bytes.bundle(good, Bytes.bundle(good) + [0, 0, 0, 9], good))
    expectRefused(Bytes.bundle(good, Array(Bytes.bundle().prefix(12)), good))
    expectRefused(Bytes.bundle(good, Bytes.text("#bundle"), good))
  }

  @Test("MF-03: the word bundle behind the last size is not looked at")
  func staleBytes() {
    var bytes = Bytes.bundle([[]]) + Bytes.text("#bundle")
    let count = bytes.count - 8
    let fault = bytes.withUnsafeMutableBufferPointer {
      parser.parse(UnsafeMutableBufferPointer(rebasing: $0[..<count]))
    }
    #expect(fault != nil)
  }

  @Test("MF-04: blobs whose size is a lie are refused, and honest ones are not")
  func blobs() {
    let address = "/matrix/in/0/out/1"
    expectRefused(Bytes.message(address, ",b", [0xFF, 0xFF, 0xFF, 0xFF]))
    expectRefused(Bytes.message(address, ",b", [0x7F, 0xFF, 0xFF, 0xFF]))
    expectRefused(Bytes.message(address, ",b", [0, 0, 0, 5, 1, 2, 3, 4]))
    expectRefused(Bytes.message(address, ",b", [0, 0, 0, 3, 1, 2, 3, 4]))
    expectRefused(Bytes.message(address, ",b"))
    #expect(
      parser.arguments(Bytes.message(address, ",b", [0, 0, 0, 3, 1, 2, 3, 0]))
        == [.other(UInt8(ascii: "b"))])
    #expect(
      parser.arguments(Bytes.message(address, ",b", [0, 0, 0, 0])) == [.other(UInt8(ascii: "b"))])
  }

  @Test("MF-05: a bundle of every crosspoint arrives whole")
  func largeBundles() {
    let elements = (0..<256).map {
      Bytes.message("/matrix/in/\($0 / 16)/out/\($0 % 16)", ",f", Bytes.float(Float($0) / 255))
    }
    let reading = parser.read(Bytes.bundle(elements))
    #expect(reading.fault == nil)
    #expect(reading.messages.count == 256)
    for (index, message) in reading.messages.enumerated() {
      #expect(message.address == "/matrix/in/\(index / 16)/out/\(index % 16)")
      #expect(message.arguments == [.float(Float(index) / 255)])
    }
    let many = parser.read(Bytes.bundle(Array(repeating: Bytes.base, count: 2040)))
    #expect(many.fault == nil)
    #expect(many.messages.count == 2040)
  }

  @Test("MF-05: a message of 60,000 bytes arrives whole")
  func largeMessages() {
    let tags = "," + String(repeating: "f", count: 12_000)
    let data = (0..<12_000).flatMap { Bytes.float(Float($0)) }
    #expect(
      parser.arguments(Bytes.message("/matrix/all", tags, data))
        == (0..<12_000).map { .float(Float($0)) })
    let flags = "," + String(repeating: "T", count: 60_000)
    #expect(parser.arguments(Bytes.message("/matrix/all", flags))?.count == 60_000)
    let text = String(repeating: "x", count: 60_000)
    #expect(parser.arguments(Bytes.message("/a", ",s", Bytes.text(text))) == [.string(text)])
  }

  @Test("MF-06: a message inside 3,000 bundles arrives")
  func deepNesting() {
    // From the inside out, and reversed, because prepending 3,000 times is slow.
    var heads: [UInt8] = []
    var size = UInt32(Bytes.base.count)
    var levels: [UInt32] = []
    for _ in 0..<3000 {
      levels.append(size)
      size += 20
    }
    for level in levels.reversed() {
      heads += Bytes.text("#bundle") + Bytes.number(UInt64(1)) + Bytes.number(level)
    }
    let reading = parser.read(heads + Bytes.base)
    #expect(
      reading
        == Reading([.init(address: "/matrix/in/0/out/1", arguments: [.float(0.5)])]))
    #expect(parser.bundleCount == 3000)
    expectRefused(heads + Array(Bytes.base.dropLast()))
    expectRefused(heads)
  }
}
