import Messages
import Router
import Testing

/// What the monitor makes of what it hears.
@Suite struct MonitorTests {
  private func welcomed(inputs: Int32 = 4, outputs: Int32 = 2) -> MonitorModel {
    var model = MonitorModel()
    let line = model.take(
      "/welcome",
      [
        .string("Stage"), .string("1.2"), .int32(inputs), .int32(outputs), .int32(48_000),
        .int32(0),
      ])
    #expect(line == "Stage 1.2: \(inputs) x \(outputs), 48000 Hz")
    return model
  }

  @Test("A change is a line, the same again is none, and neither is what a dump tells")
  func changes() {
    var model = welcomed()
    let a = "/matrix/in/0/out/1"
    #expect(model.take(a, [.float(0.5)]) == "\(a) 0.5")
    #expect(model.take(a, [.float(0.5)]) == nil)
    _ = model.take("/sync/begin", [.int32(1), .int32(2)])
    #expect(model.take("/matrix/in/2/gain", [.float(1)]) == nil)
    #expect(model.take(a, [.float(0.25)]) == "\(a) 0.25")
    _ = model.take("/sync/end", [.int32(1), .int32(2)])
    #expect(model.take("/matrix/in/2/gain", [.float(1)]) == nil)
    #expect(model.take("/matrix/in/2/gain", [.float(2)]) == "/matrix/in/2/gain 2.0")
  }

  @Test("A line of levels has the highest peaks since the last one, and comes only with readings")
  func levels() {
    var model = welcomed(inputs: 2, outputs: 1)
    #expect(model.levelsLine() == nil)
    for peak in [-30, -10.4, -20] as [Float] {
      _ = model.take(
        "/matrix/in/1/meter/pre",
        [.float(peak), .float(-40), .float(peak), .int32(0), .int32(0), .int32(0)])
    }
    #expect(model.levelsLine() == "in - -10 | out - dBFS")
    #expect(model.levelsLine() == nil)
  }

  @Test("A picture fits its window, whatever the mixer, and obeys no order of a name")
  func picture() {
    var model = welcomed(inputs: 500, outputs: 3)
    _ = model.take("/matrix/in/0/name", [.string("v\u{1B}[2Jox")])
    for number in 0..<100 { _ = model.take("/matrix/in/\(number)/gain", [.float(0.5)]) }
    _ = model.take(
      "/matrix/in/0/meter/pre",
      [.float(.infinity), .float(.nan), .float(1e9), .int32(1), .int32(0), .int32(0)])
    for (height, width) in [(24, 80), (8, 20), (60, 200)] {
      let lines = MonitorScreen(height: height, width: width).lines(of: model)
      #expect(lines.count < height)
      #expect(lines.allSatisfy { $0.count <= width && !$0.contains("\u{1B}") })
    }
    let lines = MonitorScreen(height: 40, width: 120).lines(of: model)
    #expect(lines.contains { $0.contains("in 0 v[2Jox") && $0.contains("-6.0") })
  }

  @Test("Wide characters take two columns, and what would turn the line around is left out")
  func wide() throws {
    var model = welcomed(inputs: 1, outputs: 1)
    let plain = MonitorScreen(height: 20, width: 60).lines(of: model)
    _ = model.take("/matrix/in/0/name", [.string("日本語マイク")])
    _ = model.take("/matrix/out/0/name", [.string("a\u{202E}b")])
    let lines = MonitorScreen(height: 20, width: 60).lines(of: model)
    // Three of them have room behind "in 0 ", and each stands where two narrow ones would.
    let row = try #require(lines.first { $0.contains("in 0 日本語 ") })
    let before = try #require(plain.first { $0.hasPrefix("in 0 ") })
    #expect(row.count + 3 == before.count)
    #expect(row.contains("out 0 ab "))
  }

  @Test("What a stranger sends instead of a router's messages is passed over")
  func nonsense() {
    var model = MonitorModel()
    #expect(
      model.take("/welcome", [.string("x"), .string("y"), .int32(1 << 30), .int32(1)]) == nil)
    #expect(model.take("/client/list", [.int32(9), .string("x")]) == nil)
    #expect(model.take("/matrix/in/99/meter/pre", [.float(0)]) == nil)
    #expect(model.levelsLine() == nil)
  }

  @Test("The monitor takes a host and a port, and nothing that cannot be a router")
  func options() throws {
    guard case .monitor(let plain) = try command("monitor"),
      case .monitor(let other) = try command("monitor", "--host", "::1", "--osc-port", "9010")
    else {
      Issue.record("not a monitor")
      return
    }
    #expect(plain.router.description == "127.0.0.1:9000")
    #expect(other.router.description == "[::1]:9010")
    guard case .monitor(let named) = try command("monitor", "--host", "localhost") else { return }
    #expect(named.router == plain.router)
    #expect(refusal("monitor", "--osc-port", "0")?.contains("port 0") == true)
    #expect(refusal("monitor", "--host", "0.0.0.0")?.contains("0.0.0.0") == true)
    #expect(refusal("monitor", "--host", "stage")?.contains("stage") == true)
    #expect(refusal("run", "--host", "::1")?.contains("belongs to monitor") == true)
  }
}
