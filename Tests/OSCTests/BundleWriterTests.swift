import Messages
import OSC
import Testing

/// Many small messages on their way to one peer.
@Suite struct BundleWriterTests {
  private func makeServer(listen: [String] = []) throws -> OSCServer {
    var options = OSCServerOptions()
    options.port = 0
    options.listenAddresses = listen
    return try OSCServer(options)
  }

  private func append(
    _ address: StaticString, _ value: Float, to writer: BundleWriter
  ) -> BundleWriter.Outcome {
    writer.append(tag: UInt8(ascii: "f"), bits: value.bitPattern) { place in
      for offset in 0..<address.utf8CodeUnitCount { place[offset] = address.utf8Start[offset] }
      return address.utf8CodeUnitCount
    }
  }

  private func delivered(_ writer: BundleWriter) throws -> [[UInt8]] {
    let server = try makeServer()
    let client = try Client()
    let peer = try Peer(address: "127.0.0.1", port: client.port)
    let delivery = server.send(writer, to: peer, from: 0)
    #expect(delivery == OSCServer.Delivery(handled: writer.bundleCount))
    #expect(server.counters.sent == UInt64(writer.bundleCount))
    return try (0..<writer.bundleCount).map { _ in try #require(client.receive()).bytes }
  }

  @Test("A message alone is a message, and several are a bundle that means at once")
  func bytes() throws {
    let writer = BundleWriter(capacity: 4)
    #expect(append("/matrix/in/0/out/1", 0.5, to: writer) == .added)
    #expect(try delivered(writer) == [Bytes.base])
    #expect(append("/a", 1, to: writer) == .added)
    let other = Bytes.message("/a", ",f", [0x3F, 0x80, 0, 0])
    #expect(try delivered(writer) == [Bytes.bundle([Bytes.base, other])])
    writer.removeAll()
    #expect(writer.bundleCount == 0)
    #expect(append("/abc", 1, to: writer) == .added)
    #expect(try delivered(writer) == [Bytes.message("/abc", ",f", [0x3F, 0x80, 0, 0])])
  }

  @Test("Addresses of every length are padded as OSC asks for")
  func padding() throws {
    for length in 1...40 {
      let writer = BundleWriter(capacity: 1)
      let outcome = writer.append(tag: UInt8(ascii: "i"), bits: 7) { place in
        for offset in 0..<length { place[offset] = offset == 0 ? 0x2F : 0x61 }
        return length
      }
      #expect(outcome == .added)
      let address = "/" + String(repeating: "a", count: length - 1)
      #expect(try delivered(writer) == [Bytes.message(address, ",i", [0, 0, 0, 7])])
    }
  }

  @Test("A bundle has 1,200 bytes at most, and when there is no room nothing is lost")
  func room() throws {
    let writer = BundleWriter(capacity: 3)
    var added = 0
    while append("/matrix/in/0/out/1", 0.5, to: writer) == .added { added += 1 }
    #expect(writer.bundleCount == 3)
    let bundles = try delivered(writer)
    #expect(bundles.allSatisfy { (1_000...1_200).contains($0.count) })
    let each = (bundles[0].count - 16) / 32
    #expect(added == 3 * each)
    for bundle in bundles {
      #expect(bundle == Bytes.bundle(Array(repeating: Bytes.base, count: each)))
    }
  }

  @Test("Texts go along, in their own datagram where that is asked for")
  func texts() throws {
    let writer = BundleWriter(capacity: 3)
    #expect(append("/matrix/in/0/out/1", 0.5, to: writer) == .added)
    writer.endBundle()
    #expect(writer.append(address: "/name", arguments: [.string("vox"), .int32(1)]) == .added)
    let text = Bytes.message("/name", ",si", Array("vox\0".utf8) + [0, 0, 0, 1])
    #expect(try delivered(writer) == [Bytes.base, text])
    let long = Argument.string(String(repeating: "a", count: 1_200))
    #expect(writer.append(address: "/name", arguments: [long]) == .tooLarge)
  }

  @Test("A server knows where it listens itself, and what it can reach")
  func places() throws {
    let loopback = try makeServer()
    let port = loopback.boundAddresses[0].port
    #expect(loopback.listens(at: try Peer(address: "127.0.0.1", port: port)))
    #expect(loopback.listens(at: try Peer(address: "0.0.0.0", port: port)))
    #expect(!loopback.listens(at: try Peer(address: "127.0.0.1", port: port ^ 1)))
    #expect(!loopback.listens(at: try Peer(address: "127.0.0.2", port: port)))
    #expect(loopback.socket(reaching: try Peer(address: "127.0.0.9", port: 9)) == 0)
    #expect(loopback.socket(reaching: try Peer(address: "192.0.2.1", port: 9)) == nil)
    let open = try makeServer(listen: ["0.0.0.0"])
    let openPort = open.boundAddresses[0].port
    #expect(open.listens(at: try Peer(address: "127.0.0.2", port: openPort)))
    #expect(!open.listens(at: try Peer(address: "192.0.2.1", port: openPort)))
    #expect(open.socket(reaching: try Peer(address: "192.0.2.1", port: 9)) == 0)
  }

  @Test("What the network will not take is counted and does not hold up the rest")
  func unreachable() throws {
    let writer = BundleWriter(capacity: 2)
    #expect(append("/a", 1, to: writer) == .added)
    writer.endBundle()
    #expect(append("/b", 1, to: writer) == .added)
    let server = try makeServer()
    // A socket of this machine alone may not send elsewhere.
    let delivery = server.send(writer, to: try Peer(address: "192.0.2.1", port: 9), from: 0)
    #expect(delivery == OSCServer.Delivery(handled: 2, failed: 2))
    #expect(server.counters.sendFailures == 2)
  }
}
