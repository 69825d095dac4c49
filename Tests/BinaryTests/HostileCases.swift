import Glibc
import Testing

@Suite("Broken and hostile clients, over the wire")
struct HostileCases {
  /// What meets most of the matrix, but not the crosspoint of the cases.
  private static let most = "/matrix/in/[1-9]*/out/*"

  @Test("Of forty apps that come at once 32 are told, the others are refused, and it goes on")
  func atOnce() {
    let router = Rig.router()
    let apps = (0..<40).map { _ in router.client }
    for app in apps { app.send("/subscribe") }
    let sender = router.client
    for round in 1...100 { sender.send("/matrix/in/*/out/*", .f(Float(round) / 100)) }
    sender.send(Rig.a, .f(2))
    let told = apps.count { app in
      // Who is refused is told so, and of nothing else.
      let heard = app.hear { $0.address == "/error" || ($0.address == Rig.a && $0.numbers == [2]) }
      return heard.contains { $0.address == Rig.a && $0.numbers == [2] }
    }
    #expect(told == 32)
    #expect(sender.status("refused_clients") == .number(8))
    #expect(router.stop() == 0)
  }

  @Test(
    "A flood of what is dear, from one port or two hundred, keeps nobody from being heard and told",
    arguments: [
      (1, [Wire.message(most, .f(0.5)), Wire.message(most, .f(0.25))]),
      (200, [Wire.message(most, .f(0.5)), Wire.message(most + "/mute", .i(1))]),
      (1, [Wire.message("/matrix/in/*/out/*")]),
      (1, [Wire.message("/scene/recall", .i(0), .s(most + "/*"))]),
      (1, [Wire.message(most + "/touch", .i(1)), Wire.message(most + "/touch", .i(0))]),
      (1, [Wire.message("/subscribe", .s("/*/*/*/*/*/*")), Wire.message("/bye")]),
      (
        1,
        [
          Wire.message(
            "/matrix/group/0/members", [Wire.Item](repeating: .s("/matrix/in/*/out/*"), count: 500))
        ]
      ),
      (1, [Wire.bundle(1, [[UInt8]](repeating: Wire.message("/engine/status"), count: 2_000))]),
      (1, [[UInt8](repeating: 0x23, count: 65_000)]),
    ] as [(Int, [[UInt8]])])
  func flood(sockets: Int, datagrams: [[UInt8]]) {
    let router = RunningRouter(["--virtual", "--inputs", "64", "--outputs", "64"])
    let told = router.client
    told.send("/subscribe", .s(Rig.a), .i(60))
    let good = router.client
    good.send("/hello", .s("good"))
    good.send("/scene/store", .i(0))
    told.settle()
    good.settle()
    let flooder = Flooder(datagrams, to: router.port, perSecond: 1_500, sockets: sockets)
    flooder.reach(1_000)
    for round in 1...50 {
      let value = Double(round) / 64
      good.send(Rig.a, .f(Float(value)))
      // Until it is known that there is too much, a datagram may find no room in the kernel.
      var isTold = told.hears(Rig.a, value)
      if round < 10, !isTold {
        good.send(Rig.a, .f(Float(value)))
        isTold = told.hears(Rig.a, value)
      }
      #expect(isTold, "round \(round)")
    }
    // It stops at once, with all that still waits.
    #expect(router.stop() == 0)
    flooder.stop()
  }

  @Test("FL-03: 20,000 packets a second neither stop the sound nor keep it from stopping")
  func stop() {
    let router = Rig.router()
    let packets = (1...100).map { Wire.message(Rig.a, .f(Float($0) / 128)) }
    let flooder = Flooder(packets, to: router.port, perSecond: 20_000)
    // Two seconds of them; it goes on while the router stops.
    flooder.reach(40_000)
    let good = router.client
    good.send("/hello", .s("good"))
    good.settle()
    func count(_ name: String) -> Double {
      if case .number(let count)? = good.status(name) { return count }
      return -1
    }
    let frame = count("frame")
    #expect(count("datagrams") + count("kernel_dropped_datagrams") > 30_000)
    // The audio thread goes on, whatever the control thread has to do.
    #expect((0..<1_000).contains { _ in count("frame") > frame })
    #expect(router.stop() == 0)
    flooder.stop()
  }

  @Test("FL-05: a log that nobody reads, and is full, holds up nobody, and lines are limited")
  func fullLog() {
    let router = RunningRouter(
      ["--virtual", "--inputs", "16", "--outputs", "16", "--log", "debug"], errorBytes: 4_096)
    let x = router.client
    x.send("/subscribe")
    x.settle()
    // Three causes of lines: an unknown address, a wrong argument, no OSC at all.
    let flooder = Flooder(
      [
        Wire.message("/matrix/nonsense", .f(1)), Wire.message(Rig.a, .s("loud")),
        Array("hello".utf8),
      ], to: router.port, perSecond: 2_000)
    let good = router.client
    var round = 0
    func tell() {
      round += 1
      let value = Double(round % 100 + 1) / 128
      good.send(Rig.a, .f(Float(value)))
      #expect(x.hears(Rig.a, value), "round \(round)")
    }
    // It takes some seconds to fill even a small pipe with so few lines.
    while router.waitingErrorBytes < 3_900, round < 10_000 {
      tell()
      poll(nil, 0, 5)
    }
    #expect(router.waitingErrorBytes >= 3_900)
    let full = flooder.count
    flooder.reach(full + 4_000)
    for _ in 0..<50 { tell() }
    #expect(router.stop() == 0)
    flooder.stop()
    // At most ten lines a second of each cause, while each came some hundred times a second.
    let lines = router.errorText().split(separator: "\n").count
    #expect(lines > 20 && lines < flooder.count / 30)
  }

  @Test("What a message brings along into the log gives the terminal no orders and begins no line")
  func orders() {
    let router = Rig.router()
    let hostile = "/x\u{1B}[2J\nready: fake\u{9B}2J\u{202E}"
    router.client.send(hostile)
    router.client.send("/matrix/in/0/gain\u{7}/\nready: fake")
    router.client.send("/matrix/group/0/members", .s(hostile))
    router.client.settle()
    #expect(router.stop() == 0)
    let text = router.errorText()
    #expect(text.contains("ready: fake"))
    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("crosspoint: ") }, "\(lines)")
    let marks: Set<Unicode.Scalar> = ["\u{1B}", "\u{9B}", "\u{7}", "\u{202E}"]
    #expect(!text.unicodeScalars.contains { marks.contains($0) })
  }
}
