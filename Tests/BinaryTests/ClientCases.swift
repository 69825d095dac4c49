import Glibc
import Testing

@Suite("Clients that are told of changes, over the wire")
struct ClientCases {
  let router = Rig.router()

  /// A client that has subscribed, with arguments.
  private func subscriber(_ items: Wire.Item...) -> OSCClient {
    let client = router.client
    client.send(Wire.message("/subscribe", items))
    client.settle()
    return client
  }

  @Test("TR-07: answers come back where one asked, feedback where one hears, from one port")
  func replyPort() {
    let speaks = router.client
    let hears = router.client
    let port = hears.listen()
    speaks.send(Rig.a)
    let answer = speaks.hear()
    #expect(answer.messages.map(\.address) == [Rig.a])
    #expect(answer.port == router.port)
    speaks.send("/subscribe", .s(""), .i(30), .i(60), .i(Int32(port)))
    speaks.settle()
    router.client.send(Rig.a, .f(0.5))
    let feedback = hears.hear()
    #expect(feedback.messages.map(\.address) == [Rig.a])
    #expect(feedback.messages.first?.numbers == [0.5])
    #expect(feedback.port == router.port)
    #expect(speaks.hear(milliseconds: 0).messages.isEmpty)
  }

  @Test("TR-08: a port where nobody listens holds up nobody, and is told once somebody does")
  func deadPort() {
    let live = subscriber(.s(""), .i(60))
    let speaks = router.client
    let late = router.client
    speaks.send("/hello", .s("late"), .i(20_903))
    speaks.send("/subscribe")
    speaks.settle()
    let sweeper = router.client
    for round in 1...100 {
      sweeper.send(Rig.a, .f(Float(round) / 256))
      #expect(live.hears(Rig.a, Double(round) / 256))
    }
    #expect(late.listen(on: 20_903) == 20_903)
    sweeper.send(Rig.a, .f(0.875))
    #expect(late.hears(Rig.a, 0.875))
    #expect(live.hears(Rig.a, 0.875))
    #expect(router.stop() == 0)
  }

  @Test("FB-01: what would make the router hear itself is refused, at the start and later")
  func loop() {
    let start = RunningRouter.run([
      "run", "--virtual", "--osc-port", "20904", "--client", "loop 127.0.0.1:20904",
    ])
    #expect(start.code == 2)
    #expect(start.errors.contains("127.0.0.1:20904"))
    #expect(start.errors.filter { $0 == "\n" }.count == 1)
    let client = router.client
    client.send("/hello", .s("loop"), .i(Int32(router.port)))
    #expect(client.hear().messages.map(\.address) == ["/error"])
    client.send(Rig.a, .f(0.5))
    #expect(client.number(Rig.a) == 0.5)
    #expect(client.status("own_datagrams") == .number(0))
    #expect(client.status("feedback_datagrams") == .number(0))
  }

  @Test("FB-02: each of two tablets is told what others do and not what it does itself")
  func two() {
    let x = subscriber()
    let y = subscriber()
    router.client.send(Rig.a, .f(0.25))
    #expect(x.hears(Rig.a, 0.25))
    #expect(y.hears(Rig.a, 0.25))
    x.send(Rig.a, .f(0.75))
    #expect(y.hears(Rig.a, 0.75))
    // What Y does is told to X behind all that X would have been told before.
    y.send("/matrix/in/3/mute", .i(1))
    let heard = x.hear { $0.address == "/matrix/in/3/mute" }
    #expect(heard.map(\.address) == ["/matrix/in/3/mute"])
  }

  @Test("FL-01: eight faders at a thousand values a second arrive at their last values")
  func flood() {
    let x = subscriber()
    let sender = router.client
    for round in 1...2_000 {
      for output in 0..<8 {
        sender.send("/matrix/in/0/out/\(output)", .f(Float(round % 1_000) / 1_000))
      }
      if round % 100 == 0 { sender.settle() }
    }
    for output in 0..<8 { sender.send("/matrix/in/0/out/\(output)", .f(2)) }
    var last: [String: Double] = [:]
    while last.count < 8 || last.values.contains(where: { $0 != 2 }) {
      let next = x.hear().messages
      guard !next.isEmpty else { break }
      for message in next { last[message.address] = message.numbers.first }
    }
    #expect(last.count == 8)
    #expect(last.values.allSatisfy { $0 == 2 })
    for output in 0..<8 { #expect(sender.number("/matrix/in/0/out/\(output)") == 2) }
  }

  @Test("FL-03: with sixteen subscribers a flood neither keeps it from stopping nor loses the end")
  func stop() {
    let subscribers = (0..<16).map { _ in subscriber() }
    let sender = router.client
    for round in 0..<20_000 { sender.send(Rig.a, .f(Float(round % 100) / 100)) }
    sender.settle()
    sender.send(Rig.a, .f(1.5))
    for client in subscribers { #expect(client.hears(Rig.a, 1.5)) }
    for round in 0..<20_000 { sender.send(Rig.a, .f(Float(round % 100) / 100)) }
    #expect(router.stop() == 0)
  }

  @Test("A panic is told to subscribers and said in the log, with who did it, and so is its end")
  func panic() {
    let x = subscriber()
    let pad = router.client
    pad.send("/hello", .s("pad"))
    pad.settle()
    for (address, state) in [("/engine/panic", "panic"), ("/engine/resume", "running")] {
      pad.send(address)
      let told = x.hear().messages
      #expect(told.map(\.address) == ["/engine/state"])
      #expect(told.first?.texts == [state])
    }
    #expect(router.stop() == 0)
    let log = router.errorText()
    #expect(log.contains("Panic: everything is silent until /engine/resume (\"pad\" at 127.0.0.1:"))
    #expect(log.contains("The panic is over (\"pad\" at 127.0.0.1:"))
  }

  @Test("RT-10: of two clients on one gain the later one wins, and everybody knows it")
  func lastWriter() {
    let x = subscriber()
    let y = subscriber()
    for round in 0..<100 {
      let (first, second) = round % 2 == 0 ? (x, y) : (y, x)
      first.send(Rig.a, .f(0.25))
      first.settle()
      second.send(Rig.a, .f(0.75))
      #expect(first.hears(Rig.a, 0.75))
      #expect(second.number(Rig.a) == 0.75)
    }
  }

  @Test("BT-02, BT-05: what a time tag delays is told when it happens, in the right order")
  func tags() {
    let x = subscriber()
    let sender = router.client
    sender.send(Wire.bundle(Rig.tag(secondsFromNow: -10), [Wire.message(Rig.a, .f(0.25))]))
    #expect(x.hears(Rig.a, 0.25))
    for _ in 0..<10 {
      let tag = Rig.tag(secondsFromNow: 0.05)
      for value in 1...9 {
        sender.send(Wire.bundle(tag, [Wire.message(Rig.a, .f(Float(value) / 16))]))
      }
      let heard = x.hear { Rig.same($0.numbers.first, 9.0 / 16) }
      #expect(heard.map(\.address) == [Rig.a])
      sender.send(Rig.a, .f(0))
      #expect(x.hears(Rig.a, 0))
    }
  }

  @Test("A client of the configuration is told without asking")
  func configured() {
    let app = OSCClient(port: 9)
    let port = app.listen()
    let router = Rig.router([
      "--client", "app 127.0.0.1:\(port) hz 60 face fader pattern /matrix/in/*/gain",
    ])
    let sender = router.client
    sender.send("/matrix/in/2/gain", .f(1.5))
    sender.send("/matrix/in/2/fader", .f(0.5))
    #expect(app.hears("/matrix/in/2/gain", Double(Float(0.316_227_76))))
    #expect(router.stop() == 0)
  }

  @Test("A client of the configuration is told what the start has set")
  func configuredAtStart() {
    let app = OSCClient(port: 9)
    let port = app.listen()
    let router = Rig.router(["--client", "app 127.0.0.1:\(port)", "--set", "\(Rig.a) 0.5"])
    #expect(app.hears(Rig.a, 0.5))
    #expect(router.stop() == 0)
  }

  @Test("Of forty apps that come at once 32 are told, and the router goes on")
  func crowd() {
    let apps = (0..<40).map { _ in router.client }
    for app in apps { app.send("/subscribe") }
    apps[0].settle()
    router.client.send(Rig.a, .f(0.5))
    #expect(apps[0].hears(Rig.a, 0.5))
    #expect(apps[0].status("clients") == .number(32))
    #expect(router.stop() == 0)
  }

  @Test("Two routers that are pointed at each other agree and fall silent")
  func pair() {
    let ports = [RunningRouter.freePort(), RunningRouter.freePort()]
    let routers = [0, 1].map { number in
      RunningRouter(
        ["--virtual", "--client", "other 127.0.0.1:\(ports[1 - number])"], port: ports[number])
    }
    let clients = routers.map(\.client)
    clients[0].send("/matrix/in/1/fader", .f(0.6))
    clients[1].send("/matrix/out/2/mute", .i(1))
    #expect(Rig.reaches(clients[1], "/matrix/in/1/fader", Double(Float(0.6)), milliseconds: 2_000))
    #expect(Rig.reaches(clients[0], "/matrix/out/2/mute", 1, milliseconds: 2_000))
    let told = clients.map { $0.status("feedback_datagrams") }
    // More turns than a ping-pong would need to show itself.
    for _ in 0..<100 {
      for client in clients { #expect(client.number("/matrix/in/1/mute") == 0) }
      poll(nil, 0, 2)
    }
    #expect(clients.map { $0.status("feedback_datagrams") } == told)
    for router in routers { #expect(router.stop() == 0) }
  }

  @Test("A dump of 64 x 64 comes whole, and its counts say so")
  func sync() {
    let router = RunningRouter(["--virtual", "--inputs", "64", "--outputs", "64"])
    let client = router.client
    client.send("/sync", .s("/matrix/in/*/out/*"))
    let heard = client.hear { $0.address == "/sync/end" }
    #expect(heard.first?.address == "/sync/begin")
    #expect(heard.first?.numbers == [0, 4_096])
    #expect(heard.last?.numbers == [0, 4_096])
    #expect(Set(heard.map(\.address)).count == 4_096 + 2)
  }

  @Test("Sixteen clients and ten thousand changes a second leave the control thread at rest")
  func cost() {
    let router = RunningRouter(["--virtual", "--inputs", "64", "--outputs", "64"])
    let subscribers = (0..<16).map { _ in
      let client = router.client
      client.send("/subscribe")
      client.settle()
      return client
    }
    let sender = router.client
    let before = router.controlSeconds
    for burst in 0..<100 {
      for number in 0..<200 {
        let place = burst * 200 + number
        sender.send(
          "/matrix/in/\(place / 64 % 64)/out/\(place % 64)", .f(Float(place % 1_000 + 1) / 1_000))
      }
      poll(nil, 0, 20)
    }
    sender.settle()
    // Two seconds of such changes at least: a busy machine only makes it longer.
    #expect(router.controlSeconds - before < 0.3 * 2)
    // Nobody has read yet, and the last value must find room.
    for client in subscribers {
      while !client.hear(milliseconds: 0).messages.isEmpty {}
    }
    sender.send(Rig.a, .f(2))
    for client in subscribers { #expect(client.hears(Rig.a, 2)) }
    #expect(sender.status("blocked_turns") == .number(0))
  }
}
