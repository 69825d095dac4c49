import Control
import Messages
import OSC
import Surfaces
import Testing

/// What clients are told of pairs: exactly what a question answers.
@Suite struct PairFeedbackTests {
  private static let a = "/matrix/in/0/out/0"
  private static let b = "/matrix/in/0/out/1"

  @Test("A level to a pair of outputs is told on both addresses as both answer it, in every face")
  func level() throws {
    for (face, value) in [
      (ClientFace.bare, Float(0.8)), (.gain, 0.8), (.db, -7.3), (.fader, 0.75),
    ] {
      let desk = try Desk.paired(inputs: false, outputs: true)
      let x = desk.subscriber()
      x.send("/client/face", .string(face.rawValue))
      desk.wait(milliseconds: 40)
      let last = face == .bare ? "" : "/\(face.rawValue)"
      desk.perform(Self.a + last, .float(value))
      desk.wait(milliseconds: 40)
      #expect(
        x.heard() == [Heard(Self.a + last, .float(value)), Heard(Self.b + last, .float(value))])
      #expect(desk.ask(Self.a + last) == [.float(value)])
      x.send("/sync", .string("/matrix/in/0/out/[01]\(last)"))
      desk.wait(milliseconds: 40)
      #expect(
        x.heard().dropFirst().dropLast()
          == [Heard(Self.a + last, .float(value)), Heard(Self.b + last, .float(value))])
    }
  }

  @Test("A pan is told on both addresses of the pair, and not again to who has said it")
  func pan() throws {
    let desk = try Desk.paired(inputs: false, outputs: true)
    let x = desk.subscriber()
    let y = desk.subscriber(.string("/matrix/in/*/out/*/pan"))
    x.send(Self.a + "/pan", .float(-0.3))
    desk.wait(milliseconds: 40)
    #expect(x.heard() == [Heard(Self.b + "/pan", .float(-0.3))])
    let both = [Heard(Self.a + "/pan", .float(-0.3)), Heard(Self.b + "/pan", .float(-0.3))]
    #expect(y.heard() == both)
    x.send("/sync", .string("/matrix/in/0/out/[01]/pan"))
    desk.wait(milliseconds: 40)
    #expect(Array(x.heard().dropFirst().dropLast()) == both)
    // Out of range is corrected.
    x.send(Self.a + "/pan", .float(2))
    desk.wait(milliseconds: 40)
    #expect(x.heard() == [Heard(Self.a + "/pan", .float(1)), Heard(Self.b + "/pan", .float(1))])
  }

  @Test("A gain that a list sets by itself is told as the level and the pan that it makes")
  func list() throws {
    let desk = try Desk.paired(inputs: false, outputs: true)
    let x = desk.subscriber()
    x.send("/matrix/set", .int32(0), .int32(0), .float(0.75))
    desk.wait(milliseconds: 40)
    #expect(
      x.heard() == [
        Heard(Self.a, .float(0.75)), Heard(Self.b, .float(0.75)),
        Heard(Self.a + "/pan", .float(-1)), Heard(Self.b + "/pan", .float(-1)),
      ])
    x.send("/matrix/set", .int32(0), .int32(1), .float(1))
    desk.wait(milliseconds: 40)
    let heard = x.heard()
    #expect(heard[0] == Heard(Self.a, .float(1.25)))
    #expect(heard[1] == Heard(Self.b, .float(1.25)))
    #expect(heard.count == 4)
    for message in heard { #expect(desk.ask(message.address) == message.arguments) }
  }

  @Test("Making a pair and taking it apart tells what reads differently, and nothing else")
  func linking() throws {
    let desk = try Desk(inputs: 4, outputs: 4)
    desk.perform("/matrix/in/0/out/0", .float(0.6))
    desk.perform("/matrix/in/0/out/1", .float(0.8))
    desk.perform("/matrix/in/2/out/1", .float(0.5))
    desk.perform("/matrix/in/3/out/2", .float(0.5))
    let x = desk.subscriber()
    desk.perform("/matrix/out/0/pair", .int32(1))
    desk.wait(milliseconds: 40)
    var heard = x.heard()
    #expect(heard.first == Heard("/matrix/out/0/pair", .int32(1)))
    #expect(
      Set(heard.dropFirst().map(\.address)) == [
        Self.a, Self.b, Self.a + "/pan", Self.b + "/pan", "/matrix/in/2/out/0",
        "/matrix/in/2/out/0/pan", "/matrix/in/2/out/1/pan",
      ])
    for message in heard { #expect(desk.ask(message.address) == message.arguments) }
    // A source that is itself a pair comes up left to left and right to right.
    desk.perform("/matrix/in/0/pair", .int32(1))
    desk.wait(milliseconds: 40)
    #expect(
      x.heard() == [
        Heard("/matrix/in/0/pair", .int32(1)), Heard("/matrix/in/1/out/0/pan", .float(1)),
        Heard("/matrix/in/1/out/1/pan", .float(1)),
      ])
    desk.perform("/matrix/out/0/pair", .int32(0))
    desk.wait(milliseconds: 40)
    heard = x.heard()
    #expect(heard.contains(Heard(Self.a, .float(0.6))))
    #expect(heard.contains(Heard(Self.b, .float(0.8))))
    #expect(heard.contains(Heard("/matrix/in/1/out/0/pan", .float(0))))
    for message in heard { #expect(desk.ask(message.address) == message.arguments) }
  }

  @Test(
    "A fade to a pair is told on its way as the level that both addresses have, to its very end")
  func fade() throws {
    let desk = try Desk.paired(inputs: false, outputs: true)
    desk.perform(Self.a + "/pan", .float(-1))
    let x = desk.subscriber(.string("/matrix/in/0/out/[01]"))
    desk.perform(Self.a, .float(1), .float(500), .string("lin"))
    var told: [String: [Double]] = [:]
    for _ in 0..<160 {
      desk.advance(milliseconds: 4)
      let heard = x.heard()
      for message in heard { told[message.address, default: []].append(message.number ?? -1) }
      guard let last = heard.last, last.number != 1 else { continue }
      #expect(desk.ask(Self.a + "/now") == last.arguments)
    }
    for address in [Self.a, Self.b] {
      let values = told[address] ?? []
      #expect(values.count > 10)
      #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
      #expect(values.last == 1)
    }
  }

  @Test("What pairs of inputs do together is told on both addresses")
  func inputs() throws {
    let desk = try Desk.paired(inputs: true, outputs: true)
    let x = desk.subscriber()
    x.send("/matrix/in/1/out/2", .float(0.5))
    desk.wait(milliseconds: 40)
    #expect(x.heard() == [Heard("/matrix/in/2/out/2", .float(0.5))])
    x.send("/matrix/in/1/out/0/pan", .float(-0.25))
    desk.wait(milliseconds: 40)
    #expect(
      x.heard() == [
        Heard("/matrix/in/1/out/1/pan", .float(-0.25)),
        Heard("/matrix/in/2/out/0/pan", .float(0.25)),
        Heard("/matrix/in/2/out/1/pan", .float(0.25)),
      ])
  }

  @Test(
    "Whatever hands, lists, scenes and undo do, what was told last is what a question answers",
    arguments: 1...6)
  func convergence(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let desk = try Desk.paired(inputs: seed % 3 != 1, outputs: seed % 3 != 2)
    let faces = ClientFace.allCases
    let clients = faces.map { face in
      let client = desk.subscriber(.string(""), .int32(face == .db ? 7 : 60))
      client.send("/client/face", .string(face.rawValue))
      return client
    }
    var shown = faces.map { desk.everything($0) }
    func listen() {
      for (number, client) in clients.enumerated() {
        for heard in client.heard() where shown[number][heard.address] != nil {
          shown[number][heard.address] = heard.arguments
        }
      }
    }
    for _ in 0..<1_500 {
      desk.doSomething(&dice)
      if dice.hits(oneIn: 3) { desk.advance(milliseconds: Double(dice.roll(25))) }
      listen()
    }
    desk.wait(milliseconds: 1_000)
    listen()
    for (number, face) in faces.enumerated() {
      let answered = desk.everything(face)
      #expect(shown[number] == answered)
      // A dump says the same.
      clients[number].send("/sync")
      desk.wait(milliseconds: 200)
      for heard in clients[number].heard() where answered[heard.address] != nil {
        #expect(heard.arguments == answered[heard.address])
      }
    }
  }
}
