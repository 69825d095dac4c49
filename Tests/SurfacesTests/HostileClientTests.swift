import Control
import Messages
import OSC
import Surfaces
import Testing

/// Clients that are broken or mean harm: what they cost is bounded, and others feel nothing.
@Suite struct HostileClientTests {
  static let a = "/matrix/in/0/out/1"

  @Test("A client that never reads costs the others nothing")
  func deaf() throws {
    let desk = try Desk()
    let deaf = (0..<20).map { _ in Tablet(to: desk.port, receiveBuffer: 2_048) }
    for client in deaf { client.send("/subscribe", .string(""), .int32(60), .int32(0)) }
    let good = desk.subscriber()
    for round in 1...200 {
      for input in 0..<16 {
        desk.perform("/matrix/row/\(input)", .float(Float(round) / 200), .float(0.5))
      }
      desk.advance(milliseconds: 10)
    }
    desk.wait(milliseconds: 40)
    let heard = good.heard()
    for input in 0..<16 {
      #expect(
        heard.last { $0.address == "/matrix/in/\(input)/out/0" }?.arguments == [.float(1)])
    }
    #expect(desk.count("feedback_failures") == 0)
  }

  @Test("A turn is bounded, and so is a pass, however much there is to tell")
  func bounded() throws {
    let desk = try Desk(inputs: 64, outputs: 64)
    let clients = (0..<24).map { _ in desk.subscriber(.string(""), .int32(60)) }
    for input in 0..<64 { desk.perform("/matrix/in/\(input)/out/*", .float(0.5)) }
    desk.pass()
    #expect(try #require(desk.count("feedback_datagrams")) == 16 * 32)
    // Whose first turn is still to come is due at a time like any other.
    #expect(try #require(desk.surface.nextDeadline) >= 0)
    desk.pass()
    #expect(try #require(desk.count("feedback_datagrams")) == 24 * 32)
    desk.pass()
    #expect(try #require(desk.count("feedback_datagrams")) == 24 * 32)
    var told: [Set<String>] = .init(repeating: [], count: clients.count)
    for _ in 0..<100 {
      desk.advance(milliseconds: 4)
      for (number, client) in clients.enumerated() {
        told[number].formUnion(client.heard().map(\.address))
      }
    }
    #expect(told.allSatisfy { $0.count == 4_096 })
  }

  @Test("Of a thousand subscriptions 32 are kept, and the others are refused with a sentence")
  func thousandSubscriptions() throws {
    let desk = try Desk()
    let greedy = desk.tablet()
    for number in 0..<1_000 {
      greedy.send("/subscribe", .string("/matrix/in/{\(number % 16),\(number)}/out/*"))
      if number % 10 == 0 { desk.advance(milliseconds: 100) }
    }
    desk.advance(milliseconds: 1_000)
    let errors = greedy.heard().filter { $0.address == "/error" }
    #expect(errors.count > 10)
    #expect(errors.allSatisfy { $0.arguments[1] == .string("size") })
    guard case .string(let text)? = errors.last?.arguments[2] else {
      Issue.record("an error has a sentence")
      return
    }
    #expect(text.contains("32 patterns"))
    #expect(desk.ask("/client/list")[5] == .int32(32))
    desk.perform(Self.a, .float(0.5))
    desk.pass()
    #expect(greedy.heard() == [Heard(Self.a, .float(0.5))])
  }

  @Test("A thousand names, subscriptions and hearing ports of one sender are 32 clients at most")
  func thousandNames() throws {
    let desk = try Desk()
    let good = desk.subscriber()
    let greedy = desk.tablet()
    for number in 0..<1_000 {
      greedy.send("/hello", .string("n\(number)"))
      greedy.send("/subscribe", .string("/matrix/in/*/out/*"))
    }
    desk.advance(milliseconds: 100)
    // All of them would be told at one place, so each takes the place of the one before.
    #expect(desk.count("clients") == 2)
    for number in 0..<1_000 {
      greedy.send("/hello", .string("n\(number)"), .int32(Int32(30_000 + number)))
    }
    desk.advance(milliseconds: 100)
    #expect(try #require(desk.count("clients")) <= 33)
    _ = greedy.heard()
    desk.perform(Self.a, .float(0.5))
    desk.wait(milliseconds: 40)
    #expect(good.heard() == [Heard(Self.a, .float(0.5))])
  }

  @Test("Nobody takes the port of a client that speaks from it, or what it is told")
  func thief() throws {
    let desk = try Desk()
    let good = desk.subscriber()
    let thief = desk.tablet()
    thief.send("/hello", .string("thief"), .int32(Int32(good.port)))
    thief.send(
      "/subscribe", .string("/matrix/in/3/gain"), .int32(1), .int32(0), .int32(Int32(good.port)))
    thief.send("/bye")
    desk.pass()
    let heard = thief.heard()
    #expect(heard.map(\.address) == ["/error", "/error"])
    #expect(heard.allSatisfy { $0.arguments[1] == .string("value") })
    #expect(desk.count("clients") == 1)
    desk.perform(Self.a, .float(0.5))
    desk.wait(milliseconds: 40)
    #expect(good.heard() == [Heard(Self.a, .float(0.5))])
    // It is its own who speaks from it, under whatever name.
    good.send("/hello", .string("good"))
    good.send("/subscribe")
    desk.pass()
    _ = good.heard()
    desk.perform(Self.a, .float(0.25))
    desk.wait(milliseconds: 40)
    #expect(good.heard() == [Heard(Self.a, .float(0.25))])
  }

  @Test("Who leaves and comes again for the sake of more patterns must wait all the same")
  func newcomer() throws {
    let desk = try Desk()
    let restless = desk.tablet()
    for _ in 0..<300 {
      restless.send("/subscribe", .string("/*/*/*/*/*"))
      restless.send("/bye")
    }
    desk.pass()
    #expect(desk.hubCount("refused_size") == 300 - 64)
    #expect(desk.count("clients") == 0)
    desk.advance(milliseconds: 1_000)
    _ = restless.heard()
    restless.send("/subscribe", .string("/matrix/in/*/out/*"))
    desk.pass()
    desk.perform(Self.a, .float(0.5))
    desk.wait(milliseconds: 40)
    #expect(restless.heard() == [Heard(Self.a, .float(0.5))])
  }

  @Test("Of a flood of syncs five are told, the others are refused, and nobody else waits")
  func syncFlood() throws {
    let desk = try Desk(inputs: 64, outputs: 64)
    let good = desk.subscriber()
    let greedy = desk.tablet()
    for _ in 0..<300 { greedy.send("/sync") }
    desk.pass()
    #expect(desk.hubCount("refused_size") == 295)
    let errors = greedy.heard().filter { $0.address == "/error" }
    #expect(errors.count == 10)
    #expect(
      errors.first?.arguments.last == .string("4 syncs wait already; ask again when one has ended"))
    for round in 1...50 {
      desk.perform(Self.a, .float(Float(round) / 50))
      desk.advance(milliseconds: 40)
      #expect(good.heard() == [Heard(Self.a, .float(Float(round) / 50))])
    }
  }

  @Test("Who asks for patterns without end must wait, and others need not")
  func patternFlood() throws {
    let desk = try Desk()
    let flooding = desk.tablet()
    for _ in 0..<500 { flooding.send("/subscribe", .string("/matrix/*/*/*/*/*")) }
    desk.pass()
    #expect(desk.hubCount("refused_size") == 500 - 64)
    let good = desk.subscriber(.string("/matrix/in/*/out/*"))
    desk.perform(Self.a, .float(0.5))
    desk.pass()
    #expect(good.heard() == [Heard(Self.a, .float(0.5))])
    desk.advance(milliseconds: 1_000)
    _ = flooding.heard()
    flooding.send("/subscribe", .string("/matrix/in/*/gain"))
    desk.pass()
    #expect(flooding.heard().isEmpty)
  }

  @Test("Patterns that meet everything are told each value once on each face")
  func everything() throws {
    let desk = try Desk()
    let x = desk.tablet()
    for _ in 0..<2 {
      for pattern in ["", "/*/*/*", "/*/*/*/*", "/*/*/*/*/*", "/*/*/*/*/*/*", "/m*/i*/*/o*/*"] {
        x.send("/subscribe", .string(pattern))
      }
    }
    desk.pass()
    desk.perform(Self.a, .float(0.5))
    desk.perform("/matrix/in/2/gain", .float(0.5))
    desk.perform("/matrix/master/mute", .int32(1))
    desk.wait(milliseconds: 40)
    let heard = x.heard().filter { $0.address != "/error" }
    #expect(
      heard == [
        Heard(Self.a, .float(0.5)), Heard("/matrix/in/2/gain", .float(0.5)),
        Heard("/matrix/master/mute", .int32(1)),
      ])
  }

  @Test("One machine has 32 clients; who hears nothing makes room, who subscribes is kept")
  func crowd() throws {
    let desk = try Desk()
    let crowd = (0..<40).map { _ in desk.tablet() }
    for client in crowd { client.send("/subscribe") }
    desk.pass()
    let refused = crowd.filter { $0.heard().contains { $0.address == "/error" } }
    #expect(refused.count == 8)
    #expect(desk.count("clients") == 32)
    #expect(desk.count("refused_clients") == 8)
    crowd[0].send("/bye")
    crowd[39].send("/subscribe")
    desk.pass()
    desk.perform(Self.a, .float(0.5))
    desk.wait(milliseconds: 40)
    #expect(crowd[39].heard() == [Heard(Self.a, .float(0.5))])
    #expect(crowd[0].heard().isEmpty)
    // Who says hello and no more makes room for who wants to be told.
    crowd[1].send("/unsubscribe")
    desk.advance(milliseconds: 100)
    crowd[0].send("/subscribe")
    desk.pass()
    desk.perform(Self.a, .float(0.25))
    desk.wait(milliseconds: 40)
    #expect(crowd[0].heard() == [Heard(Self.a, .float(0.25))])
    #expect(desk.count("clients") == 32)
  }

  @Test("64 clients of all machines are told, and one more when somebody leaves or is long silent")
  func crowds() throws {
    let desk = try Desk()
    let crowd = (0..<64).map { desk.tablet(machine: 1 + UInt32($0) / 32) }
    for client in crowd { client.send("/subscribe", .string(""), .int32(30), .int32(0)) }
    let late = desk.tablet(machine: 3)
    late.send("/subscribe")
    desk.pass()
    #expect(desk.count("clients") == 64)
    let error = late.heard()
    #expect(error.map(\.address) == ["/error"])
    #expect(
      error.first?.arguments.last
        == .string("64 clients are told of changes already; let one say /bye"))
    #expect(crowd.allSatisfy { $0.heard().isEmpty })
    desk.advance(milliseconds: 3_601_000)
    for client in crowd.dropFirst() { client.send("/ping") }
    desk.pass()
    late.send("/subscribe")
    desk.pass()
    for client in crowd { _ = client.heard() }
    desk.perform(Self.a, .float(0.5))
    desk.wait(milliseconds: 40)
    #expect(late.heard() == [Heard(Self.a, .float(0.5))])
    #expect(crowd.dropFirst().allSatisfy { $0.heard() == [Heard(Self.a, .float(0.5))] })
    #expect(crowd[0].heard().isEmpty)
  }

  @Test("A configuration names 32 clients at most, which take nobody else's place")
  func configured() throws {
    let desk = try Desk()
    func apps(_ count: Int) throws -> [FixedClient] {
      try (0..<count).map {
        FixedClient(
          name: "app \($0)", peer: try Peer(address: "127.0.0.1", port: UInt16(40_000 + $0)))
      }
    }
    #expect(throws: Refusal.self) { try desk.setClients(apps(33)) }
    #expect(desk.count("clients") == 0)
    try desk.setClients(apps(32))
    let crowd = (0..<32).map { _ in desk.subscriber() }
    #expect(desk.count("clients") == 64)
    desk.perform(Self.a, .float(0.5))
    desk.wait(milliseconds: 40)
    #expect(crowd.allSatisfy { $0.heard() == [Heard(Self.a, .float(0.5))] })
  }

  @Test("Whoever speaks from ever new ports takes the memory of nobody who is told")
  func ports() throws {
    let desk = try Desk()
    let good = desk.subscriber()
    good.send("/matrix/in/3/touch", .int32(1))
    desk.pass()
    for number in 0..<1_200 {
      desk.advance(milliseconds: 1)
      let stranger = desk.tablet(machine: 2)
      stranger.send("/matrix/in/2/gain", .float(Float(number % 10) / 10))
      if number % 100 == 0 { good.send("/ping") }
      desk.pass()
    }
    desk.wait(milliseconds: 40)
    _ = good.heard()
    good.send(Self.a, .float(0.5))
    desk.perform("/matrix/in/3/gain", .float(0.25))
    desk.wait(milliseconds: 40)
    #expect(good.heard().isEmpty)
    #expect(desk.ask(Self.a) == [.float(0.5)])
    #expect(desk.count("lost_replies") == 0)
  }

  @Test("A client's hands beyond 256 end fades and no more, and others keep theirs")
  func hands() throws {
    let desk = try Desk(inputs: 32, outputs: 32)
    let greedy = desk.subscriber(.string("/matrix/in/*/out/*"))
    let good = desk.subscriber(.string("/matrix/in/*/out/*"))
    greedy.send("/matrix/in/*/out/*/touch", .int32(1))
    good.send("/matrix/in/31/out/31/touch", .int32(1))
    desk.pass()
    #expect(desk.ask("/matrix/in/7/out/31/touch") == [.int32(1)])
    #expect(desk.ask("/matrix/in/8/out/0/touch") == [.int32(0)])
    #expect(desk.ask("/matrix/in/31/out/31/touch") == [.int32(1)])
    desk.perform("/matrix/in/31/out/31", .float(0.5))
    desk.perform("/matrix/in/0/out/0", .float(0.5))
    desk.wait(milliseconds: 40)
    #expect(greedy.heard() == [Heard("/matrix/in/31/out/31", .float(0.5))])
    #expect(good.heard() == [Heard("/matrix/in/0/out/0", .float(0.5))])
    good.send("/matrix/in/31/out/31/touch", .int32(0))
    desk.wait(milliseconds: 40)
    #expect(good.heard() == [Heard("/matrix/in/31/out/31", .float(0.5))])
  }

  @Test("Junk of 65 kB and a flood of nonsense are counted, and clients are told as always")
  func junk() throws {
    let desk = try Desk()
    let good = desk.subscriber()
    let bad = desk.tablet()
    for round in 0..<50 {
      bad.send([UInt8](repeating: 0x23, count: 65_000))
      bad.send(Array("/hello\0\0,zzz".utf8))
      for _ in 0..<50 { bad.send("/subscribe", .int32(7), .int32(8)) }
      desk.perform(Self.a, .float(Float(round + 1) / 50))
      desk.advance(milliseconds: 40)
      #expect(good.heard() == [Heard(Self.a, .float(Float(round + 1) / 50))])
    }
    #expect(desk.count("malformed_datagrams") == 100)
    #expect(bad.heard().count <= 10 + 2 * 10)
    #expect(desk.count("clients") == 1)
  }

  @Test("TR-08: where nobody listens nothing is lost for others, and who comes later is told")
  func deadPort() throws {
    let desk = try Desk()
    let speaks = desk.tablet()
    let live = desk.subscriber(.string(""), .int32(60))
    let port: UInt16 = 20_913
    let placeholder = desk.tablet(port: port)
    speaks.send("/hello", .string("later"), .int32(Int32(port)))
    speaks.send("/subscribe")
    desk.pass()
    _ = placeholder.heard()
    placeholder.hangUp()
    for round in 1...100 {
      desk.perform(Self.a, .float(Float(round) / 200))
      desk.advance(milliseconds: 20)
      #expect(live.heard() == [Heard(Self.a, .float(Float(round) / 200))])
    }
    let late = desk.tablet(port: port)
    desk.perform(Self.a, .float(0.75))
    desk.wait(milliseconds: 40)
    #expect(late.heard() == [Heard(Self.a, .float(0.75))])
    #expect(live.heard() == [Heard(Self.a, .float(0.75))])
    #expect(desk.count("send_failures") == 0)
    #expect(desk.count("feedback_failures") == 0)
  }
}
