import Control
import Glibc
import MatrixCore
import Messages
import Testing

@Suite("Pairs of channels")
struct PairTests {
  private func level(_ rig: Rig, input: Int) -> Double { rig.hub.level(of: rig.shape.input(input)) }
  private func level(_ rig: Rig, output: Int) -> Double {
    rig.hub.level(of: rig.shape.output(output))
  }

  @Test("Any two neighbours can be a pair, a channel is in one pair only")
  func neighbours() throws {
    let rig = try Rig(inputs: 8, outputs: 4)
    rig.send("/matrix/in/1/pair", .int32(1))
    rig.send("/matrix/in/4/pair", .int32(1))
    rig.send("/matrix/out/2/pair", .bool(true))
    #expect(rig.replies().isEmpty)
    #expect((0..<8).map { rig.read("/matrix/in/\($0)/pair") } == [0, 1, 0, 0, 1, 0, 0, 0])
    for (address, text) in [
      (
        "/matrix/in/0/pair",
        "input 1 is in the pair of 1 and 2 already, which /matrix/in/1/pair 0 takes apart"
      ),
      (
        "/matrix/in/2/pair",
        "input 2 is in the pair of 1 and 2 already, which /matrix/in/1/pair 0 takes apart"
      ),
      (
        "/matrix/in/3/pair",
        "input 4 is in the pair of 4 and 5 already, which /matrix/in/4/pair 0 takes apart"
      ),
      ("/matrix/in/7/pair", "input 7 is the last one and has no right neighbour to pair with"),
      (
        "/matrix/out/1/pair",
        "output 2 is in the pair of 2 and 3 already, which /matrix/out/2/pair 0 takes apart"
      ),
      (
        "/matrix/in/*/pair",
        "input 1 is in the pair of 1 and 2 already, which /matrix/in/1/pair 0 takes apart"
      ),
    ] {
      rig.send(address, .bool(true))
      #expect(refusal(rig) == text)
    }
    rig.send("/matrix/in/2/pair", .bool(false))
    #expect(rig.read("/matrix/in/1/pair") == 1)
    rig.bundle([("/matrix/in/1/pair", [.bool(false)]), ("/matrix/in/2/pair", [.bool(true)])])
    #expect(rig.replies().isEmpty)
    rig.bundle([("/matrix/in/0/pair", [.bool(true)]), ("/matrix/in/1/pair", [.bool(true)])])
    #expect(rig.errorCode() == "value")
    #expect((0..<8).map { rig.read("/matrix/in/\($0)/pair") } == [0, 0, 1, 0, 1, 0, 0, 0])
    rig.send("/matrix/in/*/pair", .bool(false))
    rig.send("/matrix/in/{0,2,4,6}/pair", .bool(true))
    #expect(rig.replies().isEmpty)
    #expect((0..<8).map { rig.read("/matrix/in/\($0)/pair") } == [1, 0, 1, 0, 1, 0, 1, 0])
  }

  @Test("Making a pair moves nothing; the next move of either side takes both along")
  func together() throws {
    let rig = try Rig(inputs: 4, outputs: 4)
    rig.send("/matrix/in/1/gain", .float(0.25))
    _ = rig.commands()
    rig.send("/matrix/in/0/pair", .bool(true))
    rig.send("/matrix/out/2/pair", .bool(true))
    #expect(rig.commands().isEmpty)
    #expect(level(rig, input: 0) == 1 && level(rig, input: 1) == 0.25)
    rig.send("/matrix/in/0/gain", .float(0.5))
    #expect(rig.commands().map(\.gain) == [rig.shape.input(0), rig.shape.input(1)])
    #expect(level(rig, input: 0) == 0.5 && level(rig, input: 1) == 0.5)
    rig.send("/matrix/in/1/db", .float(-20), .float(1_000))
    let commands = rig.commands()
    #expect(commands.count == 2 && commands[0].fade == commands[1].fade)
    rig.send("/matrix/in/0/gain", .float(1))
    rig.send("/matrix/in/0/db", .float(-40), .float(1_000))
    _ = rig.commands()
    rig.advance(seconds: 0.5)
    rig.send("/matrix/in/1/touch", .bool(true))
    #expect(abs(20 * log10(level(rig, input: 0)) + 20) < 1e-9)
    #expect(level(rig, input: 0) == level(rig, input: 1))
    #expect(rig.read("/matrix/in/0/touch") == 0)
    rig.send("/matrix/out/3/fader", .float(0.5))
    #expect(level(rig, output: 2) == level(rig, output: 3))
    #expect(level(rig, output: 1) == 1)
    rig.send("/matrix/in/0/pair", .bool(false))
    rig.send("/matrix/in/0/gain", .float(1))
    #expect(level(rig, input: 1) != 1)
  }

  @Test("Mute, solo, solosafe and dim go together, phase and names do not")
  func switches() throws {
    let rig = try Rig(inputs: 4, outputs: 4)
    rig.send("/matrix/in/0/pair", .bool(true))
    rig.send("/matrix/out/0/pair", .bool(true))
    for (address, linked) in [
      ("in/0/mute", "in/1/mute"), ("in/1/solo", "in/0/solo"), ("in/0/solosafe", "in/1/solosafe"),
      ("out/1/mute", "out/0/mute"), ("out/0/dim", "out/1/dim"),
      ("in/2/out/0/mute", "in/2/out/1/mute"), ("in/0/out/3/mute", "in/1/out/3/mute"),
      ("in/0/out/1/mute", "in/1/out/0/mute"),
    ] {
      for on in [true, false] {
        rig.send("/matrix/\(address)", .bool(on))
        #expect(rig.read("/matrix/\(linked)") == (on ? 1 : 0), "\(address)")
      }
    }
    rig.send("/matrix/in/0/phase", .bool(true))
    rig.send("/matrix/out/0/phase", .bool(true))
    rig.send("/matrix/in/0/name", .string("left"))
    #expect(rig.read("/matrix/in/1/phase") == 0)
    #expect(rig.read("/matrix/out/1/phase") == 0)
    #expect(rig.ask("/matrix/in/1/name") == [.string("")])
  }

  @Test("A pair is nudged once, however many of it a pattern meets")
  func nudges() throws {
    let rig = try Rig(inputs: 4, outputs: 4)
    rig.send("/matrix/in/1/pair", .bool(true))
    rig.send("/matrix/out/0/pair", .bool(true))
    rig.send("/matrix/in/*/nudge", .float(-6))
    for input in 0..<4 { #expect(abs((rig.read("/matrix/in/\(input)/db") ?? 0) + 6) < 1e-5) }
    rig.send("/matrix/in/*/out/*", .float(1))
    rig.send("/matrix/in/*/out/*/nudge", .float(-6))
    for input in 0..<4 {
      for output in 0..<4 {
        #expect(abs((rig.read("/matrix/in/\(input)/out/\(output)/db") ?? 0) + 6) < 1e-5)
      }
    }
    rig.send("/matrix/in/1/out/3/nudge", .float(-4))
    #expect(abs((rig.read("/matrix/in/2/out/3/db") ?? 0) + 10) < 1e-5)
  }

  @Test("A level to a pair of outputs is one level with a pan, at constant power")
  func pan() throws {
    let rig = try Rig(inputs: 2, outputs: 4)
    rig.send("/matrix/out/2/pair", .bool(true))
    rig.send("/matrix/in/0/out/2", .float(1))
    #expect(rig.level(0, 2) == 0.5.squareRoot() && rig.level(0, 3) == 0.5.squareRoot())
    #expect(rig.read("/matrix/in/0/out/2/pan") == 0)
    for (pan, left, right) in [
      (-1.0, 1.0, 0.0), (1, 0, 1), (0, 0.5.squareRoot(), 0.5.squareRoot()),
      (-0.5, cos(.pi / 8), sin(.pi / 8)), (0.25, cos(.pi * 0.3125), sin(.pi * 0.3125)),
    ] {
      rig.send("/matrix/in/0/out/3/pan", .double(pan))
      #expect(abs(rig.level(0, 2) - left) < 1e-15)
      #expect(abs(rig.level(0, 3) - right) < 1e-15)
      for output in [2, 3] {
        #expect(rig.read("/matrix/in/0/out/\(output)/pan") == Float(pan))
        #expect(rig.read("/matrix/in/0/out/\(output)") == 1)
        #expect(rig.read("/matrix/in/0/out/\(output)/db") == 0)
      }
    }
    rig.send("/matrix/in/0/out/3/db", .float(-6))
    #expect(rig.read("/matrix/in/0/out/2/pan") == 0.25)
    #expect(rig.read("/matrix/in/0/out/2/db") == -6)
    #expect(abs(rig.level(0, 3) / rig.level(0, 2) - tan(.pi * 0.3125)) < 1e-12)
    #expect(rig.level(1, 2) == 0)
    rig.send("/matrix/in/0/out/2/pan", .float(3))
    #expect(
      rig.replies().last
        == Reply(source: .client(1), address: "/matrix/in/0/out/2/pan", arguments: [.float(1)]))
    for (value, code) in [
      (Argument.float(5), "range"), (.float(.nan), "nan"), (.string("l"), "type"),
    ] {
      rig.send("/matrix/in/0/out/2/pan", value)
      #expect(rig.errorCode() == code)
    }
    rig.send("/matrix/in/0/out/2/pan", .float(0), .float(100))
    #expect(refusal(rig) == "a pan takes one value from -1 to 1; it has no duration")
  }

  @Test("A pan needs a pair; without one it reads as the middle")
  func unpaired() throws {
    let rig = try Rig(inputs: 2, outputs: 4)
    #expect(rig.read("/matrix/in/0/out/2/pan") == 0)
    rig.send("/matrix/in/0/out/2/pan", .float(0))
    #expect(rig.replies().isEmpty)
    rig.send("/matrix/in/0/out/2/pan", .float(-1))
    #expect(
      refusal(rig)
        == "output 2 has no pair to pan across; /matrix/out/2/pair 1 makes one with output 3")
    rig.send("/matrix/in/0/out/3/pan", .float(-1))
    #expect(refusal(rig) == "output 3 has no pair to pan across")
    rig.bundle([("/matrix/out/2/pair", [.bool(true)]), ("/matrix/in/0/out/3/pan", [.float(-1)])])
    #expect(rig.replies().isEmpty)
    // A pan that waits for its time may find the pair gone.
    rig.bundle([("/matrix/in/0/out/3/pan", [.float(1)])], time: rig.tag(1))
    rig.send("/matrix/out/2/pair", .bool(false))
    rig.advance(seconds: 1)
    _ = rig.commands()
    #expect(refusal(rig) == "output 3 has no pair to pan across")
  }

  @Test("A pan is kept through off, and a source that is a pair comes up left and right")
  func off() throws {
    let rig = try Rig(inputs: 4, outputs: 2)
    rig.send("/matrix/out/0/pair", .bool(true))
    rig.send("/matrix/in/0/out/0/pan", .float(-0.5))
    #expect(rig.read("/matrix/in/0/out/1/pan") == -0.5)
    #expect(rig.sounding().isEmpty)
    rig.send("/matrix/in/0/out/0", .float(0.5))
    #expect(rig.read("/matrix/in/0/out/0/pan") == -0.5)
    rig.send("/matrix/in/0/out/1/fader", .float(0))
    #expect(rig.sounding().isEmpty)
    rig.send("/matrix/in/0/out/1/fader", .float(0.75))
    #expect(rig.read("/matrix/in/0/out/0/pan") == -0.5)
    #expect(rig.read("/matrix/in/0/out/0") == 1)

    rig.send("/matrix/in/2/pair", .bool(true))
    rig.send("/matrix/in/2/out/0", .float(1))
    #expect([rig.level(2, 0), rig.level(2, 1), rig.level(3, 0), rig.level(3, 1)] == [1, 0, 0, 1])
    rig.send("/matrix/in/3/out/0/db", .float(-20))
    #expect(rig.read("/matrix/in/2/out/1/db") == -20)
    #expect(abs(rig.level(3, 1) - 0.1) < 1e-12 && rig.level(3, 0) == 0)
    rig.send("/matrix/in/2/out/0/pan", .float(-0.25))
    #expect(rig.read("/matrix/in/3/out/0/pan") == 0.25)
    #expect(abs(rig.level(2, 0) - rig.level(3, 1)) < 1e-15)
    #expect(abs(rig.level(2, 1) - rig.level(3, 0)) < 1e-15)
  }

  @Test("A pair of inputs to one output is one level to it")
  func toMono() throws {
    let rig = try Rig(inputs: 4, outputs: 2)
    rig.send("/matrix/in/0/pair", .bool(true))
    rig.send("/matrix/in/1/out/1", .float(0.5), .float(100))
    #expect(rig.level(0, 1) == 0.5 && rig.level(1, 1) == 0.5)
    #expect(rig.level(0, 0) == 0)
    #expect(rig.commands().map(\.fade.durationFrames) == [4_800, 4_800])
  }

  @Test("A pan while a level fades leaves the fade running")
  func panWhileFading() throws {
    let rig = try Rig(inputs: 1, outputs: 2)
    rig.send("/matrix/out/0/pair", .bool(true))
    rig.send("/matrix/in/0/out/0", .float(1))
    rig.send("/matrix/in/0/out/0", .float(0.5), .float(1_000), .string("lin"))
    _ = rig.commands()
    rig.advance(seconds: 0.5)
    rig.send("/matrix/in/0/out/0/pan", .float(-1))
    #expect(rig.read("/matrix/in/0/out/1/now") == 0.75)
    #expect(rig.read("/matrix/in/0/out/1") == 0.5)
    let commands = rig.commands()
    #expect(commands.map(\.fade.end) == [0.5, 0])
    #expect(abs(commands[0].fade.start - 0.75) < 1e-12)
    #expect(commands[0].fade.durationFrames == 24_000)
    rig.advance(seconds: 0.25)
    #expect(abs((rig.read("/matrix/in/0/out/1/now") ?? 0) - 0.625) < 1e-6)
    rig.send("/matrix/in/0/out/0/stop")
    #expect(abs((rig.read("/matrix/in/0/out/0") ?? 0) - 0.625) < 1e-6)
  }

  @Test("Lists set and read each gain by itself, whatever it is paired with")
  func lists() throws {
    let rig = try Rig(inputs: 2, outputs: 2)
    rig.send("/matrix/in/0/pair", .bool(true))
    rig.send("/matrix/out/0/pair", .bool(true))
    rig.send("/matrix/all", .float(0.6), .float(0.8), .float(0.1), .float(0.2))
    #expect(rig.ask("/matrix/row/0") == [.float(0.6), .float(0.8)])
    #expect(rig.ask("/matrix/col/1") == [.float(0.8), .float(0.2)])
    #expect(rig.read("/matrix/in/0/out/1") == 1)
    rig.send("/matrix/set", .int32(0), .int32(0), .float(0.8))
    #expect(rig.level(0, 1) == Double(Float(0.8)) && rig.level(1, 0) == Double(Float(0.1)))
    #expect(rig.read("/matrix/in/0/out/1/pan") == 0)
    rig.send("/matrix/row/0", .float(3), .float(3))
    #expect(rig.read("/matrix/in/0/out/0/db") == 10)
    rig.send("/matrix/in/0/out/0/db", .float(10))
    #expect(rig.ask("/matrix/row/0") == [.float(3), .float(3)])
    rig.send("/matrix/clear")
    #expect(rig.read("/matrix/in/0/out/1") == 0)
  }

  @Test("What was read of pairs and pans and is written back changes nothing, ten thousand times")
  func writtenBack() throws {
    let rig = try Rig(inputs: 4, outputs: 4)
    var random = SeededRandom(seed: 11)
    rig.send("/matrix/in/1/pair", .bool(true))
    rig.send("/matrix/out/1/pair", .bool(true))
    for _ in 0..<40 {
      let input = Int.random(in: 0..<4, using: &random)
      rig.send(
        "/matrix/in/\(input)/out/1", .float(Float.random(in: 0...3, using: &random)))
      rig.send(
        "/matrix/in/\(input)/out/2/pan", .float(Float.random(in: -1...1, using: &random)))
      rig.send("/matrix/set", .int32(0), .int32(2), .float(.random(in: 0...3, using: &random)))
      rig.send("/matrix/in/\(input)/db", .float(.random(in: -90...10, using: &random)))
      _ = rig.commands()
      let revision = rig.hub.revision
      for pattern in ["in/*/{gain,pair}", "in/*/out/*/pan", "in/*/out/*/db", "in/*/out/*/fader"] {
        for part in pattern.contains("{") ? ["in/*/gain", "in/*/pair", "out/*/pair"] : [pattern] {
          rig.send("/matrix/\(part)")
          for reply in rig.replies() {
            var batch = MessageBatch()
            batch.append(address: reply.address, arguments: reply.arguments)
            rig.perform(batch)
          }
        }
      }
      #expect(rig.replies().isEmpty)
      #expect(rig.commands().isEmpty)
      #expect(rig.hub.revision == revision)
    }
  }

  @Test("Whoever moves one side hears of the other")
  func observed() throws {
    final class Observer: HubObserver {
      var changes: [String] = []
      func hubChanged(_ target: Target, by source: Source) {
        changes.append("\(ParameterTable.address(of: target)) \(source)")
      }
    }
    let rig = try Rig(inputs: 4, outputs: 4)
    rig.send("/matrix/in/0/pair", .bool(true))
    rig.send("/matrix/out/0/pair", .bool(true))
    let observer = Observer()
    rig.hub.addObserver(observer)
    let client = "\(Source.client(1))"
    for (address, value, changes) in [
      (
        "/matrix/in/0/gain", Argument.float(0.5),
        ["/matrix/in/0/gain \(client)", "/matrix/in/1/gain local"]
      ),
      (
        "/matrix/in/1/mute", .bool(true),
        ["/matrix/in/1/mute \(client)", "/matrix/in/0/mute local"]
      ),
      (
        "/matrix/in/2/out/1", .float(1),
        ["/matrix/in/2/out/0/gain local", "/matrix/in/2/out/1/gain \(client)"]
      ),
      (
        "/matrix/in/2/out/0/pan", .float(1),
        ["/matrix/in/2/out/0/pan \(client)", "/matrix/in/2/out/1/pan local"]
      ),
    ] {
      observer.changes = []
      rig.send(address, value)
      #expect(observer.changes == changes)
    }
  }

  @Test("A number in a wrong unit takes a raised pair down to unity whole")
  func wrongUnit() throws {
    let rig = try Rig(inputs: 4, outputs: 2)
    rig.send("/matrix/in/0/pair", .bool(true))
    rig.send("/matrix/out/0/pair", .bool(true))
    rig.send("/matrix/in/0/gain", .float(2))
    rig.send("/matrix/in/1/gain", .float(100))
    #expect(rig.errorCode() == "range")
    #expect(level(rig, input: 0) == 1 && level(rig, input: 1) == 1)
    rig.send("/matrix/in/2/out/0", .float(1.2))
    rig.send("/matrix/in/2/out/1", .float(100))
    #expect(rig.errorCode() == "range")
    #expect(rig.read("/matrix/in/2/out/0") == 1)
    #expect(rig.read("/matrix/in/2/out/0/pan") == 0)
  }
}
