import Control
import Messages
import OSC
import Surfaces
import Testing

/// Who is who, and who is told what.
@Suite struct ClientTests {
  static let a = "/matrix/in/0/out/1"

  @Test("A hello is answered with what the router is")
  func welcome() throws {
    let desk = try Desk(inputs: 4, outputs: 3)
    let tablet = desk.tablet()
    tablet.send("/hello", .string("pad"))
    desk.pass()
    #expect(
      tablet.heard() == [
        Heard(
          "/welcome", .string("test"), .string("1.2"), .int32(4), .int32(3), .int32(48_000),
          .int32(0))
      ])
    #expect(desk.count("clients") == 1)
  }

  @Test("FB-02: every subscriber is told of what the others do, and nobody of their own")
  func others() throws {
    let desk = try Desk()
    let x = desk.subscriber()
    let y = desk.subscriber()
    let z = desk.tablet()
    z.send(Self.a, .float(0.3))
    desk.pass()
    #expect(x.heard() == [Heard(Self.a, .float(0.3))])
    #expect(y.heard() == [Heard(Self.a, .float(0.3))])
    #expect(z.heard().isEmpty)
    x.send(Self.a, .float(0.6))
    desk.wait(milliseconds: 100)
    #expect(x.heard().isEmpty)
    #expect(y.heard() == [Heard(Self.a, .float(0.6))])
  }

  @Test("A client may ask for its own changes, or not even for corrections")
  func echo() throws {
    let desk = try Desk()
    let x = desk.subscriber()
    x.send("/client/echo", .int32(2))
    x.send(Self.a, .float(0.6))
    desk.pass()
    #expect(x.heard() == [Heard(Self.a, .float(0.6))])
    x.send("/client/echo", .int32(1))
    x.send(Self.a, .float(4))
    desk.wait(milliseconds: 100)
    #expect(x.heard() == [Heard(Self.a, .float(Float(Level.maximum)))])
    x.send("/client/echo", .int32(0))
    x.send(Self.a, .float(-1))
    desk.wait(milliseconds: 100)
    #expect(x.heard().isEmpty)
    x.send(Self.a)
    desk.pass()
    #expect(x.heard() == [Heard(Self.a, .float(0))])
  }

  @Test("Where a nudge or a trigger takes a level is news to its own sender")
  func ownNews() throws {
    let desk = try Desk()
    let x = desk.subscriber()
    x.send("/matrix/master/nudge", .float(-6))
    desk.pass()
    let heard = x.heard()
    #expect(heard.map(\.address) == ["/matrix/master/gain"])
    #expect(abs((heard.first?.number ?? 0) - 0.501_187) < 1e-5)
    x.send("/matrix/identity")
    desk.wait(milliseconds: 100)
    #expect(x.heard().count == 16)
  }

  @Test("The first change goes out at once, then the latest of each at the client's rate")
  func rate() throws {
    let desk = try Desk()
    let x = desk.subscriber(.string(""), .int32(10))
    for step in 1...50 {
      desk.perform(Self.a, .float(Float(step) / 100))
      desk.perform("/matrix/in/1/mute", .int32(Int32(step % 2)))
      desk.advance(milliseconds: 4)
    }
    let heard = x.heard()
    #expect(
      heard.filter { $0.address == Self.a }.map(\.number)
        == [0.01, 0.26].map { Double(Float($0)) })
    desk.wait(milliseconds: 100)
    #expect(x.heard().contains(Heard(Self.a, .float(0.5))))
    desk.wait(milliseconds: 500)
    #expect(x.heard().isEmpty)
  }

  @Test("A subscription is for what its pattern meets, on the face that the pattern names")
  func patterns() throws {
    let desk = try Desk()
    let faders = desk.subscriber(.string("/matrix/in/*/fader"))
    let row = desk.subscriber(.string("/matrix/in/2/out/[0-1]"))
    let decibels = desk.tablet()
    decibels.send("/client/face", .string("db"))
    decibels.send("/subscribe", .string("/matrix/master/*"))
    desk.pass()
    desk.perform("/matrix/in/3/gain", .float(0))
    desk.perform("/matrix/in/2/out/1", .float(0.5))
    desk.perform("/matrix/in/2/out/2", .float(0.5))
    desk.perform("/matrix/in/2/out/1/mute", .int32(1))
    desk.perform("/matrix/master/gain", .float(0))
    desk.perform("/matrix/master/dim", .int32(1))
    desk.wait(milliseconds: 50)
    #expect(faders.heard() == [Heard("/matrix/in/3/fader", .float(0))])
    #expect(row.heard() == [Heard("/matrix/in/2/out/1", .float(0.5))])
    #expect(
      decibels.heard() == [
        Heard("/matrix/master/db", .float(-120)), Heard("/matrix/master/dim", .int32(1)),
      ])
  }

  @Test("Two patterns that meet the same are told as one, until both have ended")
  func overlap() throws {
    let desk = try Desk()
    let x = desk.subscriber(.string("/matrix/in/*/*"))
    x.send("/subscribe", .string("/matrix/in/3/{mute,gain}"))
    desk.pass()
    desk.perform("/matrix/in/3/mute", .int32(1))
    desk.pass()
    #expect(x.heard() == [Heard("/matrix/in/3/mute", .int32(1))])
    x.send("/unsubscribe", .string("/matrix/in/*/*"))
    desk.pass()
    desk.perform("/matrix/in/3/gain", .float(0.5))
    desk.perform("/matrix/in/4/gain", .float(0.5))
    desk.wait(milliseconds: 40)
    #expect(x.heard() == [Heard("/matrix/in/3/gain", .float(0.5))])
    x.send("/unsubscribe")
    desk.pass()
    desk.perform("/matrix/in/3/gain", .float(0.25))
    desk.wait(milliseconds: 40)
    #expect(x.heard().isEmpty)
    x.send("/unsubscribe", .string("/matrix/in/*/*"))
    desk.pass()
    #expect(x.heard().map(\.address) == ["/error"])
  }

  @Test("Everything that can be set and asked is told, whoever sets it")
  func everything() throws {
    let desk = try Desk(inputs: 4, outputs: 5)
    let x = desk.subscriber()
    x.send("/client/face", .string("gain"))
    desk.pass()
    for row in ParameterTable.rows where row.access == .readWrite {
      let address = row.address.split(separator: "/")
        .map { "/" + (["{i}": "2", "{o}": "3", "{g}": "1", "{n}": "4"][$0] ?? String($0)) }.joined()
      switch row.parameter {
      case .gain: desk.perform(address, .float(0.5))
      case .mute, .solo, .soloSafe, .dim, .phase: desk.perform(address, .int32(1))
      case .name: desk.perform(address, .string("vox"))
      case .dimLevel: desk.perform(address, .float(-12))
      default: continue
      }
      desk.wait(milliseconds: 40)
      let heard = x.heard()
      #expect(heard.map(\.address) == [address])
      #expect(heard.first?.arguments == desk.ask(address))
    }
  }

  @Test("A subscription ends so long after the client's last word, and any word renews it")
  func lease() throws {
    let desk = try Desk()
    let brief = desk.subscriber(.string(""), .int32(30), .int32(2))
    let endless = desk.subscriber(.string(""), .int32(30), .int32(0))
    let xremote = desk.tablet()
    xremote.send("/xremote")
    for round in 0..<3 {
      desk.advance(milliseconds: 1_900)
      brief.send("/ping")
      xremote.send("/ping")
      desk.pass()
      desk.perform(Self.a, .float(Float(round + 1) / 10))
      desk.advance(milliseconds: 40)
      #expect(brief.heard().contains { $0.address == Self.a })
      #expect(xremote.heard().contains { $0.address == Self.a })
    }
    #expect(endless.heard().count == 3)
    desk.advance(milliseconds: 10_300)
    desk.perform(Self.a, .float(0.7))
    desk.advance(milliseconds: 40)
    #expect(brief.heard().isEmpty)
    #expect(xremote.heard().isEmpty)
    #expect(endless.heard().count == 1)
    #expect(desk.count("lost_clients") == 2)
    desk.advance(milliseconds: 90_000_000)
    desk.perform(Self.a, .float(0.8))
    desk.pass()
    #expect(endless.heard().count == 1)
    endless.send("/bye")
    desk.pass()
    desk.perform(Self.a, .float(0.9))
    desk.wait(milliseconds: 40)
    #expect(endless.heard().isEmpty)
    #expect(desk.count("clients") == 0)
  }

  @Test("TR-07: answers go to the port that asked, what is subscribed to where one hears")
  func replyPort() throws {
    let desk = try Desk()
    let speaks = desk.tablet()
    let hears = desk.tablet()
    let other = desk.tablet()
    speaks.send("/hello", .string("pad"), .int32(Int32(hears.port)))
    speaks.send("/subscribe")
    speaks.send(Self.a)
    other.send(Self.a, .float(0.5))
    desk.pass()
    #expect(speaks.heard().map(\.address) == ["/welcome", Self.a])
    #expect(hears.heard().map(\.address) == ["/welcome", Self.a])
    // A fader that was pushed too far is where the client hears.
    speaks.send("/matrix/in/1/fader", .float(1.5))
    desk.wait(milliseconds: 40)
    #expect(speaks.heard() == [Heard("/matrix/in/1/fader", .float(1))])
    #expect(hears.heard() == [Heard("/matrix/in/1/fader", .float(1))])
    let third = desk.tablet()
    let direct = desk.tablet()
    third.send("/subscribe", .string(""), .int32(30), .int32(60), .int32(Int32(direct.port)))
    other.send(Self.a, .float(0.25))
    desk.wait(milliseconds: 40)
    #expect(direct.heard() == [Heard(Self.a, .float(0.25))])
    #expect(third.heard().isEmpty)
  }

  @Test("One socket may speak for several that hear")
  func severalListeners() throws {
    let desk = try Desk()
    let speaks = desk.tablet()
    let listeners = (0..<3).map { _ in desk.tablet() }
    for (number, listener) in listeners.enumerated() {
      speaks.send("/hello", .string("pad \(number)"), .int32(Int32(listener.port)))
      speaks.send("/subscribe")
    }
    desk.pass()
    desk.perform(Self.a, .float(0.5))
    desk.pass()
    for listener in listeners { #expect(listener.heard().last == Heard(Self.a, .float(0.5))) }
    #expect(desk.count("clients") == 3)
  }

  @Test("A name goes on from another port, and what was there is not told any more")
  func sameName() throws {
    let desk = try Desk()
    let before = desk.tablet()
    before.send("/hello", .string("pad"))
    before.send("/subscribe")
    desk.pass()
    _ = before.heard()
    let after = desk.tablet()
    after.send("/hello", .string("pad"))
    desk.pass()
    desk.perform(Self.a, .float(0.5))
    desk.pass()
    #expect(before.heard().isEmpty)
    #expect(after.heard().map(\.address) == ["/welcome", Self.a])
    #expect(desk.count("clients") == 1)
  }

  @Test(
    "Who subscribes to a pattern that is not closed, or that nothing has, is told which it is",
    arguments: [("/matrix/in/{0", "is not closed"), ("/matrix/in/{0}", "meets nothing")])
  func openPattern(pattern: String, words: String) throws {
    let desk = try Desk()
    let x = desk.tablet()
    for address in ["/subscribe", "/sync"] {
      x.send(address, .string(pattern))
      desk.pass()
      guard case .string(let sentence)? = x.heard().first?.arguments.last else {
        Issue.record("no answer")
        return
      }
      #expect(sentence.contains(words))
    }
  }

  @Test("FB-01: a router is never told by itself")
  func loop() throws {
    let desk = try Desk()
    let x = desk.tablet()
    for arguments: [Argument] in [
      [.string("pad"), .int32(Int32(desk.port))], [.int32(Int32(desk.port))],
    ] {
      x.send(address: "/hello", arguments: arguments)
      desk.pass()
      let heard = x.heard()
      #expect(heard.map(\.address) == ["/error"])
      #expect(heard.first?.arguments[1] == .string("value"))
    }
    #expect(desk.count("clients") == 0)
    let own = try Peer(address: "127.0.0.1", port: desk.port)
    #expect(throws: Refusal.self) {
      try desk.setClients([FixedClient(name: "loop", peer: own)])
    }
  }

  @Test("A client of the configuration is told without asking, and not what comes from there")
  func fixed() throws {
    let desk = try Desk()
    let app = desk.tablet()
    let peer = try Peer(address: "127.0.0.1", port: app.port)
    let touch = FixedClient(
      name: "touch", peer: peer, hz: 20, face: .fader, pattern: "/matrix/in/*/*")
    try desk.setClients([touch])
    desk.perform("/matrix/in/0/gain", .float(0))
    desk.perform("/matrix/out/0/gain", .float(0))
    desk.pass()
    #expect(app.heard() == [Heard("/matrix/in/0/fader", .float(0))])
    app.send("/matrix/in/0/fader", .float(0.5))
    desk.wait(milliseconds: 60)
    #expect(app.heard().isEmpty)
    desk.advance(milliseconds: 100_000_000)
    app.send("/bye")
    desk.pass()
    desk.perform("/matrix/in/0/fader", .float(0.75))
    desk.pass()
    #expect(app.heard() == [Heard("/matrix/in/0/fader", .float(0.75))])
    for (wrong, name) in [
      (FixedClient(name: "twin", peer: peer), "twin"),
      (
        FixedClient(
          name: "nothing", peer: try Peer(address: "127.0.0.1", port: 9), pattern: "/matrix/zzz"),
        "nothing"
      ),
      (FixedClient(name: "far", peer: try Peer(address: "192.0.2.1", port: 9_000)), "far"),
    ] {
      let refusal = #expect(throws: Refusal.self) {
        try desk.setClients([touch, wrong])
      }
      #expect(refusal?.text.hasPrefix("client \(name): ") == true)
    }
    #expect(desk.count("clients") == 1)
  }

  @Test("What the configuration says of a client outlasts whatever it asks for itself")
  func configuredForEver() throws {
    let desk = try Desk()
    let app = desk.tablet()
    let peer = try Peer(address: "127.0.0.1", port: app.port)
    for pattern in ["", "/matrix/in/*/gain"] {
      try desk.setClients([FixedClient(name: "app", peer: peer, pattern: pattern)])
      func isTold(_ value: Float) -> Bool {
        _ = app.heard()
        desk.perform("/matrix/in/0/gain", .float(value))
        desk.wait(milliseconds: 50)
        return app.heard().contains(Heard("/matrix/in/0/gain", .float(value)))
      }
      #expect(isTold(0.1))
      app.send("/subscribe", .string(pattern), .int32(30), .int32(2))
      app.send("/subscribe", .string("/matrix/out/*/gain"), .int32(30), .int32(2))
      desk.pass()
      #expect(isTold(0.2))
      desk.advance(milliseconds: 3_000)
      #expect(isTold(0.3))
      app.send("/unsubscribe")
      app.send("/unsubscribe", .string(pattern))
      desk.pass()
      #expect(app.heard().map(\.address) == ["/error"])
      #expect(isTold(0.4))
      app.send("/xremote")
      desk.pass()
      desk.advance(milliseconds: 11_000)
      #expect(isTold(0.5))
      try desk.setClients([])
    }
  }

  @Test("The list says how long a client of the configuration has not been heard")
  func silence() throws {
    let desk = try Desk()
    let app = desk.tablet()
    try desk.setClients([
      FixedClient(name: "app", peer: try Peer(address: "127.0.0.1", port: app.port))
    ])
    desk.advance(milliseconds: 7_000)
    #expect(desk.ask("/client/list").last == .int32(7))
  }

  @Test("Other clients of the configuration take the place of those before, and who stays goes on")
  func otherFixed() throws {
    let desk = try Desk()
    let (stays, goes, comes) = (desk.tablet(), desk.tablet(), desk.tablet())
    func fixed(_ name: String, _ tablet: Tablet) throws -> FixedClient {
      FixedClient(name: name, peer: try Peer(address: "127.0.0.1", port: tablet.port))
    }
    try desk.setClients([fixed("stays", stays), fixed("goes", goes)])
    goes.send("/matrix/in/0/touch", .int32(1))
    stays.send("/client/rate", .int32(50))
    // Who has come by itself to where one of the configuration hears is that one from now on.
    comes.send("/subscribe", .string("/matrix/out/*/gain"))
    desk.pass()
    try desk.setClients([fixed("comes", comes), fixed("stays", stays)])
    #expect(desk.count("clients") == 2)
    for tablet in [stays, goes, comes] { _ = tablet.heard() }
    desk.perform("/matrix/in/0/gain", .float(0.25))
    desk.wait(milliseconds: 60)
    let told = [Heard("/matrix/in/0/gain", .float(0.25))]
    #expect(stays.heard() == told)
    #expect(comes.heard() == told)
    #expect(goes.heard().isEmpty)
    stays.send("/client/rate")
    desk.pass()
    #expect(stays.heard() == [Heard("/client/rate", .int32(50))])
    try desk.setClients([])
    #expect(desk.count("clients") == 0)
  }

  @Test("The list names everybody, and settings answer each client its own")
  func list() throws {
    let desk = try Desk()
    let x = desk.tablet()
    #expect(desk.ask("/client/list") == [.int32(0)])
    x.send("/hello", .string("pad"))
    x.send("/subscribe", .string(""), .int32(20))
    x.send("/client/face", .string("db"))
    desk.advance(milliseconds: 2_500)
    #expect(
      desk.ask("/client/list") == [
        .int32(1), .string("pad"), .string("127.0.0.1:\(x.port)"), .int32(20), .string("db"),
        .int32(1), .int32(0),
      ])
    _ = x.heard()
    x.send("/client/rate")
    x.send("/client/face")
    x.send("/client/rate", .int32(200))
    desk.pass()
    #expect(
      x.heard() == [
        Heard("/client/rate", .int32(20)), Heard("/client/face", .string("db")),
        Heard("/client/rate", .int32(60)),
      ])
    #expect(desk.ask("/client/rate") == [.int32(30)])
  }

  @Test("Who says hello by another name is the same client, with its subscriptions")
  func renamed() throws {
    let desk = try Desk()
    let tablet = desk.tablet()
    tablet.send("/hello", .string("one"))
    tablet.send("/subscribe")
    tablet.send("/hello", .string("two"))
    desk.pass()
    _ = tablet.heard()
    desk.perform(Self.a, .float(0.5))
    desk.wait(milliseconds: 40)
    #expect(tablet.heard() == [Heard(Self.a, .float(0.5))])
    #expect(desk.count("clients") == 1)
  }

  @Test("One bundle may say hello, subscribe and change something, or nothing of it happens")
  func oneBundle() throws {
    let desk = try Desk()
    let x = desk.tablet()
    let y = desk.subscriber()
    x.send(
      bundle: [
        Heard("/hello", .string("pad")), Heard("/subscribe"), Heard(Self.a, .float(0.5)),
        Heard("/client/face", .string("loud")),
      ])
    desk.pass()
    #expect(x.heard().map(\.address) == ["/error"])
    #expect(desk.count("clients") == 1)
    #expect(y.heard().isEmpty)
    x.send(
      bundle: [Heard("/hello", .string("pad")), Heard("/subscribe"), Heard(Self.a, .float(0.5))])
    desk.wait(milliseconds: 40)
    #expect(x.heard().map(\.address) == ["/welcome"])
    #expect(y.heard() == [Heard(Self.a, .float(0.5))])
  }

  @Test("Buttons press and let go")
  func buttons() throws {
    let desk = try Desk()
    let x = desk.tablet()
    for address in ["/hello", "/subscribe", "/sync"] {
      x.send(address, .float(1))
      x.send(address, .float(0))
    }
    desk.wait(milliseconds: 300)
    let heard = x.heard()
    #expect(heard.first?.address == "/welcome")
    #expect(heard.filter { $0.address == "/sync/begin" }.count == 1)
    #expect(!heard.contains { $0.address == "/error" })
    x.send("/bye", .float(0))
    desk.pass()
    #expect(desk.count("clients") == 1)
    x.send("/bye", .float(1))
    desk.pass()
    #expect(desk.count("clients") == 0)
  }

  @Test(
    "A request that is wrong is refused with a sentence, and nothing comes of it",
    arguments: [
      ("/subscribe", [.string("matrix/in")], "address"),
      ("/subscribe", [.string("/matrix/nothing/*")], "address"),
      ("/subscribe", [.string("/matrix/in/*")], "address"),
      ("/subscribe", [.string("/matrix/in/*/stop")], "address"),
      ("/subscribe", [.string(""), .float(-1)], "range"),
      ("/subscribe", [.string(""), .float(.nan)], "nan"),
      ("/subscribe", [.string(""), .int32(1_000)], "range"),
      ("/subscribe", [.string(""), .int32(30), .int32(-1)], "range"),
      ("/subscribe", [.string(""), .int32(30), .int32(60), .int32(0)], "range"),
      ("/subscribe", [.string(""), .int32(30), .int32(60), .int32(70_000)], "range"),
      ("/subscribe", [.int32(1), .int32(30)], "type"),
      ("/subscribe", [.string(String(repeating: "/a", count: 200))], "size"),
      ("/hello", [.string(String(repeating: "a", count: 65))], "size"),
      ("/hello", [.string("a\u{1}")], "value"),
      ("/hello", [.string("a"), .string("b")], "type"),
      ("/hello", [.string("a"), .int32(9_000), .int32(1)], "count"),
      ("/client/face", [.string("loud")], "value"),
      ("/client/face", [.int32(1)], "type"),
      ("/client/echo", [.int32(100)], "range"),
      ("/client/rate", [.float(.infinity)], "nan"),
      ("/xremote", [.int32(1), .int32(1)], "count"),
    ] as [(String, [Argument], String)])
  func refusals(address: String, arguments: [Argument], code: String) throws {
    let desk = try Desk()
    let x = desk.tablet()
    x.send(address: address, arguments: arguments)
    desk.pass()
    let heard = x.heard()
    #expect(heard.map(\.address) == ["/error"])
    #expect(heard.first?.arguments.first == .string(address))
    #expect(heard.first?.arguments.dropFirst().first == .string(code))
    desk.perform(Self.a, .float(0.5))
    desk.pass()
    #expect(x.heard().isEmpty)
  }
}
