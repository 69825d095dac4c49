import Glibc
import Testing

@Suite("Meters over the wire, and the monitor")
struct MeterCases {
  /// A tone of -20 dBFS is on every input.
  let router = Rig.router()

  /// The next message of an address that is as wanted, among the next thousand.
  private func meter(
    _ client: OSCClient, _ address: String, within most: Int = 1_000,
    where isWanted: ([Double]) -> Bool
  ) -> [Double]? {
    var rest = most
    while rest > 0 {
      let heard = client.hear().messages
      guard !heard.isEmpty else { return nil }
      rest -= heard.count
      if let found = heard.first(where: { $0.address == address && isWanted($0.numbers) }) {
        return found.numbers
      }
    }
    return nil
  }

  private func isNear(_ value: Double, _ wanted: Double, _ tolerance: Double = 0.1) -> Bool {
    abs(value - wanted) <= tolerance
  }

  @Test("A tone reads its peak within 0.1 dB, before its gain and behind it, to the output")
  func tone() {
    let client = router.client
    client.send("/matrix/in/0/gain", .f(0.5))
    client.send(Rig.a, .f(0.5))
    client.send("/matrix/out/1/gain", .f(0.5))
    client.send("/meter/subscribe", .s("/matrix/in/0"))
    client.send("/meter/subscribe", .s("/matrix/out/1"))
    client.send("/meter/subscribe", .s(Rig.a))
    // On a machine that is short of time one reading may cover a part of a cycle only.
    let pre = meter(client, "/matrix/in/0/meter/pre") {
      isNear($0[0], -20) && isNear($0[1], -23.01, 0.5) && isNear($0[2], -20)
    }
    #expect(pre?.count == 6)
    #expect(pre?.suffix(3) == [0, 0, 0])
    #expect(meter(client, "/matrix/in/0/meter/post") { isNear($0[0], -26.02) } != nil)
    let way = meter(client, "\(Rig.a)/meter") { isNear($0[0], -32.04) }
    #expect(way?.count == 3)
    #expect(meter(client, "/matrix/out/1/meter/pre") { isNear($0[0], -32.04) } != nil)
    #expect(meter(client, "/matrix/out/1/meter/post") { isNear($0[0], -38.06) } != nil)
    #expect(client.status("meter_clients") == .number(1))
    client.send("/bye")
    client.settle()
    #expect(client.status("meter_clients") == .number(0))
    #expect(router.stop() == 0)
  }

  @Test("A blob says its layout, its parts, and of each meter which it is and what it reads")
  func blob() {
    let client = router.client
    client.send("/meter/format", .s("blob"))
    client.send("/meter/subscribe", .s("/matrix/in/3"))
    var bytes: [UInt8] = []
    func word(_ offset: Int, _ count: Int = 4) -> UInt32 {
      bytes[offset..<offset + count].reduce(0) { $0 << 8 | UInt32($1) }
    }
    func decibels(_ offset: Int) -> Double { Double(Float(bitPattern: word(offset))) }
    for _ in 0..<100 {
      let heard = client.hear().messages
      guard
        case .blob(let blob)? = heard.first(where: { $0.address == "/meter/blob" })?.values.first
      else { continue }
      bytes = blob
      if bytes.count == 12 + 2 * 32, isNear(decibels(12 + 8), -20),
        isNear(decibels(12 + 12), -23.01, 0.5)
      {
        break
      }
    }
    #expect(bytes.count == 12 + 2 * 32)
    guard bytes.count == 12 + 2 * 32 else { return }
    #expect(word(0) == 1)
    #expect(word(8, 2) == 0 && word(10, 2) == 1)
    #expect(word(12, 2) == 0 && word(14, 2) == 3 && word(16, 2) == 0)
    #expect(isNear(decibels(12 + 8), -20) && isNear(decibels(12 + 12), -23.01, 0.5))
    #expect(word(44, 2) == 1 && word(46, 2) == 3)
  }

  @Test("Identify is heard on its output alone, and refused where that is muted")
  func identify() {
    let client = router.client
    client.send("/meter/subscribe", .s("/matrix/out/{2,3}/meter/post"))
    client.send("/matrix/out/3/mute", .i(1))
    // A machine that is busy elsewhere may leave out most of a second.
    var burst: [Double]?
    for _ in 0..<10 where burst == nil {
      client.send("/matrix/out/2/identify")
      burst = meter(client, "/matrix/out/2/meter/post", within: 60) { $0[1] > -33 && $0[1] < -27 }
    }
    #expect(burst != nil)
    client.send("/matrix/out/3/identify")
    var answers: [Wire.Answer] = []
    for _ in 0..<200 where !answers.contains(where: { $0.address == "/error" }) {
      answers += client.hear().messages
    }
    #expect(answers.last { $0.address == "/error" }?.texts.last?.contains("/mute 0") == true)
    #expect(
      answers.allSatisfy { $0.address != "/matrix/out/3/meter/post" || $0.numbers[0] == -120 })
  }

  @Test("The monitor prints what the router is, levels and each change, and leaves when told to")
  func monitor() {
    let monitor = RunningRouter.start([
      RunningRouter.binary, "monitor", "--osc-port", "\(router.port)",
    ])
    #expect(monitor.nextLine().contains("16 x 16, 48000 Hz"))
    let client = router.client
    var lines: [String] = []
    // Levels come once the router knows it, and then it knows of changes too.
    for _ in 0..<20 where lines.last?.hasPrefix("in -20 ") != true {
      lines.append(monitor.nextLine())
    }
    #expect(lines.last?.hasPrefix("in -20 ") == true)
    client.send(Rig.a, .f(0.5))
    for _ in 0..<20 where lines.last != "\(Rig.a) 0.5" { lines.append(monitor.nextLine()) }
    #expect(lines.last == "\(Rig.a) 0.5")
    let listed = client.ask("/client/list")
    #expect(listed?.texts.first?.hasPrefix("monitor ") == true)
    #expect(monitor.stop() == 0)
    #expect(Rig.reaches(client, "/client/list", 0, milliseconds: 1_000))
  }

  @Test("Without a router the monitor says so in a sentence, with exit code 3")
  func noRouter() {
    let port = RunningRouter.freePort()
    let monitor = RunningRouter.run(["monitor", "--osc-port", "\(port)"])
    #expect(monitor.code == 3)
    #expect(monitor.errors.contains("127.0.0.1:\(port) does not answer"))
    #expect(monitor.errors.filter { $0 == "\n" }.count == 1)
    #expect(monitor.output == "")
  }
}
