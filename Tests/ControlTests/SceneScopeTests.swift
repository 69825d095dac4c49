import Control
import MatrixCore
import Messages
import Testing

@Suite("Scopes and safes of recalls")
struct SceneScopeTests {
  /// A rig with scene 0 at rest, and everything moved away since.
  private func moved() throws -> Rig {
    let rig = try Rig(inputs: 4, outputs: 4)
    rig.send("/scene/store", .int32(0))
    rig.bundle([
      ("/matrix/in/*/out/*", [.float(0.5)]), ("/matrix/in/*/out/*/mute", [.int32(1)]),
      ("/matrix/in/*/gain", [.float(0.5)]), ("/matrix/in/*/mute", [.int32(1)]),
      ("/matrix/in/*/solosafe", [.int32(1)]), ("/matrix/out/*/gain", [.float(0.5)]),
      ("/matrix/out/*/phase", [.int32(1)]), ("/matrix/master/gain", [.float(0.5)]),
      ("/matrix/master/mute", [.int32(1)]),
    ])
    #expect(rig.replies().isEmpty)
    return rig
  }

  /// What is not as scene 0 has it, as the addresses of levels and switches.
  private func away(_ rig: Rig) -> Set<String> {
    var addresses: Set<String> = []
    for row in ParameterTable.rows where row.place != .mixer && row.place != .scene {
      guard [.crosspoint, .gain, .mute, .phase, .soloSafe].contains(row.parameter) else { continue }
      guard row.place != .crosspoint || row.parameter != .gain else { continue }
      for input in 0..<4 {
        for output in 0..<4 {
          let address = ParameterTable.address(
            of: Target(row.parameter, row.place, input: input, output: output))
          if rig.read(address) != Float(row.initial) { addresses.insert(address) }
        }
      }
    }
    return addresses
  }

  @Test(
    "A scope recalls what its pattern meets, or else what lies below what it meets",
    arguments: [
      ("/matrix/in/*/out/3", 4 * 2), ("/matrix/in/2/*", 3), ("/matrix/in/2/gain", 1),
      ("/matrix/in/2/db", 1), ("/matrix/in/*/mute", 4), ("/matrix/in/2", 3 + 4 * 2),
      ("/matrix/in/2/out", 4 * 2), ("/matrix/out/{0,1}", 4), ("/matrix/out/0/*", 2),
      ("/matrix/master", 2), ("/matrix/in/[01]/out/[23]/mute", 4), ("/matrix/in/1/out/1", 2),
      ("/matrix/in", 4 * 3 + 16 * 2), ("/matrix", 4 * 3 + 16 * 2 + 4 * 2 + 2),
      ("/matrix/*", 4 * 3 + 16 * 2 + 4 * 2 + 2), ("/matrix/*/1/gain", 2),
    ])
  func scope(pattern: String, count: Int) throws {
    let rig = try moved()
    let before = away(rig)
    rig.send("/scene/recall", .int32(0), .string(pattern))
    #expect(rig.replies().isEmpty)
    let after = away(rig)
    #expect(after.isSubset(of: before))
    #expect(before.count - after.count == count)
  }

  @Test(
    "A pattern that means nothing a scene keeps is refused",
    arguments: [
      "", "matrix", "/", "/matrix/in/2/solo", "/matrix/in/9", "/matrix/in/0/name", "/scene/*",
      "/matrix/clear", "/matrix/row/1", "/matrix/in/0/out/0/touch", "/matrix/in/2/", "/*/*/*/[",
    ])
  func meetsNothing(pattern: String) throws {
    let rig = try moved()
    rig.send("/scene/recall", .int32(0), .string(pattern))
    #expect(rig.errorCode() == (pattern.hasPrefix("/") ? "address" : "value"), "\(pattern)")
    rig.send("/scene/safe", .string(pattern), .int32(1))
    #expect(rig.errorCode() == "address")
  }

  @Test("A part of a scene does not make it the current one")
  func scopeIsNotCurrent() throws {
    let rig = try moved()
    rig.send("/scene/store", .int32(1))
    rig.send("/scene/recall", .int32(0), .string("/matrix/in/2"))
    #expect(rig.ask("/scene/current") == [.int32(1), .string(""), .int32(1)])
  }

  @Test("Every recall leaves alone what is safe, whatever its scope, until it is safe no more")
  func safe() throws {
    let rig = try moved()
    let all = away(rig)
    rig.send(
      "/scene/safe", .string("/matrix/in/2"), .int32(1), .string("/matrix/out/*/gain"), .int32(1))
    rig.send("/scene/recall", .int32(0))
    let safe = away(rig)
    #expect(
      safe
        == all.filter {
          $0.hasPrefix("/matrix/in/2/") || $0.hasPrefix("/matrix/out/") && $0.hasSuffix("gain")
        })
    // What is safe does not count as changed: recalling would not change it.
    #expect(rig.ask("/scene/current") == [.int32(0), .string(""), .int32(0)])
    rig.send("/scene/recall", .int32(0), .string("/matrix/in/2/out/1"))
    #expect(away(rig) == safe)
    rig.send("/scene/safe", .string("/matrix/in/2/out/*"), .int32(0))
    #expect(rig.ask("/scene/current") == [.int32(0), .string(""), .int32(1)])
    rig.send("/scene/recall", .int32(0))
    #expect(away(rig) == safe.filter { !$0.hasPrefix("/matrix/in/2/out/") })
    rig.send("/scene/safe", .string("/matrix"), .float(0))
    rig.send("/scene/recall", .int32(0))
    #expect(away(rig).isEmpty)
  }

  @Test("What is safe is still stored, and still moved by hands")
  func safeIsStored() throws {
    let rig = try Rig()
    rig.send("/scene/safe", .string("/matrix/in/0"), .int32(1))
    rig.send("/matrix/in/0/gain", .float(0.5))
    rig.send("/scene/store", .int32(0))
    rig.send("/matrix/in/0/gain", .float(0.25))
    rig.send("/scene/safe", .string("/matrix/in/0"), .int32(0))
    rig.send("/scene/recall", .int32(0))
    #expect(rig.hub.level(of: rig.shape.input(0)) == 0.5)
  }

  @Test("The list of what is safe can be sent back, and names whole stages where it can")
  func list() throws {
    let rig = try Rig(inputs: 3, outputs: 2)
    func safe() -> [String] {
      rig.send("/scene/safe")
      return rig.replies().flatMap(\.arguments).compactMap {
        if case .string(let text) = $0 { return text }
        return nil
      }
    }
    #expect(rig.ask("/scene/safe") == [.string("/matrix"), .int32(0)])
    for patterns in [
      ["/matrix"], ["/matrix/in/1"], ["/matrix/in/1/*"], ["/matrix/in/1/out"],
      ["/matrix/in/0/gain", "/matrix/in/0/mute"], ["/matrix/in/0/out/1"],
      ["/matrix/in/0/out/1/mute"], ["/matrix/out/0/*", "/matrix/master/*"],
      ["/matrix/in/2/phase", "/matrix/in/2/solosafe", "/matrix/in/2/out", "/matrix/out/1/phase"],
    ] {
      rig.send("/scene/safe", .string("/matrix"), .int32(0))
      rig.bundle([("/scene/safe", patterns.flatMap { [.string($0), .int32(1)] })])
      #expect(safe() == patterns)
      let before = rig.hub.sceneContents
      let revision = rig.hub.revision
      rig.bundle([("/scene/safe", safe().flatMap { [.string($0), .int32(1)] })])
      #expect(rig.hub.sceneContents == before)
      #expect(rig.hub.revision == revision)
    }
  }

  @Test("A long list of what is safe comes in messages that fit a packet")
  func longList() throws {
    let rig = try Rig(inputs: 64, outputs: 64)
    rig.send("/scene/safe", .string("/matrix/in/*/out/[0-8]"), .int32(1))
    rig.send("/scene/safe")
    let replies = rig.replies()
    #expect(replies.count > 1)
    var count = 0
    for reply in replies {
      #expect(reply.address == "/scene/safe")
      let bytes = reply.arguments.reduce(0) { sum, argument in
        if case .string(let text) = argument { return sum + (text.utf8.count + 4) / 4 * 4 }
        return sum + 4
      }
      #expect(bytes < 1_200)
      count += reply.arguments.count / 2
    }
    #expect(count == 64 * 9)
  }
}
