import Control
import Handoff
import MatrixCore
import Messages
import Testing

@Suite struct MixerAddressTests {
  @Test("Dimensions, levels, rows and columns answer in Apple's order")
  func tables() throws {
    let rig = try Rig(inputs: 2, outputs: 3)
    rig.send("/matrix/all", .float(0.01), .float(0.02), .float(0.03), .float(0.11), .float(0.12))
    rig.send("/matrix/in/1/gain", .float(0.5))
    rig.send("/matrix/out/2/gain", .float(0.25))
    rig.send("/matrix/master/gain", .float(0.125))
    #expect(rig.ask("/matrix/dimensions") == [.int32(2), .int32(3)])
    #expect(
      rig.ask("/matrix/levels")
        == [0.01, 0.02, 0.03, 1, 0.11, 0.12, 0, 0.5, 1, 1, 0.25, 0.125].map { Argument.float($0) })
    #expect(rig.ask("/matrix/row/1") == [.float(0.11), .float(0.12), .float(0)])
    #expect(rig.ask("/matrix/col/1") == [.float(0.02), .float(0.12)])
    #expect(
      rig.ask("/matrix/all")
        == [0.01, 0.02, 0.03, 0.11, 0.12, 0].map { Argument.float($0) })
  }

  @Test("A table too large for a datagram is refused, one that fits is not")
  func tooLarge() throws {
    let rig = try Rig(inputs: 128, outputs: 128)
    for address in ["/matrix/levels", "/matrix/all"] {
      rig.send(address)
      #expect(rig.errorCode() == "size")
    }
    #expect(rig.ask("/matrix/row/127")?.count == 128)
    let smaller = try Rig(inputs: 64, outputs: 64)
    #expect(smaller.ask("/matrix/levels")?.count == 65 * 65)
  }

  @Test("Clear takes crosspoints to off and leaves mutes, identity makes a diagonal")
  func clearAndIdentity() throws {
    let rig = try Rig(inputs: 3, outputs: 2)
    rig.send("/matrix/row/1", .float(0.5), .float(0.25))
    rig.send("/matrix/in/1/out/0/mute", .bool(true))
    rig.send("/matrix/in/1/gain", .float(0.5))
    _ = rig.commands()
    rig.send("/matrix/identity")
    #expect(rig.sounding() == [[0, 0], [1, 1]])
    #expect(rig.level(0, 0) == 1)
    #expect(rig.commands().count == 3)
    rig.send("/matrix/clear", .float(500))
    #expect(rig.sounding().isEmpty)
    let commands = rig.commands()
    #expect(commands.map(\.fade.durationFrames) == [24_000, 24_000])
    #expect(commands.map(\.fade.start) == [1, 1])
    #expect(rig.read("/matrix/in/1/out/0/mute") == 1)
    #expect(rig.read("/matrix/in/1/gain") == 0.5)
    rig.send("/matrix/clear")
    #expect(rig.commands().map(\.fade.durationFrames) == [0, 0])
    rig.send("/matrix/clear")
    #expect(rig.commands().isEmpty)
  }

  @Test("A trigger acts when pressed and not when let go")
  func releases() throws {
    let rig = try Rig(inputs: 2, outputs: 2)
    for release in [Argument.float(0), .int32(0), .bool(false), .float(0.49), .int32(-1)] {
      rig.send("/matrix/identity", release)
      rig.send("/engine/panic", release)
      rig.send("/matrix/solo/clear", release)
    }
    #expect(rig.sounding().isEmpty)
    #expect(!rig.board.isPanicking)
    #expect(rig.hub.counters.ignoredReleases == 15)
    #expect(rig.replies().isEmpty)
    for press in [Argument.float(1), .int32(127), .bool(true), .impulse] {
      rig.send("/matrix/clear")
      rig.send("/engine/resume")
      rig.send("/matrix/identity", press)
      rig.send("/engine/panic", press)
      #expect(rig.sounding() == [[0, 0], [1, 1]])
      #expect(rig.board.isPanicking)
    }
    rig.send("/engine/resume")
    #expect(!rig.board.isPanicking)
    rig.send("/matrix/clear", .int32(1), .int32(1))
    #expect(rig.errorCode() == "count")
    rig.send("/engine/panic", .string("now"))
    #expect(rig.errorCode() == "type")
    rig.send("/engine/panic", .float(.nan))
    #expect(rig.errorCode() == "nan")
  }

  @Test("A ping comes back with what it carried")
  func ping() throws {
    let rig = try Rig()
    let carried: [Argument] = [
      .int32(1), .int64(2), .float(3), .double(4), .string("five"), .bool(true), .null, .impulse,
    ]
    var batch = MessageBatch()
    batch.append(address: "/ping", arguments: carried)
    rig.perform(batch, from: .client(9))
    #expect(
      rig.replies() == [Reply(source: .client(9), address: "/pong", arguments: carried)])
    rig.send("/ping", .other(UInt8(ascii: "b")))
    #expect(rig.errorCode() == "type")
  }

  @Test("Info, tapers and the engine's status say what they are")
  func status() throws {
    let rig = try Rig(inputs: 4, outputs: 2, taper: .ardour)
    #expect(
      rig.ask("/info") == [
        .string("crosspoint"), .string("1.2"), .string("test"), .int32(4), .int32(2),
        .int32(48_000),
      ])
    #expect(rig.ask("/config/taper") == [.string("ardour")])
    #expect(rig.ask("/config/glide") == [.float(5)])
    rig.board.count(.xruns, by: 3)
    rig.send("/nowhere")
    rig.hub.statusSources.append { [("datagrams", .int64(17))] }
    let answer = try #require(rig.ask("/engine/status"))
    var values: [String: Argument] = [:]
    for pair in stride(from: 0, to: answer.count, by: 2) {
      guard case .string(let name) = answer[pair] else {
        Issue.record("names and values take turns")
        return
      }
      #expect(values[name] == nil, "\(name) is there once")
      values[name] = answer[pair + 1]
    }
    #expect(values["state"] == .string("running"))
    #expect(values["xruns"] == .int64(3))
    #expect(values["refused_address"] == .int64(1))
    #expect(values["datagrams"] == .int64(17))
    #expect(values["period"] == .int32(64))
    for counter in EngineCounter.allCases { #expect(values[counter.name] != nil) }
    for (name, _) in rig.hub.counters.named { #expect(values[name] != nil) }
    rig.board.setPanic(true)
    #expect(rig.ask("/engine/status")?[1] == .string("panic"))
  }

  @Test("An error inside ours refuses the whole bundle; what is not ours is skipped and counted")
  func wholeOrNothing() throws {
    let rig = try Rig()
    rig.bundle([
      ("/matrix/in/0/out/1", [.float(0.5)]), ("/synth/cutoff", [.float(1)]),
      ("/matrix/in/0/out/2", [.float(0.5)]), ("/pong", []), ("/error", [.string("x")]),
    ])
    #expect(rig.replies().isEmpty)
    #expect(rig.sounding() == [[0, 1], [0, 2]])
    #expect(rig.hub.counters.foreignMessages == 1)
    #expect(rig.hub.counters.ignoredAnswers == 2)
    rig.bundle([
      ("/matrix/in/0/out/3", [.float(0.5)]), ("/matrix/in/0/out/99", [.float(0.5)]),
      ("/matrix/in/0/out/4", [.float(0.5)]),
    ])
    #expect(rig.errorCode() == "index")
    #expect(rig.sounding() == [[0, 1], [0, 2]])
    // Alone, an unknown address is somebody's mistake and not somebody else's message.
    rig.send("/synth/cutoff", .float(1))
    #expect(rig.errorCode() == "address")
    rig.send("/error", .string("/matrix"), .string("address"), .string("…"))
    rig.send("/pong", .int32(1))
    #expect(rig.replies().isEmpty)
  }

  @Test("An unknown address is answered with the nearest known one")
  func hints() throws {
    let rig = try Rig()
    for (sent, hint) in [
      ("/matrix/in/0/out/1/gian", "did you mean /matrix/in/0/out/1/gain?"),
      ("/matix/in/0/mute", "did you mean /matrix/in/0/mute?"),
      ("/matrix/master/fadr", "did you mean /matrix/master/fader?"),
      ("/matrix/master", "it goes on with gain, db"), ("matrix/master/gain", "begins with a slash"),
    ] {
      rig.send(sent, .float(1))
      let replies = rig.replies()
      #expect(replies.count == 1)
      guard case .string(let text) = replies.first?.arguments.last else {
        Issue.record("an error is expected")
        continue
      }
      #expect(text.contains(hint), "\(text)")
    }
    rig.send("", .float(1))
    #expect(rig.errorCode() == "address")
    rig.send("/", .float(1))
    #expect(rig.errorCode() == "address")
    rig.send("/matrix/in/0/mute/", .float(1))
    #expect(rig.errorCode() == "address")
    rig.send("//matrix/in/0/mute", .float(1))
    #expect(rig.errorCode() == "address")
  }
}
