import Glibc
import Testing

@Suite("The process: ports, privileges, floods, locales")
struct ProcessCases {
  @Test("It says that it is ready, stops on a signal, and its exit code is 0")
  func life() {
    for signal in [SIGTERM, SIGINT] {
      let router = Rig.router()
      #expect(router.firstLine.hasPrefix("ready:"))
      #expect(router.stop(signal) == 0)
    }
  }

  @Test("TR-04: a port that is taken is named, and nothing starts")
  func takenPort() {
    let first = Rig.router()
    let second = RunningRouter.run([
      "run", "--no-state", "--virtual", "--osc-port", "\(first.port)",
    ])
    #expect(second.code == 3)
    #expect(second.errors.contains("\(first.port)"))
    #expect(second.errors.filter { $0 == "\n" }.count == 1)
    #expect(second.output == "")
  }

  @Test("TR-05: localhost works over IPv4 and IPv6")
  func localhost() {
    let router = Rig.router()
    let six = OSCClient(port: router.port, overIPv6: true)
    router.client.send(Rig.a, .f(0.5))
    #expect(router.client.number(Rig.a) == 0.5)
    #expect(six.number(Rig.a) == 0.5 || router.firstLine.contains("IPv4 only"))
  }

  @Test("RT-01: without real-time permission it runs, warns once, and stops with 0")
  func unprivileged() {
    let router = RunningRouter(
      ["--virtual"],
      prefix: [
        "prlimit", "--rtprio=0:0", "--memlock=65536:65536", "setpriv", "--bounding-set=-all",
        "--inh-caps=-all",
      ])
    #expect(router.firstLine.hasPrefix("ready:"))
    #expect(router.client.number("/matrix/master/gain") == 1)
    #expect(router.stop() == 0)
    let lines = router.errorText().split(separator: "\n")
    #expect(lines.filter { $0.contains("limits.conf") }.count <= 1)
  }

  @Test("FL-03: a flood neither keeps it from stopping nor makes it lose the last value")
  func flood() {
    let router = Rig.router()
    let client = router.client
    for round in 0..<20_000 { client.send(Rig.a, .f(Float(round % 100) / 100)) }
    #expect(Rig.reaches(client, Rig.a, 0.99, milliseconds: 2_000))
    for round in 0..<20_000 { client.send(Rig.a, .f(Float(round % 100) / 100)) }
    #expect(router.stop() == 0)
  }

  @Test("RT-07: a decimal comma in the locale changes nothing")
  func locale() {
    let router = RunningRouter(
      ["--virtual", "--set", "\(Rig.a) 0.8", "--glide", "12.5"],
      environment: ["LC_ALL=de_DE.UTF-8", "LANG=de_DE.UTF-8"])
    #expect(router.client.number(Rig.a) == Double(Float(0.8)))
    #expect(router.stop() == 0)
    let wrong = RunningRouter.run(["run", "--no-state", "--virtual", "--set", "\(Rig.a) 0,8"])
    #expect(wrong.code == 2)
    #expect(wrong.errors.contains("0,8"))
  }

  @Test("With its standard streams closed it works, and its lines go nowhere else")
  func closedStreams() {
    let port = "20917"
    let router = RunningRouter.start(
      [
        "sh", "-c", "exec \"$0\" \"$@\" <&- >&- 2>&-", RunningRouter.binary, "run", "--virtual",
        "--no-state",
      ]
        + ["--osc-port", port])
    let client = OSCClient(port: 20_917)
    var level: Double?
    for _ in 0..<100 where level == nil {
      client.send(Rig.a)
      level = client.receive(milliseconds: 50)?.numbers.first
    }
    #expect(level == 0)
    client.send("/nonsense", .f(1))
    #expect(client.receive()?.address == "/error")
    #expect(router.stop() == 0)
  }
}
