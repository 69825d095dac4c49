import Testing

@Suite("Malformed and huge packets, over the wire")
struct PacketCases {
  let router = Rig.router()
  let base = Wire.message(Rig.a, .f(0.5))

  func malformed(_ client: OSCClient) -> Double {
    guard case .number(let count) = client.status("malformed_datagrams") else { return -1 }
    return count
  }

  @Test(
    "MF-01, MF-02, MF-03, MF-04: junk is counted, changes nothing, and the next good packet works")
  func junk() {
    let client = router.client
    var packets: [[UInt8]] = [
      Array("hello".utf8), [], Array(repeating: 0xff, count: 28),
      Array("GET / HTTP/1.1\r\n\r\n".utf8),
      [0x23, 0x68, 0x65, 0x6c, 0x6c, 0x6f], [0x23, 0x62, 0x75, 0x6e, 0x64, 0x6c, 0x66, 0],
      Array("#bundle".utf8) + Array(repeating: 0, count: 8),
      Wire.padded("#bundle") + Wire.bigEndian(UInt64(1)) + Wire.bigEndian(Int32(28))
        + Wire.message(Rig.a, .f(0.9)) + Wire.bigEndian(Int32(999)),
      Wire.padded(Rig.a) + Wire.padded(",b") + [0xff, 0xff, 0xff, 0xff],
      Wire.padded(Rig.a) + Wire.padded(",b") + [0x7f, 0xff, 0xff, 0xff, 1, 2, 3, 4],
    ]
    // The first 20 bytes are an address alone, which is a query and no fault.
    packets += (1..<28).filter { $0 != 20 }.map { Array(base.prefix($0)) }
    let before = malformed(client)
    for packet in packets { client.send(packet) }
    #expect(client.number(Rig.a) == 0)
    #expect(malformed(client) == before + Double(packets.count))
    client.send(base)
    #expect(client.number(Rig.a) == 0.5)
  }

  @Test("MF-05: any legal datagram is taken whole")
  func large() {
    let client = router.client
    let all = (0..<256).map { index in
      Wire.message("/matrix/in/\(index / 16)/out/\(index % 16)", .f(Float(index) / 255))
    }
    client.send(Wire.bundle(1, all))
    for input in 0..<16 {
      let row = client.ask("/matrix/row/\(input)")?.numbers ?? []
      #expect(row == (0..<16).map { Double(Float(input * 16 + $0) / 255) })
    }
    client.send(Wire.bundle(1, Array(repeating: base, count: 2_000)))
    #expect(client.number(Rig.a) == 0.5)
  }

  @Test("MF-06: three thousand bundles in each other are no danger")
  func deep() {
    let client = router.client
    var packet = base
    for _ in 0..<3_000 { packet = Wire.bundle(1, [packet]) }
    client.send(packet)
    #expect(client.number("/matrix/master/gain") == 1)
  }
}
