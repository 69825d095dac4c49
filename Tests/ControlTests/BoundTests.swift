import Control
import MatrixCore
import Messages
import Testing

/// What one datagram may cost, whoever sends it.
@Suite("What one datagram may cost")
struct BoundTests {
  private static let everything = "/matrix/in/*/out/*"

  private func sentence(_ rig: Rig) -> String {
    let replies = rig.replies()
    guard replies.count == 1, replies[0].isError, case .string(let text) = replies[0].arguments[2]
    else { return "\(replies.count) replies" }
    return text
  }

  @Test(
    "A bundle that is dear in whatever way is refused with a sentence, and nothing of it is done",
    arguments: [
      ("/matrix/in/*/out/*", [], 2_000), ("/engine/status", [], 200), ("/scene/list", [], 2_000),
      ("/matrix/row/*", [], 200), ("/matrix/in/*/out/*", [.float(0.5)], 20),
      ("/matrix/in/*/out/*/mute", [.int32(1)], 20),
      ("/matrix/in/*/name", [.string("A b")], 2_000),
      ("/scene/safe", [.string("/matrix"), .int32(1)], 20),
      ("/matrix/group/0/members", [.string("/matrix/in/*/out/*")], 20),
      ("/matrix/group/1/gain", [.float(0.5)], 20), ("/matrix/clear", [], 20),
      ("/matrix/in/{" + String(repeating: "a,", count: 2_000) + "0}/gain", [.float(0.5)], 30),
    ] as [(String, [Argument], Int)])
  func bundle(address: String, arguments: [Argument], count: Int) throws {
    let rig = try Rig(inputs: 64, outputs: 64)
    for scene in 0..<100 { rig.send("/scene/store", .int32(Int32(scene))) }
    rig.send("/matrix/group/1/members", .string(Self.everything))
    rig.send("/matrix/in/0/out/0", .float(0.75))
    #expect(rig.replies().isEmpty)
    let revision = rig.hub.revision
    let work = rig.hub.work
    rig.bundle(
      [("/matrix/master/gain", [.float(0.1)])] + (0..<count).map { _ in (address, arguments) })
    #expect(
      [
        "this changes too much in one datagram",
        "the answers would have more than 524 kB; ask for less in one datagram",
      ].contains(sentence(rig)))
    #expect(rig.hub.revision == revision)
    // Finding that out takes no longer than what may be done.
    #expect(rig.hub.work - work < 2 * (2 * rig.shape.gainCount + 16_384) + 8_192)
    // One of it alone is done.
    rig.bundle([(address, arguments)])
    #expect(rig.replies().allSatisfy { !$0.isError || $0.arguments[1] == .string("size") })
  }

  @Test("A group has what its patterns meet, twice the matrix at most in one datagram")
  func members() throws {
    let rig = try Rig(inputs: 64, outputs: 64)
    rig.send("/matrix/group/0/members", .string("/matrix/in/3"))
    let revision = rig.hub.revision
    rig.bundle([
      ("/matrix/group/0/members", [Argument](repeating: .string(Self.everything), count: 500))
    ])
    #expect(sentence(rig) == "this changes too much in one datagram")
    rig.send("/matrix/group/*/members", .string(Self.everything))
    #expect(sentence(rig) == "this changes too much in one datagram")
    #expect(rig.hub.revision == revision)
    #expect(rig.ask("/matrix/group/0/members") == [.string("/matrix/in/3")])
    rig.send("/matrix/group/0/members", .string(Self.everything), .string("/matrix/out/*"))
    #expect(rig.replies().isEmpty)
    // With names a pattern is kept as the addresses that it meets, and there may be 512 of them.
    rig.send("/matrix/in/3/name", .string("vox"))
    rig.send("/matrix/group/0/members", .string("/matrix/in/{vox,[0-9]*}/out/*"))
    #expect(rig.replies().isEmpty)
    rig.send("/matrix/group/0/members", .string("/matrix/in/{vox,1,2,4,5,6,7,8,9}/out/*"))
    #expect(
      sentence(rig)
        == "a group's members are written with 512 addresses at most; a pattern of numbers stands "
        + "for many")
  }

  @Test("A pattern has 4,096 bytes at most")
  func patternLength() throws {
    let rig = try Rig()
    let stars = String(repeating: "*", count: 4_096 - "/matrix/in//out/1".utf8.count)
    rig.send("/matrix/in/\(stars)/out/1", .float(0.5))
    #expect(rig.replies().isEmpty)
    rig.send("/matrix/in/\(stars)*/out/1", .float(0.5))
    #expect(sentence(rig) == "a pattern may have 4096 bytes at most")
    rig.send("/scene/safe", .string("/matrix/in/\(stars)*/out/1"), .int32(1))
    #expect(sentence(rig) == "a pattern may have 4096 bytes at most")
  }

  @Test("What takes every hand off asks nobody else's hands")
  func hands() throws {
    let rig = try Rig(inputs: 64, outputs: 64)
    for client in 0..<20 {
      var batch = MessageBatch()
      batch.append(address: Self.everything + "/touch", arguments: [.int32(1)])
      rig.perform(batch, from: .client(client))
    }
    rig.send(Self.everything + "/touch", .int32(0), from: .client(30))
    rig.send(Self.everything + "/touch", .int32(0), from: .client(3))
    #expect(rig.hub.isTouched(rig.shape.crosspoint(input: 0, output: 0)))
    for client in 0..<20 {
      var batch = MessageBatch()
      batch.append(address: Self.everything + "/touch", arguments: [.int32(0)])
      rig.perform(batch, from: .client(client))
    }
    #expect(!rig.hub.isTouched(rig.shape.crosspoint(input: 0, output: 0)))
  }

  /// Patterns of every kind, most of which meet something.
  private static let patterns = [
    "/*", "/*/*", "/*/*/*", "/*/*/*/*", "/*/*/*/*/*", "/*/*/*/*/*/*", "/*/*/*/*/*/*/*", "/", "//",
    "*", "/matrix/in/*/gain", "/matrix/{in,out}/*/gain", "/matrix/in/v*/out/{2,bass}/*",
    "/matrix/*/1/*", "/matrix/*/*/gain", "/m*/[!x]*/?/*", "/matrix/in/[0-1]/out/*",
    "/matrix/row/*", "/matrix/*/vox", "/matrix/group/*/*", "/matrix/group/drums/{db,mute}",
    "/matrix/in/*/meter/*", "/matrix/in/*/*/*", "/scene/*", "/scene/*/recall", "/client/*",
    "/matrix/in/*/out/*/", "/matrix/in/9/out/*", "/{matrix,meter}/{subscribe,all}", "/config/*",
    "/matrix/in//out/*", "/matrix/in/{1,1,01,vox}/out/0", "/matrix/master/*", "/?*/*/*/*[a-f]*",
    "/a/b/c/d/e/f/g/h/i/j/k",
  ]

  @Test(
    "A pattern meets exactly the addresses that its parts match one by one", arguments: patterns)
  func reference(pattern: String) throws {
    let rig = try Rig(inputs: 3, outputs: 4)
    rig.send("/matrix/in/1/name", .string("vox"))
    rig.send("/matrix/out/3/name", .string("bass"))
    rig.send("/matrix/group/5/name", .string("drums"))
    #expect(rig.replies().isEmpty)
    let names = ["{i}": ["1": "vox"], "{o}": ["3": "bass"], "{g}": ["5": "drums"]]
    let counts = ["{i}": 3, "{o}": 4, "{g}": 64, "{n}": 0]
    func words(_ part: Substring, _ number: Int) -> [String] {
      guard part.hasPrefix("{") else { return [String(part)] }
      return ["\(number)"] + [names[String(part)]?["\(number)"]].compactMap { $0 }
    }
    func matches(_ parts: [Substring], input: Int, output: Int) -> Bool {
      let wanted = pattern.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      guard pattern.hasPrefix("/"), wanted.count == parts.count else { return false }
      return zip(wanted, parts).allSatisfy { wanted, part in
        words(part, part == "{o}" ? output : input).contains { word in
          Array(wanted.utf8).withUnsafeBufferPointer { wanted in
            Array(word.utf8).withUnsafeBufferPointer {
              AddressPattern.matches(pattern: wanted, text: $0)
            }
          }
        }
      }
    }
    var expected: [String] = []
    for row in ParameterTable.rows where !row.parameter.isTrigger {
      let parts = row.address.split(separator: "/")
      let kinds = parts.filter { $0.hasPrefix("{") }.map(String.init)
      let inputs = kinds.first { $0 != "{o}" }.map { counts[$0] ?? 0 } ?? 1
      for input in 0..<inputs {
        for output in 0..<(kinds.contains("{o}") ? 4 : 1)
        where matches(parts, input: input, output: output) {
          expected.append(
            ParameterTable.address(
              of: Target(row.parameter, row.place, input: input, output: output)))
        }
      }
    }
    var hits: [Target] = []
    try? rig.hub.collect(pattern, into: &hits)
    let met = hits.map { ParameterTable.address(of: $0) }
    #expect(Set(met) == Set(expected))
    #expect(Set(met).count == met.count)
  }
}
