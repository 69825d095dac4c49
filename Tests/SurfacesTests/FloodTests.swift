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
    #expect((4...9).contains(passes))
    #expect(desk.ask(Self.a) == [.float(0.7)])
    #expect(desk.count("unread_datagrams") == 0)
  }

  @Test(
    "Who floods with what hits everything waits, and others are heard and told",
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
    // At first all of a crowd are as new as the good one; after that nobody waits for them.
    #expect(late.allSatisfy { $0 <= 20 }, "late: \(late)")
    desk.wait(milliseconds: 40)
    #expect(told.heard().last { $0.address == Self.a } == Heard(Self.a, .float(10.0 / 128)))
    // Nothing is lost, and what has waited is done in the end.
    crowd[0].send("/matrix/master/gain", .float(0.5))
    desk.pass()
    #expect(desk.ask("/matrix/master/gain") == [.float(0.5)])
    #expect(desk.count("unread_datagrams") == 0)
    #expect(desk.notes.allSatisfy { !$0.contains("left unread") })
  }

  @Test("When there is no room for more the oldest of a flood are left unread, counted and told of")
  func overflow() throws {
    let desk = try Desk(inputs: 32, outputs: 32)
    let x = desk.tablet()
    let good = desk.tablet()
    good.send("/hello", .string("good"))
    desk.pass()
    good.send("/matrix/out/0/gain", .float(0.25))
    for _ in 1...12 {
      for _ in 0..<1_000 { x.send("/matrix/in/*/out/*", .float(0.5)) }
      desk.receive()
      desk.endPass()
    }
    #expect(desk.hub.level(of: desk.shape.output(0)) == 0.25)
    x.send("/matrix/in/*/out/*", .float(0.75))
    desk.pass()
    #expect(desk.ask(Self.a) == [.float(0.75)])
    #expect((1_000...11_000).contains(try #require(desk.count("unread_datagrams"))))
    #expect(desk.notes.count { $0.contains("the oldest of it is left unread") } == 1)
  }

  @Test("Who becomes known by a name while its messages wait does not overtake itself")
  func order() throws {
    let desk = try Desk(inputs: 64, outputs: 64)
    let x = desk.tablet()
    for _ in 0..<20 { x.send(Self.most, .float(0.5)) }
    x.send("/hello", .string("x"))
    for _ in 0..<20 { x.send(Self.most, .float(0.25)) }
    x.send(Self.a, .float(0.1))
    while !x.heard().contains(where: { $0.address == "/welcome" }) {
      desk.receive()
      desk.endPass()
    }
    #expect(desk.surface.hasWaiting)
    x.send(Self.a, .float(0.2))
    desk.pass()
    #expect(desk.ask(Self.a) == [.float(0.2)])
  }

  @Test("What one client alone sends for as long as others have is all read")
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
    #expect(desk.count("unread_datagrams") == 0)
  }
}
