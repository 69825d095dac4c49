import OSC
import Surfaces
import Testing

/// Whose a datagram is, where machines and ports differ.
@Suite struct ClientTableTests {
  private let table = ClientTable()

  private func peer(_ address: String, _ port: UInt16) throws -> Peer {
    try Peer(address: address, port: port)
  }

  private func add(
    _ number: Int, _ name: String = "", at endpoint: Peer, hearing listener: Peer? = nil
  ) -> Client {
    let client = Client(
      number: number, host: endpoint.host, socket: 0, thingCount: 1,
      nowNanoseconds: 0)
    client.name = name
    client.endpoint = endpoint
    client.listener = listener
    table.add(client)
    return client
  }

  @Test("The only client of another machine is meant by every port there")
  func onlyClient() throws {
    let tablet = add(1, at: try peer("192.168.1.20", 50_000))
    #expect(table.client(speakingFrom: try peer("192.168.1.20", 50_001)) === tablet)
    #expect(table.client(speakingFrom: try peer("192.168.1.21", 50_000)) == nil)
    let other = add(2, at: try peer("192.168.1.20", 50_001))
    #expect(table.client(speakingFrom: try peer("192.168.1.20", 50_000)) === tablet)
    #expect(table.client(speakingFrom: try peer("192.168.1.20", 50_001)) === other)
    #expect(table.client(speakingFrom: try peer("192.168.1.20", 50_002)) == nil)
  }

  @Test("On this machine many programs speak from one address, so only ports count")
  func loopback() throws {
    let patch = add(1, at: try peer("127.0.0.1", 50_000), hearing: try peer("127.0.0.1", 9_001))
    #expect(table.client(speakingFrom: try peer("127.0.0.1", 50_000)) === patch)
    #expect(table.client(speakingFrom: try peer("127.0.0.1", 9_001)) === patch)
    #expect(table.client(speakingFrom: try peer("127.0.0.1", 50_001)) == nil)
    _ = add(2, at: try peer("::1", 50_000))
    #expect(table.client(speakingFrom: try peer("::1", 50_001)) == nil)
  }

  @Test("A name is known on its own machine, so two tablets of one name stay two")
  func names() throws {
    let first = add(1, "pad", at: try peer("192.168.1.20", 50_000))
    let again = table.client(
      introducing: "pad", from: try peer("192.168.1.20", 60_000), listener: nil)
    #expect(again === first)
    #expect(
      table.client(introducing: "pad", from: try peer("192.168.1.21", 60_000), listener: nil)
        == nil)
    // It may call itself otherwise, and may speak for somebody else who hears elsewhere.
    let renamed = table.client(
      introducing: "desk", from: try peer("192.168.1.20", 50_000), listener: nil)
    #expect(renamed === first)
    let other = table.client(
      introducing: "desk", from: try peer("192.168.1.20", 50_000),
      listener: try peer("192.168.1.20", 9_001))
    #expect(other == nil)
  }

  @Test("Who has not said a name yet may say it later")
  func laterName() throws {
    let nameless = add(1, at: try peer("127.0.0.1", 50_000))
    let named = table.client(
      introducing: "pad", from: try peer("127.0.0.1", 50_000), listener: nil)
    #expect(named === nameless)
  }

  @Test("A second place to hear at is a second client, unless the first has none of its own")
  func listeners() throws {
    let speaks = try peer("127.0.0.1", 50_000)
    let one = try peer("127.0.0.1", 9_001)
    let two = try peer("127.0.0.1", 9_002)
    let client = add(1, at: speaks)
    #expect(table.client(introducing: "", from: speaks, listener: one) === client)
    client.listener = one
    #expect(table.client(introducing: "", from: speaks, listener: one) === client)
    #expect(table.client(introducing: "", from: speaks, listener: two) == nil)
    #expect(table.client(introducing: "", from: speaks, listener: nil) === client)
  }
}
