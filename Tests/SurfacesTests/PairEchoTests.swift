import Control
import Messages
import OSC
import Surfaces
import Testing

/// Clients and routers that send back whatever they hear of pairs.
@Suite struct PairEchoTests {
  enum Told: String, CaseIterable {
    case bare
    case gain
    case db
    case fader
    case every
  }

  enum Links: CaseIterable {
    case none
    case inputs
    case outputs
    case both

    func desk() throws -> Desk {
      try .paired(
        inputs: self == .inputs || self == .both, outputs: self == .outputs || self == .both)
    }
  }

  @Test(
    "A client that sends back all that it hears leaves the mixer as it is without that client",
    arguments: Told.allCases, Links.allCases)
  func parrot(_ told: Told, _ links: Links) throws {
    var dice = Dice(seed: 5)
    let alone = try links.desk()
    let desk = try links.desk()
    let parrot = desk.subscriber(.string(""), .int32(60))
    for face in ClientFace.allCases where told == .every {
      let last = face == .bare ? "" : "/\(face.rawValue)"
      parrot.send("/subscribe", .string("/matrix/in/*/out/*\(last)"), .int32(60))
      if face != .bare { parrot.send("/subscribe", .string("/matrix/*/*\(last)"), .int32(60)) }
    }
    if told != .every { parrot.send("/client/face", .string(told.rawValue)) }
    desk.pass()
    var echoed = 0
    var round = 0
    while echoed < 10_000, round < 20_000 {
      round += 1
      var other = dice
      alone.doSomething(&other)
      desk.doSomething(&dice)
      let step = Double(dice.roll(12))
      alone.advance(milliseconds: step)
      desk.advance(milliseconds: step)
      echoed += parrot.parrot()
      guard round % 50 == 0 else { continue }
      #expect(desk.hub.revision == alone.hub.revision)
    }
    for _ in 0..<100 {
      alone.advance(milliseconds: 7)
      desk.advance(milliseconds: 7)
      parrot.parrot()
    }
    #expect(echoed >= 10_000)
    #expect(desk.hub.revision == alone.hub.revision)
    #expect(desk.everything(.gain) == alone.everything(.gain))
    #expect(parrot.heard().isEmpty)
  }

  @Test(
    "Two routers that are pointed at each other agree on pairs and fall silent",
    arguments: Links.allCases, 1...3)
  func routers(_ links: Links, seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let left = try links.desk()
    let right = try links.desk()
    let face = ClientFace.allCases[dice.roll(ClientFace.allCases.count)]
    for (desk, other) in [(left, right), (right, left)] {
      var client = FixedClient(
        name: "other", peer: try Peer(address: "127.0.0.1", port: other.port), hz: 60)
      client.face = face
      try desk.setClients([client])
    }
    func rest() {
      for _ in 0..<200 {
        left.advance(milliseconds: 7)
        right.advance(milliseconds: 7)
      }
    }
    // What hands do at one of them is so at the other one.
    for _ in 0..<300 {
      left.doSomething(&dice, linking: false, lists: false)
      left.advance(milliseconds: Double(dice.roll(12)))
      right.advance(milliseconds: Double(dice.roll(12)))
    }
    rest()
    #expect(left.everything(face) == right.everything(face))
    // Hands at both, and at links, may leave them apart where they cross; but nothing goes on.
    for _ in 0..<300 {
      (dice.hits(oneIn: 2) ? left : right).doSomething(&dice)
      left.advance(milliseconds: Double(dice.roll(12)))
      right.advance(milliseconds: Double(dice.roll(12)))
    }
    rest()
    let said = [left, right].map { $0.count("sent_datagrams") }
    let revisions = [left.hub.revision, right.hub.revision]
    rest()
    #expect([left, right].map { $0.count("sent_datagrams") } == said)
    #expect([left.hub.revision, right.hub.revision] == revisions)
  }

  @Test("A level to a pair that two routers tell each other stays where it was put")
  func stays() throws {
    let left = try Desk.paired(inputs: true, outputs: true)
    let right = try Desk.paired(inputs: true, outputs: true)
    for (desk, other) in [(left, right), (right, left)] {
      try desk.setClients([
        FixedClient(name: "other", peer: try Peer(address: "127.0.0.1", port: other.port), hz: 60)
      ])
    }
    left.perform("/matrix/in/0/out/0", .float(0.8))
    left.perform("/matrix/in/0/out/1/pan", .float(0.3))
    right.perform("/matrix/in/1/out/4/db", .float(-7.3), .float(200))
    for _ in 0..<300 {
      left.advance(milliseconds: 7)
      right.advance(milliseconds: 7)
    }
    #expect(left.everything(.db) == right.everything(.db))
    for desk in [left, right] {
      #expect(desk.ask("/matrix/in/0/out/1") == [.float(0.8)])
      #expect(desk.ask("/matrix/in/0/out/0/pan") == [.float(0.3)])
      #expect(desk.ask("/matrix/in/2/out/3/db") == [.float(-7.3)])
    }
  }
}
