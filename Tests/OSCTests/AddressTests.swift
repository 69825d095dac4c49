import OSC
import Testing

@Suite struct AddressTests {
  private func contains(_ range: String, _ address: String) throws -> Bool {
    try AddressRange(range).contains(try Peer(address: address, port: 1))
  }

  @Test("A peer is written as people write it")
  func peers() throws {
    #expect(try Peer(address: "127.0.0.1", port: 9000).description == "127.0.0.1:9000")
    #expect(try Peer(address: "0:0::1", port: 9000).description == "[::1]:9000")
    #expect(try Peer(address: "FD00::2:1", port: 1).address == "fd00::2:1")
    #expect(try Peer(address: "fe80::1%lo", port: 1).address == "fe80::1%lo")
    for text in ["", "localhost", "1.2.3", "1.2.3.4.5", "1.2.3.4:9000", "[::1]", "::1%no-such"] {
      #expect(throws: OSCError.self) { _ = try Peer(address: text, port: 1) }
    }
  }

  @Test("Peers are equal when address and port are")
  func equality() throws {
    let peer = try Peer(address: "127.0.0.1", port: 1)
    #expect(peer == (try Peer(address: "127.0.0.1", port: 1)))
    #expect(peer != peer.with(port: 2))
    #expect(peer.with(port: 2).with(port: 1) == peer)
    #expect(peer != (try Peer(address: "127.0.0.2", port: 1)))
    #expect((try Peer(address: "0.0.0.1", port: 1)) != (try Peer(address: "::1", port: 1)))
  }

  @Test("A range holds what shares its first bits")
  func ranges() throws {
    #expect(try contains("192.168.1.0/24", "192.168.1.255"))
    #expect(try !contains("192.168.1.0/24", "192.168.2.0"))
    #expect(try contains("192.168.1.77/24", "192.168.1.3"))
    #expect(try contains("10.0.0.7", "10.0.0.7"))
    #expect(try !contains("10.0.0.7", "10.0.0.6"))
    #expect(try contains("0.0.0.0/0", "255.255.255.255"))
    #expect(try !contains("0.0.0.0/0", "::1"))
    #expect(try contains("128.0.0.0/1", "200.0.0.1"))
    #expect(try !contains("128.0.0.0/1", "127.0.0.1"))
    #expect(try contains("::/0", "ffff::1"))
    #expect(try !contains("::/0", "1.2.3.4"))
    #expect(try contains("fd00::/8", "fdff:1::1"))
    #expect(try !contains("fd00::/8", "fe00::1"))
    #expect(try contains("fd00:0:0:1::/64", "fd00:0:0:1:ffff::"))
    #expect(try !contains("fd00:0:0:1::/64", "fd00:0:0:2::"))
    #expect(try contains("fd00::8000:0:0:0/65", "fd00::ffff:0:0:1"))
    #expect(try !contains("fd00::8000:0:0:0/65", "fd00::7fff:0:0:1"))
    #expect(try contains("::1/128", "::1"))
    #expect(try !contains("::1/128", "::2"))
  }

  @Test(
    "A range that cannot be read is a sentence that names it",
    arguments: [
      "", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "::/129", "10.0.0.0/8/8",
      "stage/24", "10.0.0/8", "10.0.0.0/ 8", "10.0.0.0/99999999999999999999",
    ])
  func brokenRanges(text: String) {
    let error = #expect(throws: OSCError.self) { _ = try AddressRange(text) }
    #expect(error?.description.contains("\"\(text)\"") == true)
  }
}
