import Control
import MatrixCore
import Messages
import Testing

/// The text of the only reply, when it is an error.
func refusal(_ rig: Rig) -> String? {
  let replies = rig.replies()
  guard replies.count == 1, replies[0].isError, case .string(let text) = replies[0].arguments[2]
  else { return nil }
  return text
}

@Suite("Groups")
struct GroupTests {
  private func drums() throws -> Rig {
    let rig = try Rig(inputs: 4, outputs: 4)
    rig.send("/matrix/group/0/members", .string("/matrix/in/[0-1]"), .string("/matrix/in/2/out/3"))
    #expect(rig.replies().isEmpty)
    _ = rig.commands()
    return rig
  }

  private func factors(_ rig: Rig) -> [Int32: Double] {
    Dictionary(uniqueKeysWithValues: rig.commands().map { ($0.gain.index, $0.factor) })
  }

  @Test("There are 64 groups from the start, at unity, unmuted, without members or names")
  func start() throws {
    let rig = try Rig(inputs: 2, outputs: 2)
    for group in [0, 7, 63] {
      #expect(rig.read("/matrix/group/\(group)/db") == 0)
      #expect(rig.read("/matrix/group/\(group)/gain") == 1)
      #expect(rig.read("/matrix/group/\(group)/fader") == 0.75)
      #expect(rig.read("/matrix/group/\(group)/mute") == 0)
      #expect(rig.ask("/matrix/group/\(group)/members") == [.string("")])
      #expect(rig.ask("/matrix/group/\(group)/name") == [.string("")])
    }
    for number in ["64", "99", "-1", "01"] {
      rig.send("/matrix/group/\(number)/db", .float(0))
      #expect(refusal(rig) == "groups have the numbers 0 to 63")
    }
    rig.send("/matrix/group/drums/db", .float(0))
    #expect(refusal(rig) == "no group is called drums; groups have the numbers 0 to 63")
    rig.send("/matrix/group/3/db", .float(-10))
    rig.send("/matrix/group/3/mute", .bool(true))
    #expect(rig.commands().isEmpty)
  }

  @Test("A group's level multiplies the factors of its members and moves no level")
  func level() throws {
    let rig = try drums()
    rig.send("/matrix/in/0/gain", .float(0.5))
    _ = rig.commands()
    rig.send("/matrix/group/0/db", .float(-20))
    let commands = rig.commands()
    #expect(
      commands.map(\.gain) == [
        rig.shape.input(0), rig.shape.input(1), rig.shape.crosspoint(input: 2, output: 3),
      ])
    #expect(commands.allSatisfy { abs($0.factor - 0.1) < 1e-12 })
    #expect(commands.map(\.fade.end) == [0.5, 1, 0])
    #expect(rig.read("/matrix/in/0/gain") == 0.5)
    #expect(rig.read("/matrix/in/1/gain") == 1)
    // A level that moves later keeps the factor.
    rig.send("/matrix/in/1/gain", .float(0.25))
    #expect(factors(rig).values.allSatisfy { abs($0 - 0.1) < 1e-12 })
    rig.send("/matrix/group/0/gain", .float(1))
    #expect(factors(rig).values.allSatisfy { $0 == 1 })
  }

  @Test("Several groups multiply, and together raise a member by 10 dB at most")
  func several() throws {
    let rig = try drums()
    rig.send("/matrix/group/1/members", .string("/matrix/in/0"))
    rig.send("/matrix/group/0/gain", .float(0.5))
    rig.send("/matrix/group/1/gain", .float(0.25))
    #expect(rig.hub.factor(of: rig.shape.input(0)) == 0.125)
    #expect(rig.hub.factor(of: rig.shape.input(1)) == 0.5)
    rig.send("/matrix/group/{0,1}/db", .float(10))
    #expect(rig.hub.factor(of: rig.shape.input(0)) == Level.maximum)
    #expect(rig.hub.factor(of: rig.shape.input(1)) == Level.maximum)
    rig.send("/matrix/group/0/db", .float(-120))
    #expect(rig.hub.factor(of: rig.shape.input(0)) == 0)
    #expect(factors(rig).values.allSatisfy { $0 == 0 })
  }

  @Test("A group's mute silences its members beside their own mutes and solo")
  func mute() throws {
    let rig = try drums()
    rig.send("/matrix/in/0/phase", .bool(true))
    rig.send("/matrix/in/1/mute", .bool(true))
    _ = rig.commands()
    rig.send("/matrix/group/0/mute", .bool(true))
    #expect(Set(factors(rig).values) == [0])
    #expect(rig.read("/matrix/in/0/mute") == 0)
    #expect(rig.read("/matrix/group/0/mute") == 1)
    rig.send("/matrix/group/0/mute", .bool(false))
    #expect(rig.hub.factor(of: rig.shape.input(0)) == -1)
    #expect(rig.hub.factor(of: rig.shape.input(1)) == 0)
    #expect(Set(factors(rig).values) == [-1, 0, 1])
    rig.send("/matrix/group/0/mute", .bool(false))
    #expect(rig.commands().isEmpty)
  }

  @Test("Members are addresses or patterns, with or without the last word of a level")
  func members() throws {
    let rig = try Rig(inputs: 4, outputs: 4)
    let shape = rig.shape
    for (words, gains) in [
      (["/matrix/in/1"], [shape.input(1)]), (["/matrix/in/1/fader"], [shape.input(1)]),
      (["/matrix/out/2/db", "/matrix/master"], [shape.output(2), shape.master]),
      (["/matrix/in/0/out/3"], [shape.crosspoint(input: 0, output: 3)]),
      (["/matrix/in/0/out/3/gain"], [shape.crosspoint(input: 0, output: 3)]),
      (["/matrix/in/[2-3]"], [shape.input(2), shape.input(3)]),
      (["/matrix/in/1/out/*"], (0..<4).map { shape.crosspoint(input: 1, output: $0) }),
      (["/matrix/{in,out}/0"], [shape.input(0), shape.output(0)]),
      (["/matrix/in/{0,1}/gain", "/matrix/in/1"], [shape.input(0), shape.input(1)]),
    ] {
      rig.send("/matrix/group/5/gain", .float(1))
      var batch = MessageBatch()
      batch.append(address: "/matrix/group/5/members", arguments: words.map { .string($0) })
      rig.perform(batch)
      #expect(rig.replies().isEmpty, "\(words)")
      _ = rig.commands()
      rig.send("/matrix/group/5/gain", .float(0.5))
      #expect(Set(rig.commands().map(\.gain)) == Set(gains), "\(words)")
    }
    #expect(
      rig.ask("/matrix/group/5/members")
        == [.string("/matrix/in/{0,1}/gain"), .string("/matrix/in/1")])
  }

  @Test("Who leaves a group and who joins one glides to where that takes it")
  func leaving() throws {
    let rig = try drums()
    rig.send("/matrix/group/0/gain", .float(0.5))
    _ = rig.commands()
    let revision = rig.hub.revision
    rig.send("/matrix/group/0/members", .string("/matrix/in/[0-1]"), .string("/matrix/in/2/out/3"))
    #expect(rig.commands().isEmpty)
    #expect(rig.hub.revision == revision)
    rig.send("/matrix/group/0/members", .string("/matrix/in/1"), .string("/matrix/in/3"))
    #expect(
      factors(rig) == [
        rig.shape.input(0).index: 1, rig.shape.crosspoint(input: 2, output: 3).index: 1,
        rig.shape.input(3).index: 0.5,
      ])
    rig.send("/matrix/group/0/members", .string(""))
    #expect(
      factors(rig) == [rig.shape.input(1).index: 1, rig.shape.input(3).index: 1])
    #expect(rig.ask("/matrix/group/0/members") == [.string("")])
    rig.send("/matrix/group/0/members", .string(""))
    #expect(rig.hub.revision == revision + 2)
  }

  @Test("Members named by names are remembered by numbers, because names change")
  func names() throws {
    let rig = try Rig(inputs: 4, outputs: 4)
    rig.bundle([
      ("/matrix/in/1/name", [.string("vox")]), ("/matrix/in/2/name", [.string("vox-2")]),
      ("/matrix/group/9/name", [.string("singers")]),
      (
        "/matrix/group/singers/members",
        [.string("/matrix/in/vox"), .string("/matrix/in/vo*/out/0"), .string("/matrix/in/*/out/3")]
      ),
    ])
    #expect(rig.replies().isEmpty)
    #expect(
      rig.ask("/matrix/group/9/members")
        == [
          "/matrix/in/1", "/matrix/in/1/out/0", "/matrix/in/2/out/0", "/matrix/in/*/out/3",
        ].map { Argument.string($0) })
    rig.send("/matrix/in/1/name", .string("keys"))
    rig.send("/matrix/group/sing*/db", .float(-20))
    #expect(rig.replies().isEmpty)
    #expect(abs(rig.hub.factor(of: rig.shape.input(1)) - 0.1) < 1e-12)
    rig.send("/matrix/in/3/name", .string("singers"))
    #expect(rig.replies().isEmpty)
    rig.send("/matrix/group/3/name", .string("singers"))
    #expect(refusal(rig) == "group 9 is called singers already; lower-case words must differ")
  }

  @Test("What cannot be a member is refused with a sentence, and the group stays as it was")
  func refusals() throws {
    let rig = try drums()
    let known = "/matrix/group/0/members"
    for (word, text) in [
      ("/matrix/in/9", "inputs have the numbers 0 to 3"),
      ("/matrix/in/0/out/4", "outputs have the numbers 0 to 3"),
      ("/matrix/group/1", "/matrix/group/1: a group cannot be a member of a group"),
      ("/matrix/*/0", "/matrix/*/0: a group cannot be a member of a group"),
      (
        "/matrix/in/0/mute",
        "/matrix/in/0/mute: members are inputs, outputs, crosspoints or the master"
      ),
      ("/engine/panic", "/engine/panic: members are inputs, outputs, crosspoints or the master"),
      (
        "/matrix/in/{9,10}",
        "/matrix/in/{9,10}: members are inputs, outputs, crosspoints or the master"
      ),
      ("vox", "vox: members are inputs, outputs, crosspoints or the master"),
      (
        "/matrix/in/" + String(repeating: "*", count: 100),
        "an address of a member has at most 100 bytes"
      ),
    ] {
      rig.send(known, .string("/matrix/in/3"), .string(word))
      #expect(refusal(rig) == text)
    }
    rig.send(known, .int32(3))
    #expect(refusal(rig) == "members are texts: addresses or patterns of inputs and the like")
    rig.send(known, .string("/matrix/in/3"), .string(""))
    #expect(rig.errorCode() == "address")
    #expect(
      rig.ask(known) == [.string("/matrix/in/[0-1]"), .string("/matrix/in/2/out/3")])
    #expect(rig.commands().isEmpty)
  }

  @Test("A group's members are written with 512 addresses at most, and the answer fits a datagram")
  func many() throws {
    let rig = try Rig(inputs: 32, outputs: 32)
    let words = (0..<513).map { Argument.string("/matrix/in/\($0 / 32)/out/\($0 % 32)") }
    var batch = MessageBatch()
    batch.append(address: "/matrix/group/0/members", arguments: words)
    rig.perform(batch)
    #expect(
      refusal(rig)
        == "a group's members are written with 512 addresses at most; a pattern of numbers stands "
        + "for many")
    batch.removeAll()
    batch.append(address: "/matrix/group/0/members", arguments: Array(words.dropLast()))
    rig.perform(batch)
    #expect(rig.ask("/matrix/group/0/members") == Array(words.dropLast()))
    rig.send("/matrix/group/*/members")
    let replies = rig.replies()
    #expect(replies.count == 64)
    #expect(replies.allSatisfy { !$0.isError })
    rig.send("/matrix/group/0/members", .string("/matrix/in/*/out/*"))
    rig.send("/matrix/group/0/gain", .float(0.5))
    #expect(rig.commands().count == 1_024)
  }

  @Test("A group is moved in every way in which a level is, and read on every face")
  func ways() throws {
    let rig = try drums()
    rig.send("/matrix/group/0/fader", .float(0.5))
    #expect(rig.read("/matrix/group/0/db") == -10)
    rig.send("/matrix/group/0/nudge", .float(4))
    #expect(abs((rig.read("/matrix/group/0/db") ?? 0) + 6) < 1e-5)
    rig.send("/matrix/group/0/db", .float(12))
    #expect(
      rig.replies().last
        == Reply(source: .client(1), address: "/matrix/group/0/db", arguments: [.float(10)]))
    rig.send("/matrix/group/0/db", .float(99))
    #expect(rig.errorCode() == "range")
    #expect(rig.read("/matrix/group/0/db") == 0)
    rig.send("/matrix/group/0/touch", .bool(true))
    #expect(rig.read("/matrix/group/0/touch") == 1)
    rig.bundle([("/matrix/group/0/mute", [.bool(true)])], time: rig.tag(0.5))
    #expect(rig.read("/matrix/group/0/mute") == 0)
    rig.advance(seconds: 0.5)
    _ = rig.commands()
    #expect(rig.read("/matrix/group/0/mute") == 1)
  }

  @Test("What was read from a group and is written back changes nothing")
  func writtenBack() throws {
    let rig = try drums()
    rig.send("/matrix/group/0/gain", .float(0.3))
    _ = rig.commands()
    let revision = rig.hub.revision
    for word in ["gain", "db", "fader", "mute", "name", "members"] {
      let address = "/matrix/group/0/\(word)"
      var batch = MessageBatch()
      batch.append(address: address, arguments: try #require(rig.ask(address)))
      rig.perform(batch)
      #expect(rig.replies().isEmpty)
    }
    #expect(rig.commands().isEmpty)
    #expect(rig.hub.revision == revision)
  }

  @Test("Observers are told of a group's changes, and not of its members' levels")
  func observed() throws {
    final class Observer: HubObserver {
      var changes: [Target] = []
      func hubChanged(_ target: Target, by source: Source) { changes.append(target) }
    }
    let rig = try drums()
    let observer = Observer()
    rig.hub.addObserver(observer)
    rig.send("/matrix/group/0/db", .float(-20), .float(500))
    rig.send("/matrix/group/0/mute", .bool(true))
    rig.send("/matrix/group/0/name", .string("drums"))
    rig.send("/matrix/group/0/members", .string("/matrix/in/3"))
    #expect(
      observer.changes == [
        Target(.gain, .group), Target(.mute, .group), Target(.name, .group),
        Target(.members, .group),
      ])
    #expect(ParameterTable.address(of: observer.changes[0]) == "/matrix/group/0/gain")
  }

  @Test("Groups and pairs survive being saved and restored, on a smaller matrix and back")
  func saved() throws {
    let rig = try Rig(inputs: 8, outputs: 8)
    rig.send("/matrix/group/2/members", .string("/matrix/in/[6-7]"), .string("/matrix/in/0"))
    rig.send("/matrix/group/2/name", .string("drums"))
    rig.send("/matrix/group/2/db", .float(-7), .float(1_000))
    rig.send("/matrix/group/3/mute", .bool(true))
    rig.send("/matrix/in/{0,6}/pair", .bool(true))
    rig.send("/matrix/out/{1,4}/pair", .bool(true))
    rig.send("/matrix/in/3/out/{1,4}/pan", .float(0.5))
    #expect(rig.replies().isEmpty)
    let contents = rig.hub.groupContents
    #expect(contents.groups.map(\.number) == [2, 3])
    #expect(contents.groups[0].members == ["/matrix/in/[6-7]", "/matrix/in/0"])
    #expect(contents.inputPairs == [0, 6])
    #expect(
      contents.pans == [
        GroupContents.Pan(input: 3, output: 1, pan: 0.5),
        GroupContents.Pan(input: 3, output: 4, pan: 0.5),
      ])

    let small = try Rig(inputs: 4, outputs: 4)
    small.send("/matrix/group/5/name", .string("drums"))
    small.send("/matrix/group/5/mute", .bool(true))
    small.hub.restore(contents, atFrame: 0)
    #expect(small.hub.groupContents == contents)
    #expect(small.read("/matrix/group/5/mute") == 0)
    #expect(small.ask("/matrix/group/drums/db") == [.float(-7)])
    #expect(small.read("/matrix/in/0/pair") == 1)
    #expect(small.read("/matrix/in/3/out/1/pan") == 0.5)
    #expect(abs(small.hub.factor(of: small.shape.input(0)) - 0.4466835921509632) < 1e-12)

    let again = try Rig(inputs: 8, outputs: 8)
    again.hub.restore(small.hub.groupContents, atFrame: 0)
    #expect(again.hub.groupContents == contents)
    again.hub.restore(GroupContents(), atFrame: 0)
    #expect(again.hub.groupContents == GroupContents())
  }

  @Test("What cannot be restored is left out, whatever a file says")
  func brokenContents() throws {
    let rig = try Rig(inputs: 4, outputs: 4)
    rig.hub.restore(
      GroupContents(
        groups: [
          .init(number: -1, level: 2), .init(number: 64, level: 2),
          .init(number: 0, level: .nan, name: "gain"), .init(number: 1, level: 1e9, name: "a"),
          .init(number: 2, level: -1, name: "a", members: ["nonsense", "/matrix/group/1"]),
        ], inputPairs: [-3, 0, 1, 2], outputPairs: [2, 2],
        pans: [.init(input: 0, output: 2, pan: .infinity), .init(input: -1, output: -1, pan: 1)]),
      atFrame: 0)
    #expect(rig.read("/matrix/group/0/gain") == 1)
    #expect(rig.read("/matrix/group/1/db") == 10)
    #expect(rig.read("/matrix/group/2/gain") == 0)
    #expect(rig.ask("/matrix/group/2/name") == [.string("a")])
    #expect(rig.ask("/matrix/group/a/db") == [.float(10)])
    #expect(rig.hub.groupContents.inputPairs == [0, 2])
    #expect(rig.hub.groupContents.outputPairs == [2])
    #expect(rig.hub.groupContents.pans.isEmpty)
  }
}
