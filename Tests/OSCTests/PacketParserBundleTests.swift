import Messages
import OSC
import Testing

@Suite struct PacketParserBundleTests {
  let parser: PacketParser

  init() throws {
    parser = try PacketParser()
  }

  private let soon: UInt64 = 0xE9_0000_00 << 32
  private var later: UInt64 { soon + (1 << 32) }

  private func a(_ value: Float) -> [UInt8] { Bytes.message("/a", ",f", Bytes.float(value)) }

  private func times(_ bytes: [UInt8]) -> [TimeTag] { parser.read(bytes).messages.map(\.time) }

  @Test("BT-02: the tags 0 and 1 and none at all mean at once, and a past one is kept")
  func immediate() {
    #expect(times(a(1)) == [.immediate])
    #expect(times(Bytes.bundle(time: 0, a(1))) == [.immediate])
    #expect(times(Bytes.bundle(time: 1, a(1))) == [.immediate])
    #expect(times(Bytes.bundle(time: 2, a(1))) == [.ntp(2)])
    #expect(times(Bytes.bundle(time: 1 << 32, a(1))) == [.ntp(1 << 32)])
  }

  @Test("BT-03: an inner bundle is due at its own time when that is later")
  func innerLater() {
    #expect(
      times(Bytes.bundle(time: 1, a(1), Bytes.bundle(time: soon, a(2)), a(3)))
        == [.immediate, .ntp(soon), .immediate])
    #expect(
      times(Bytes.bundle(time: soon, a(1), Bytes.bundle(time: later, a(2)), a(3)))
        == [.ntp(soon), .ntp(later), .ntp(soon)])
  }

  @Test("BT-03: an inner bundle is never due before its outer one")
  func innerEarlier() {
    for inner in [0, 1, soon, later - 1] as [UInt64] {
      #expect(times(Bytes.bundle(time: later, Bytes.bundle(time: inner, a(2)))) == [.ntp(later)])
    }
    let deep = Bytes.bundle(time: soon, Bytes.bundle(time: later, Bytes.bundle(time: soon, a(1))))
    #expect(times(deep) == [.ntp(later)])
  }

  @Test("BT-03: a time just behind the turn of the era is later than one just before it")
  func eras() {
    let before: UInt64 = 0xFFFF_FFFF << 32
    let behind: UInt64 = 5 << 32
    #expect(
      times(Bytes.bundle(time: before, Bytes.bundle(time: behind, a(1)))) == [.ntp(behind)])
    #expect(
      times(Bytes.bundle(time: behind, Bytes.bundle(time: before, a(1)))) == [.ntp(behind)])
  }

  @Test("BT-03: a broken bundle leaves no time behind for the next datagram")
  func noLeftovers() {
    let broken = Bytes.bundle(time: later, Bytes.bundle(time: later, Bytes.message("/a", ",q")))
    #expect(parser.read(broken).fault != nil)
    #expect(times(a(1)) == [.immediate])
  }

  @Test("BT-05: messages of one time stay in the order in which they were sent")
  func order() {
    let values = (1...9).map { Float($0) / 10 }
    let reading = parser.read(Bytes.bundle(time: soon, values.map(a)))
    #expect(reading.messages.map(\.arguments) == values.map { [.float($0)] })
  }

  @Test("BT-06: a bundle of one is a message")
  func bundleOfOne() {
    #expect(
      parser.read(Bytes.bundle(a(0.4)))
        == Reading([.init(address: "/a", arguments: [.float(0.4)])]))
    #expect(parser.bundleCount == 1)
  }
}
