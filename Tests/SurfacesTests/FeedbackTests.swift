import Control
import MatrixCore
import Messages
import OSC
import Surfaces
import Testing

/// What is told while hands, fades and other routers are at work.
@Suite struct FeedbackTests {
  static let a = "/matrix/in/0/out/1"

  @Test("While a hand is on a fader it is told nothing, and one value when the hand lets go")
  func touch() throws {
    let desk = try Desk()
    let x = desk.subscriber()
    let y = desk.subscriber()
    x.send("/matrix/in/3/touch", .int32(1))
    desk.pass()
    for step in 1...20 {
      desk.perform("/matrix/in/3/gain", .float(Float(step) / 20))
      desk.perform("/matrix/in/4/gain", .float(Float(step) / 20))
      desk.advance(milliseconds: 20)
    }
    desk.wait(milliseconds: 40)
    let heard = x.heard()
    #expect(!heard.contains { $0.address == "/matrix/in/3/gain" })
    #expect(heard.last { $0.address == "/matrix/in/4/gain" }?.number == 1)
    #expect(y.heard().last { $0.address == "/matrix/in/3/gain" }?.number == 1)
    x.send("/matrix/in/3/gain", .float(0.5))
    x.send("/matrix/in/3/touch", .int32(0))
    desk.wait(milliseconds: 100)
    #expect(x.heard() == [Heard("/matrix/in/3/gain", .float(0.5))])
    #expect(y.heard() == [Heard("/matrix/in/3/gain", .float(0.5))])
  }

  @Test("A fade is told on its way at the client's rate, and ends exactly where it goes")
  func fade() throws {
    let desk = try Desk()
    let x = desk.subscriber(.string(""), .int32(20))
    let sender = desk.subscriber()
    sender.send(Self.a, .float(1), .float(1_000), .string("lin"))
    desk.wait(milliseconds: 500)
    let first = x.heard().compactMap(\.number)
    #expect((10...11).contains(first.count))
    #expect(zip(first, first.dropFirst()).allSatisfy { $0 < $1 })
    #expect(abs((first.last ?? 0) - 0.5) < 0.06)
    desk.wait(milliseconds: 700)
    let rest = x.heard().compactMap(\.number)
    #expect(rest.last == 1)
    #expect(rest.count(where: { $0 == 1 }) == 1)
    desk.wait(milliseconds: 500)
    #expect(x.heard().isEmpty)
    #expect(sender.heard().isEmpty)
  }

  @Test("A fade that is stopped tells everybody where, its sender too")
  func stoppedFade() throws {
    let desk = try Desk()
    let x = desk.subscriber()
    x.send(Self.a, .float(1), .float(1_000), .string("lin"))
    desk.wait(milliseconds: 400)
    #expect(x.heard().isEmpty)
    desk.perform(Self.a + "/stop")
    desk.wait(milliseconds: 100)
    let heard = x.heard()
    #expect(heard.last?.arguments == desk.ask(Self.a))
    #expect(abs((heard.last?.number ?? 0) - 0.4) < 0.05)
  }

  @Test("A client that sends back ten thousand values as it hears them changes nothing")
  func echoes() throws {
    let desk = try Desk()
    let parrot = desk.subscriber(.string(""), .int32(60))
    let other = desk.subscriber(.string(""), .int32(60))
    var echoed = 0
    var last: [Float] = .init(repeating: 0, count: 16)
    var sent = 0
    while echoed < 10_000 {
      for input in 0..<16 {
        sent += 1
        last[input] = Float(sent % 997 + 1) / 1_000
        other.send("/matrix/in/\(input)/gain", .float(last[input]))
      }
      desk.advance(milliseconds: 7)
      for heard in parrot.heard() {
        parrot.send(address: heard.address, arguments: heard.arguments)
        echoed += 1
      }
    }
    desk.wait(milliseconds: 100)
    for heard in parrot.heard() {
      parrot.send(address: heard.address, arguments: heard.arguments)
    }
    desk.wait(milliseconds: 100)
    #expect(desk.hub.revision == UInt64(sent))
    #expect(other.heard().isEmpty)
    for input in 0..<16 {
      #expect(desk.ask("/matrix/in/\(input)/gain") == [.float(last[input])])
    }
  }

  @Test("A client that sends back what it hears of a fade does not stop it")
  func echoedFade() throws {
    let desk = try Desk()
    let parrot = desk.subscriber(.string(""), .int32(60))
    desk.perform(Self.a, .float(1), .float(1_000))
    for _ in 0..<150 {
      desk.advance(milliseconds: 7)
      for heard in parrot.heard() {
        parrot.send(address: heard.address, arguments: heard.arguments)
      }
    }
    desk.wait(milliseconds: 100)
    #expect(desk.ask(Self.a) == [.float(1)])
    #expect(desk.hub.revision == 1)
    // What it says of its own accord still ends a fade.
    desk.perform(Self.a, .float(0), .float(1_000), .string("lin"))
    desk.wait(milliseconds: 300)
    parrot.send(Self.a, .float(0.25))
    desk.wait(milliseconds: 100)
    #expect(desk.ask(Self.a) == [.float(0.25)])
  }

  @Test("RT-10: of two surfaces on one gain the later one wins, and the other is told once")
  func lastWriter() throws {
    let desk = try Desk()
    let x = desk.subscriber()
    var told = 0
    for round in 0..<1_000 {
      let isDeviceLast = round % 2 == 0
      if isDeviceLast { x.send(Self.a, .float(0.2)) } else { desk.perform(Self.a, .float(0.75)) }
      if isDeviceLast {
        desk.surface.receive(now: desk.arrival)
        desk.perform(Self.a, .float(0.75))
      } else {
        x.send(Self.a, .float(0.2))
      }
      desk.wait(milliseconds: 40)
      let heard = x.heard()
      #expect(desk.ask(Self.a) == [.float(isDeviceLast ? 0.75 : 0.2)])
      if isDeviceLast {
        #expect(heard == [Heard(Self.a, .float(0.75))])
        told += heard.count
      } else {
        #expect(heard.isEmpty)
      }
    }
    #expect(told == 500)
  }

  @Test("Two clients and a box of faders each see the other two and never themselves")
  func threeHands() throws {
    let desk = try Desk()
    let x = desk.subscriber()
    let y = desk.subscriber()
    for round in 1...20 {
      let value = Float(round) / 40
      x.send("/matrix/in/0/gain", .float(value))
      y.send("/matrix/in/1/gain", .float(value))
      desk.perform("/matrix/in/2/gain", .float(value), from: .device(7))
      desk.wait(milliseconds: 40)
      let one = Heard("/matrix/in/0/gain", .float(value))
      let two = Heard("/matrix/in/1/gain", .float(value))
      let box = Heard("/matrix/in/2/gain", .float(value))
      #expect(x.heard() == [two, box])
      #expect(y.heard() == [one, box])
    }
  }

  @Test("Two routers that are pointed at each other agree and fall silent")
  func pair() throws {
    let left = try Desk()
    let right = try Desk()
    for (desk, other) in [(left, right), (right, left)] {
      try desk.setClients([
        FixedClient(
          name: "other", peer: try Peer(address: "127.0.0.1", port: other.port), hz: 60)
      ])
    }
    left.perform("/matrix/in/0/fader", .float(0.7))
    left.perform("/matrix/in/1/db", .float(-7.3))
    right.perform("/matrix/out/2/mute", .int32(1))
    right.perform("/matrix/in/3/name", .string("vox"))
    left.perform(Self.a, .float(1), .float(300))
    for _ in 0..<100 {
      left.advance(milliseconds: 7)
      right.advance(milliseconds: 7)
    }
    let addresses = [
      "/matrix/in/0/gain", "/matrix/in/1/gain", "/matrix/out/2/mute", "/matrix/in/3/name", Self.a,
    ]
    for address in addresses { #expect(left.ask(address) == right.ask(address)) }
    #expect(left.ask(Self.a) == [.float(1)])
    let said = [left, right].map { $0.count("sent_datagrams") }
    let revisions = [left.hub.revision, right.hub.revision]
    for _ in 0..<100 {
      left.advance(milliseconds: 7)
      right.advance(milliseconds: 7)
    }
    #expect([left, right].map { $0.count("sent_datagrams") } == said)
    #expect([left.hub.revision, right.hub.revision] == revisions)
  }

  @Test("Whatever happens, in the end every client has been told every value", arguments: 1...3)
  func convergence(seed: UInt64) throws {
    let desk = try Desk(inputs: 12, outputs: 9)
    let clients = [
      desk.subscriber(), desk.subscriber(.string(""), .int32(7)),
      desk.subscriber(.string("/matrix/in/*/out/*"), .int32(60)),
    ]
    var state = seed
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    var told: [[String: [Argument]]] = .init(repeating: [:], count: clients.count)
    for _ in 0..<3_000 {
      let crosspoint = "/matrix/in/\(random(12))/out/\(random(9))"
      switch random(6) {
      case 0: desk.perform(crosspoint, .float(Float(random(100)) / 100), .float(50))
      case 1: desk.perform("/matrix/in/\(random(12))/mute", .int32(Int32(random(2))))
      case 2: desk.perform("/matrix/row/\(random(12))", .float(Float(random(100)) / 100))
      case 3: desk.perform("/matrix/out/\(random(9))/name", .string("n\(random(100))"))
      default: desk.perform(crosspoint, .float(Float(random(100)) / 100))
      }
      if random(4) == 0 { desk.advance(milliseconds: Double(random(20))) }
      for (number, client) in clients.enumerated() {
        for heard in client.heard() { told[number][heard.address] = heard.arguments }
      }
    }
    desk.wait(milliseconds: 1_000)
    for (number, client) in clients.enumerated() {
      for heard in client.heard() { told[number][heard.address] = heard.arguments }
      #expect(told[number].count > 50)
      for (address, arguments) in told[number] { #expect(desk.ask(address) == arguments) }
    }
    #expect(told[2].keys.allSatisfy { $0.contains("/out/") && !$0.contains("name") })
    #expect(clients.allSatisfy { $0.largestDatagram <= 1_200 })
  }
}
