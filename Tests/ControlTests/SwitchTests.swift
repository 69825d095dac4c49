import Control
import MatrixCore
import Messages
import Testing

@Suite struct SwitchTests {
  private func factors(_ rig: Rig) -> [Double] {
    (0..<rig.shape.inputs).map { rig.hub.factor(of: rig.shape.input($0)) }
  }

  @Test("Mute beats solo, solo silences the others, solosafe stays: the whole truth table")
  func soloTable() throws {
    for bits in 0..<16 {
      let rig = try Rig(inputs: 3, outputs: 2)
      let (mute, solo, safe, other) =
        (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0, bits & 8 != 0)
      rig.send("/matrix/in/0/mute", .bool(mute))
      rig.send("/matrix/in/0/solo", .bool(solo))
      rig.send("/matrix/in/0/solosafe", .bool(safe))
      rig.send("/matrix/in/1/solo", .bool(other))
      let anySolo = solo || other
      #expect(
        factors(rig) == [
          mute || (anySolo && !solo && !safe) ? 0 : 1, anySolo && !other ? 0 : 1, anySolo ? 0 : 1,
        ])
    }
  }

  @Test("Solo moves every input once when it begins and when it ends, one input in between")
  func soloCommands() throws {
    let rig = try Rig(inputs: 4, outputs: 2)
    let inputs = (0..<4).map { rig.shape.input($0) }
    rig.send("/matrix/in/1/solo", .int32(1))
    var commands = rig.commands()
    #expect(commands.map(\.gain) == inputs)
    #expect(commands.map(\.factor) == [0, 1, 0, 0])
    rig.send("/matrix/in/2/solo", .int32(1))
    #expect(rig.commands().map(\.gain) == [inputs[2]])
    rig.send("/matrix/in/2/solo", .int32(1))
    #expect(rig.commands().isEmpty)
    rig.send("/matrix/solo/clear")
    commands = rig.commands()
    #expect(commands.map(\.gain) == inputs)
    #expect(commands.map(\.factor) == [1, 1, 1, 1])
    rig.send("/matrix/solo/clear")
    #expect(rig.commands().isEmpty)
    #expect(rig.read("/matrix/in/1/solo") == 0)
  }

  @Test("Phase turns the factor over, dim turns it down, and both work together")
  func phaseAndDim() throws {
    let rig = try Rig()
    let output = rig.shape.output(3)
    rig.send("/matrix/out/3/phase", .int32(1))
    #expect(rig.hub.factor(of: output) == -1)
    rig.send("/matrix/out/3/dim", .int32(1))
    #expect(abs(rig.hub.factor(of: output) + 0.1) < 1e-15)
    rig.send("/matrix/out/3/mute", .int32(1))
    #expect(rig.hub.factor(of: output) == 0)
    rig.send("/matrix/out/3/mute", .int32(0))
    rig.send("/matrix/out/3/phase", .int32(0))
    rig.send("/matrix/master/dim", .int32(1))
    _ = rig.commands()
    rig.send("/config/dim", .float(-40))
    let commands = rig.commands()
    #expect(commands.map(\.gain) == [output, rig.shape.master])
    #expect(commands.allSatisfy { abs($0.factor - 0.01) < 1e-15 })
    #expect(rig.read("/config/dim") == -40)
    rig.send("/config/dim", .float(-40))
    #expect(rig.commands().isEmpty)
    rig.send("/config/dim", .float(5))
    #expect(
      rig.replies()
        == [Reply(source: .client(1), address: "/config/dim", arguments: [.float(0)])])
    rig.send("/config/dim", .float(-300))
    #expect(rig.errorCode() == "range")
  }

  @Test("A mute during a fade neither stops it nor is undone by it")
  func muteDuringFade() throws {
    let rig = try Rig()
    rig.send("/matrix/in/0/out/1", .float(1), .float(1_000))
    let fade = try #require(rig.commands().first).fade
    rig.advance(seconds: 0.25)
    rig.send("/matrix/in/0/out/1/mute", .int32(1))
    var command = try #require(rig.commands().first)
    #expect(command.fade == fade)
    #expect(command.factor == 0)
    rig.advance(seconds: 0.25)
    rig.send("/matrix/in/0/out/1", .float(0.5), .float(1_000))
    command = try #require(rig.commands().first)
    #expect(command.factor == 0)
    #expect(command.fade.start == fade.level(at: 24_000))
    rig.send("/matrix/in/0/out/1/mute", .int32(0))
    #expect(try #require(rig.commands().first).factor == 1)
    #expect(rig.read("/matrix/in/0/out/1") == 0.5)
  }

  @Test("A switch that stands already moves nothing")
  func unchanged() throws {
    let rig = try Rig()
    rig.send("/matrix/in/0/mute", .int32(1))
    let revision = rig.hub.revision
    #expect(rig.commands().count == 1)
    rig.send("/matrix/in/0/mute", .int32(1))
    #expect(rig.commands().isEmpty)
    #expect(rig.hub.revision == revision)
  }

  @Test("Only the switches of a stage exist there")
  func missing() throws {
    let rig = try Rig()
    for address in [
      "/matrix/in/0/dim", "/matrix/out/0/solo", "/matrix/out/0/solosafe", "/matrix/master/solo",
      "/matrix/master/phase", "/matrix/master/name", "/matrix/in/0/out/0/solo",
      "/matrix/in/0/out/0/name", "/matrix/in/0/out/0/dim",
    ] {
      rig.send(address, .int32(1))
      #expect(rig.errorCode() == "address", "\(address)")
    }
  }

  @Test("Names are texts of a bounded length without control characters")
  func names() throws {
    let rig = try Rig()
    #expect(rig.ask("/matrix/in/0/name") == [.string("")])
    rig.send("/matrix/in/0/name", .string("vox é 1"))
    rig.send("/matrix/out/15/name", .string("wedge"))
    #expect(rig.ask("/matrix/in/0/name") == [.string("vox é 1")])
    #expect(rig.ask("/matrix/out/15/name") == [.string("wedge")])
    rig.send("/matrix/in/0/name", .int32(3))
    #expect(rig.errorCode() == "type")
    rig.send("/matrix/in/0/name", .string("a\nb"))
    #expect(rig.errorCode() == "value")
    rig.send("/matrix/in/0/name", .string("vo\u{FFFD}x"))
    #expect(rig.errorCode() == "value")
    rig.send("/matrix/in/0/name", .string(String(repeating: "é", count: 33)))
    #expect(rig.errorCode() == "size")
    rig.send("/matrix/in/0/name", .string(String(repeating: "é", count: 32)))
    #expect(rig.replies().isEmpty)
    #expect(rig.commands().isEmpty)
  }
}
