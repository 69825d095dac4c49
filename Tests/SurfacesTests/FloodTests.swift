import Control
import Messages
import Surfaces
import Testing

/// Floods of what is dear: others are heard and told all the same.
@Suite struct FloodTests {
  static let a = "/matrix/in/0/out/1"
  /// What meets nearly everything, but not the crosspoint above.
  private static let most = "/matrix/in/[1-6]*/out/*"

  @Test("A pass ends after so much work, and what waits is taken in the next ones, in order")
  func boundedPass() throws {
    let desk = try Desk(inputs: 64, outputs: 64)
    let x = desk.tablet()
    for round in 1...20 { x.send("/matrix/in/*/out/*", .float(Float(round) / 20)) }
    x.send("/matrix/in/*/out/*", .float(0.7))
    var passes = 0
    var hasMore = true
    while hasMore {
      let before = desk.hub.work
      hasMore = desk.receive()
      #expect(desk.hub.work - before < 16_384 + 5_000)
      desk.endPass()
      passes += 1
    }
    #expect((4...8).contains(passes))
    #expect(desk.ask(Self.a) == [.float(0.7)])
    #expect(desk.count("unheard_datagrams") == 0)
  }

  @Test(
    "Who floods with what hits everything is left unread, and others are heard and told",
    arguments: [
      (1, false, Heard(most, .float(0.5))), (40, false, Heard(most, .float(0.5))),
      (20, true, Heard(most, .float(0.5))), (1, false, Heard(most)),
      (1, true, Heard(most + "/mute", .int32(1))),
      (1, false, Heard("/scene/safe", .string("/matrix"), .int32(0))),
    ] as [(Int, Bool, Heard)])
  func everything(attackers: Int, areClients: Bool, message: Heard) throws {
    let desk = try Desk(inputs: 64, outputs: 64)
    let told = desk.subscriber(.string(Self.a), .int32(60))
    let good = desk.tablet()
    good.send("/hello", .string("good"))
    let crowd = (0..<attackers).map { _ in desk.tablet(machine: 2) }
    if areClients { for client in crowd { client.send("/subscribe") } }
    desk.pass()
    let crosspoint = desk.shape.crosspoint(input: 0, output: 1)
    var late: [Int] = []
    for round in 1...300 {
      // Three times as much as a pass takes, in each.
      for number in 0..<12 {
        crowd[(12 * round + number) % attackers].send(
          address: message.address, arguments: message.arguments)
      }
      let value = Float(round % 97 + 1) / 128
      good.send(Self.a, .float(value))
      desk.step(milliseconds: 5)
      desk.receive()
      desk.endPass()
      if desk.hub.level(of: crosspoint) != Double(value) { late.append(round) }
    }
    // Until it is known that there is too much, all wait for each other; after that nobody does.
    #expect(late.allSatisfy { $0 < 80 }, "late: \(late)")
    desk.wait(milliseconds: 40)
    #expect(told.heard().last { $0.address == Self.a } == Heard(Self.a, .float(10.0 / 128)))
    #expect(try #require(desk.count("unheard_datagrams")) > 1_000)
    #expect(desk.notes.contains { $0.contains("sends more than can be done beside all others") })
    // It is heard again when it has come to rest, and nothing is left unread for nobody's sake.
    desk.advance(milliseconds: 2_000)
    let unheard = desk.count("unheard_datagrams")
    crowd[0].send("/matrix/master/gain", .float(0.5))
    desk.pass()
    #expect(desk.ask("/matrix/master/gain") == [.float(0.5)])
    #expect(desk.count("unheard_datagrams") == unheard)
  }

  @Test("A client that is alone may have all of the time")
  func alone() throws {
    let desk = try Desk(inputs: 64, outputs: 64)
    let x = desk.tablet()
    var sent = 0
    for _ in 1...100 {
      for _ in 0..<24 {
        sent += 1
        x.send("/matrix/in/*/out/*", .float(Float(sent % 2 + 1) / 4))
      }
      desk.step(milliseconds: 5)
      desk.receive()
      desk.endPass()
    }
    x.send(Self.a, .float(0.9))
    desk.pass()
    #expect(desk.ask(Self.a) == [.float(0.9)])
    #expect(desk.count("unheard_datagrams") == 0)
  }
}
