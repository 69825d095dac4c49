import Control
import MatrixCore
import Messages
import Testing

@Suite("Scenes")
struct SceneTests {
  private let verse = Argument.string("verse")
  private let chorus = Argument.string("chorus")

  @Test("A recall brings back every level to the last bit, and mute, phase and solosafe")
  func exact() throws {
    let rig = try Rig(inputs: 5, outputs: 4)
    rig.scatter(seed: 1)
    let first = rig.everything()
    rig.send("/scene/store", .int32(0), verse)
    rig.scatter(seed: 2)
    let second = rig.everything()
    #expect(first != second)
    rig.send("/scene/store", .int32(7))
    rig.send("/scene/recall", verse)
    #expect(rig.everything() == first)
    rig.send("/scene/recall", .int32(7))
    #expect(rig.everything() == second)
    rig.send("/scene/recall", .float(0))
    #expect(rig.everything() == first)
    #expect(rig.replies().isEmpty)
  }

  @Test("A recall is one transaction on one frame, with each gain that differs in it once")
  func oneTransaction() throws {
    let rig = try Rig(inputs: 8, outputs: 8)
    rig.send("/scene/store", .int32(0))
    rig.scatter(seed: 3)
    _ = rig.commands()
    rig.send("/scene/recall", .int32(0))
    let commands = rig.commands()
    #expect(Set(commands.map(\.gain)).count == commands.count)
    #expect(commands.count > 60)
    #expect(Set(commands.map(\.frame)).count == 1)
    #expect(commands.filter(\.endsTransaction).count == 1)
    #expect(commands.last?.endsTransaction == true)
  }

  @Test("Solo, dim and names are in no scene")
  func leftOut() throws {
    let rig = try Rig()
    rig.send("/scene/store", .int32(0))
    rig.send("/matrix/in/1/solo", .int32(1))
    rig.send("/matrix/master/dim", .int32(1))
    rig.send("/matrix/in/1/name", .string("vox"))
    #expect(rig.ask("/scene/current") == [.int32(0), .string(""), .int32(0)])
    rig.send("/scene/recall", .int32(0))
    #expect(rig.read("/matrix/in/1/solo") == 1)
    #expect(rig.read("/matrix/master/dim") == 1)
    #expect(rig.ask("/matrix/in/1/name") == [.string("vox")])
  }

  @Test("Recalling what is there changes nothing and can not be undone")
  func same() throws {
    let rig = try Rig()
    rig.scatter(seed: 4)
    rig.send("/scene/store", .int32(3))
    _ = rig.commands()
    rig.hub.forgetHistory()
    let revision = rig.hub.revision
    rig.send("/scene/recall", .int32(3))
    rig.send("/scene/3/recall", .float(500))
    #expect(rig.commands().isEmpty)
    #expect(rig.hub.revision == revision)
    #expect(rig.hub.undoCounts == (0, 0))
  }

  @Test("With a duration levels fade along the curve, and switches change at once")
  func duration() throws {
    let rig = try Rig()
    rig.send("/matrix/in/0/out/0", .float(1))
    rig.send("/matrix/in/1/mute", .int32(1))
    rig.send("/scene/store", verse)
    rig.send("/matrix/in/0/out/0", .float(0))
    rig.send("/matrix/in/1/mute", .int32(0))
    _ = rig.commands()
    rig.send("/scene/recall", verse, .float(1_000), .string("lin"))
    let commands = rig.commands()
    #expect(commands.count == 2)
    let level = try #require(commands.first { $0.gain.index == 0 })
    #expect(level.fade.durationFrames == 48_000)
    #expect(level.fade.curve == .linear)
    #expect(level.fade.start == 0 && level.fade.end == 1)
    #expect(rig.hub.factor(of: rig.shape.input(1)) == 0)
    rig.advance(seconds: 0.5)
    #expect(rig.read("/matrix/in/0/out/0/now") == 0.5)
    // Where it goes is where the scene is: nothing has to change any more.
    #expect(rig.ask("/scene/current") == [.int32(0), verse, .int32(0)])
    // Recalled again, it is there at once.
    rig.send("/scene/recall", verse)
    #expect(rig.read("/matrix/in/0/out/0/now") == 1)
  }

  @Test("Every part behind the scene may be left out")
  func optionalArguments() throws {
    for arguments: [Argument] in [
      [], [.float(10)], [.float(10), .string("s")], [.float(10), .string("/matrix/in/0/*")],
      [.string("s")], [.string("/matrix/in/0/gain")], [.string("db"), .string("/matrix")],
      [.int32(10), .string("db"), .string("/matrix/in/*/gain")],
    ] {
      let rig = try Rig()
      rig.send("/scene/store", .int32(0))
      rig.send("/matrix/in/0/gain", .float(0.5))
      rig.bundle([("/scene/recall", [.int32(0)] + arguments)])
      #expect(rig.replies().isEmpty, "\(arguments)")
      #expect(rig.hub.level(of: rig.shape.input(0)) == 1, "\(arguments)")
      rig.send("/matrix/in/0/gain", .float(0.5))
      rig.bundle([("/scene/0/recall", arguments)])
      #expect(rig.replies().isEmpty, "\(arguments)")
      #expect(rig.hub.level(of: rig.shape.input(0)) == 1, "\(arguments)")
    }
  }

  @Test("A button's release does nothing where a time would stand, and 0 is scene 0 elsewhere")
  func releases() throws {
    let rig = try Rig()
    rig.send("/scene/0/store", .float(1))
    rig.send("/scene/1/store", .float(0))
    #expect(rig.ask("/scene/list") == nil)
    rig.send("/matrix/in/0/gain", .float(0.5))
    rig.send("/scene/0/recall", .float(0))
    rig.send("/scene/0/recall", .bool(false))
    rig.send("/undo", .float(0))
    rig.send("/redo", .float(0.4))
    #expect(rig.hub.level(of: rig.shape.input(0)) == 0.5)
    #expect(rig.hub.counters.ignoredReleases == 5)
    rig.send("/scene/recall", .float(0))
    #expect(rig.hub.level(of: rig.shape.input(0)) == 1)
    rig.send("/matrix/in/0/gain", .float(0.5))
    rig.send("/scene/0/recall", .float(1))
    #expect(rig.hub.level(of: rig.shape.input(0)) == 1)
    rig.send("/matrix/in/0/gain", .float(0.5))
    rig.send("/scene/0/recall")
    #expect(rig.hub.level(of: rig.shape.input(0)) == 1)
    rig.send("/matrix/in/0/gain", .float(0.5))
    rig.send("/scene/0/recall", .impulse)
    #expect(rig.hub.level(of: rig.shape.input(0)) == 1)
  }

  @Test("No scene is stored, recalled or deleted through a pattern")
  func patterns() throws {
    let rig = try Rig()
    rig.send("/scene/store", .int32(0))
    for address in ["/scene/*/recall", "/scene/rec*", "/scene/{store,delete}", "/und?"] {
      rig.send(address)
      #expect(rig.errorCode() == "address", "\(address)")
    }
  }

  // MARK: Storing

  @Test("Without arguments a store goes over the current scene, or else to the next free number")
  func storeSomewhere() throws {
    let rig = try Rig()
    rig.send("/scene/store")
    #expect(rig.ask("/scene/current") == [.int32(0), .string(""), .int32(0)])
    rig.send("/matrix/in/0/gain", .float(0.5))
    rig.send("/scene/store")
    #expect(rig.ask("/scene/1") == [.string(""), .int32(0)])
    rig.send("/scene/store", verse)
    rig.send("/scene/store", .int32(3), chorus)
    rig.send("/scene/delete", .int32(3))
    rig.send("/scene/store", .impulse)
    #expect(rig.ask("/scene/current") == [.int32(2), .string(""), .int32(0)])
    rig.send("/scene/delete", verse)
    rig.send("/scene/store", chorus)
    #expect(rig.ask("/scene/current") == [.int32(1), chorus, .int32(0)])
  }

  @Test("A stored scene keeps its name, gets another one, or goes by one that is known")
  func storeNames() throws {
    let rig = try Rig()
    rig.send("/scene/store", .int32(5), verse)
    rig.send("/scene/store", .int32(5))
    #expect(rig.ask("/scene/5") == [verse, .int32(3)])
    rig.send("/matrix/in/0/gain", .float(0.5))
    rig.send("/scene/store", verse)
    #expect(rig.ask("/scene/0") == [.string(""), .int32(0)])
    rig.send("/scene/store", verse, chorus)
    #expect(rig.ask("/scene/5") == [chorus, .int32(3)])
    rig.send("/scene/rename", chorus, .string(""))
    #expect(rig.ask("/scene/5") == [.string(""), .int32(3)])
    rig.send("/scene/rename", .int32(5), verse)
    rig.send("/matrix/in/0/gain", .float(1))
    rig.send("/scene/recall", verse)
    #expect(rig.hub.level(of: rig.shape.input(0)) == 0.5)
    #expect(rig.replies().isEmpty)
  }

  @Test(
    "What is wrong is refused with a sentence that says what would be right",
    arguments: [
      (
        "/scene/recall", [Argument.string("vers")],
        "scene: there is no scene \"vers\"; did you mean \"verse\"?"
      ),
      (
        "/scene/recall", [.string("bridge")],
        "scene: there is no scene \"bridge\"; /scene/list tells which there are"
      ),
      ("/scene/recall", [.int32(9)], "scene: there is no scene 9; the nearest is 4, \"verse\""),
      ("/scene/9/recall", [], "scene: there is no scene 9; the nearest is 4, \"verse\""),
      ("/scene/delete", [.int32(0)], "scene: there is no scene 0; the nearest is 2"),
      (
        "/scene/rename", [.int32(2), .string("verse")],
        "scene: scene 4 has the name \"verse\" already"
      ),
      (
        "/scene/store", [.int32(2), .string("verse")],
        "scene: scene 4 has the name \"verse\" already"
      ),
      (
        "/scene/store", [.string("verze"), .string("b")],
        "scene: there is no scene \"verze\"; did you mean \"verse\"?"
      ),
      (
        "/scene/store", [.string("12")],
        "value: \"12\" is no name: a scene's number is sent as a number, and a name is none"
      ),
      (
        "/scene/rename", [.int32(4), .string("-1.5e3")],
        "value: \"-1.5e3\" is no name: a scene's number is sent as a number, and a name is none"
      ),
      ("/scene/recall", [.string("")], "value: the name of a scene is missing"),
      ("/scene/recall", [], "count: a recall takes the number or the name of a scene"),
      ("/scene/recall", [.int32(1_000)], "index: scenes have the numbers 0 to 999"),
      ("/scene/recall", [.int32(-1)], "index: scenes have the numbers 0 to 999"),
      ("/scene/recall", [.float(0.5)], "index: scenes have the numbers 0 to 999"),
      ("/scene/1000/recall", [], "index: scenes have the numbers 0 to 999"),
      ("/scene/recall", [.float(.nan)], "nan: a number must be finite"),
      ("/scene/recall", [.bool(true)], "type: a scene is meant by its number or its name, not 'T'"),
      (
        "/scene/recall", [.int32(2), .string("fast")],
        "value: a curve is one of the words db, lin and s"
      ),
      (
        "/scene/recall", [.int32(2), .float(1), .string("s"), .string("/matrix"), .int32(1)],
        "count: behind the scene stand a duration in ms, a curve and a pattern, in that order"
      ),
      (
        "/scene/recall", [.int32(2), .string("s"), .float(1)],
        "type: behind the scene stand a duration in ms, a curve and a pattern, in that order"
      ),
      (
        "/scene/recall", [.int32(2), .string("/matrix/in/99/*")],
        "address: the pattern meets no level or switch that scenes keep; /matrix/in/2 and "
          + "/matrix/in/*/out/3 are such patterns"
      ),
      (
        "/scene/rename", [.int32(2)],
        "count: this takes the number or the name of a scene, and its new name"
      ),
      ("/scene/rename", [.int32(2), .int32(3)], "type: a name is a text"),
      (
        "/scene/rename", [.int32(2), .string(String(repeating: "x", count: 65))],
        "size: a name has at most 64 bytes"
      ),
      ("/scene/rename", [.int32(2), .string("a\nb")], "value: a name has no control characters"),
      (
        "/scene/recal", [.int32(2)],
        "address: there is no such address; did you mean /scene/recall?"
      ),
      (
        "/scene/safe", [.string("/matrix")],
        "count: this takes a pattern of addresses and 0 or 1, as often as you like"
      ),
      (
        "/scene/safe", [.int32(1), .int32(1)],
        "type: what is safe is named by a pattern of addresses"
      ),
      ("/undo", [], "undo: there is nothing to take back"),
      ("/redo", [], "undo: there is nothing to bring back"),
    ])
  func refusals(address: String, arguments: [Argument], sentence: String) throws {
    let rig = try Rig()
    rig.send("/scene/store", .int32(2))
    rig.send("/scene/store", .int32(4), verse)
    let revision = rig.hub.revision
    rig.bundle([(address, arguments)])
    #expect(rig.errorText() == sentence)
    #expect(rig.hub.revision == revision)
  }

  @Test("There is room for a thousand scenes, and the next one is refused")
  func bound() throws {
    let rig = try Rig(inputs: 1, outputs: 1)
    for _ in 0..<1_000 {
      rig.send("/scene/store", .string("scene \(rig.hub.revision)"))
      rig.send("/matrix/in/0/gain", .double(Double(rig.hub.revision) / 1e4))
    }
    #expect(rig.replies().isEmpty)
    rig.send("/scene/store", .string("one more"))
    #expect(
      rig.errorText()
        == "scene: there are 1000 scenes, which is the most: delete one, or store over one by its "
        + "number or name")
    rig.send("/scene/store", .int32(17))
    rig.send("/scene/delete", .int32(500))
    rig.send("/scene/store", .string("one more"))
    #expect(rig.replies().isEmpty)
    #expect(rig.ask("/scene/500")?.first == .string("one more"))
  }

  @Test("All scenes together hold so many gains at most")
  func totalBound() throws {
    let rig = try Rig(inputs: 256, outputs: 256)
    for number in 0..<30 { rig.send("/scene/store", .int32(Int32(number))) }
    #expect(rig.replies().isEmpty)
    rig.send("/scene/store", .int32(30))
    #expect(
      rig.errorText()
        == "scene: the scenes hold 1983390 gains, of 2000000 at most: delete scenes first")
    // What goes over another scene needs no more room.
    rig.send("/scene/store", .int32(29))
    #expect(rig.replies().isEmpty)
  }

  // MARK: Lists

  @Test("The list says how many there are and then names each in a message of its own")
  func list() throws {
    let rig = try Rig()
    #expect(rig.ask("/scene/list") == [.int32(0)])
    rig.send("/scene/store", .int32(12), verse)
    rig.send("/scene/store", .int32(3))
    rig.send("/scene/list")
    let replies = rig.replies()
    #expect(replies.map(\.address) == ["/scene/list", "/scene/3", "/scene/12"])
    #expect(
      replies.map(\.arguments)
        == [[.int32(2)], [.string(""), .int32(3)], [verse, .int32(1)]])
  }

  @Test("The current scene is the one stored or recalled last, and a change makes it dirty")
  func current() throws {
    let rig = try Rig()
    #expect(rig.ask("/scene/current") == [.int32(-1), .string(""), .int32(0)])
    rig.send("/scene/store", .int32(1), verse)
    rig.send("/matrix/in/0/out/0", .float(0.5))
    #expect(rig.ask("/scene/current") == [.int32(1), verse, .int32(1)])
    rig.send("/matrix/in/0/out/0", .float(0))
    #expect(rig.ask("/scene/current") == [.int32(1), verse, .int32(0)])
    rig.send("/matrix/in/0/phase", .int32(1))
    rig.send("/scene/store", .int32(2), chorus)
    #expect(rig.ask("/scene/current") == [.int32(2), chorus, .int32(0)])
    rig.send("/scene/recall", verse)
    #expect(rig.ask("/scene/current") == [.int32(1), verse, .int32(0)])
    rig.send("/scene/delete", .int32(1))
    #expect(rig.ask("/scene/current") == [.int32(-1), .string(""), .int32(0)])
    rig.send("/matrix/in/0/out/0", .float(0.3))
    #expect(rig.ask("/scene/current") == [.int32(-1), .string(""), .int32(0)])
  }

  @Test(
    "Observers are told of scenes once each, and of the current one when it or its flag changes")
  func observed() throws {
    let rig = try Rig()
    let watcher = Watcher()
    rig.hub.addObserver(watcher)
    rig.send("/scene/store", .int32(1), verse)
    #expect(watcher.take() == ["/scene/1", "/scene/current"])
    rig.send("/scene/store", .int32(1))
    #expect(watcher.take() == [])
    rig.send("/matrix/in/0/gain", .float(0.5))
    #expect(watcher.take() == ["/matrix/in/0/gain", "/scene/current"])
    rig.send("/matrix/in/0/gain", .float(0.6))
    #expect(watcher.take() == ["/matrix/in/0/gain"])
    rig.send("/scene/store", .int32(2))
    #expect(watcher.take() == ["/scene/2", "/scene/1", "/scene/current"])
    rig.send("/scene/recall", verse)
    #expect(watcher.take() == ["/matrix/in/0/gain", "/scene/2", "/scene/1", "/scene/current"])
    rig.send("/scene/rename", verse, chorus)
    #expect(watcher.take() == ["/scene/1", "/scene/current"])
    rig.send("/scene/delete", chorus)
    #expect(watcher.take() == ["/scene/1", "/scene/current"])
    rig.send("/scene/safe", .string("/matrix/master/*"), .int32(1))
    #expect(watcher.take() == ["/scene/safe"])
    rig.send("/scene/safe", .string("/matrix/master/*"), .int32(1))
    #expect(watcher.take() == [])
  }

  // MARK: Bundles and times

  @Test("Messages of a bundle know the scenes of those before them")
  func bundles() throws {
    let rig = try Rig()
    rig.bundle([
      ("/matrix/in/0/gain", [.float(0.5)]), ("/scene/store", [verse]),
      ("/matrix/in/0/gain", [.float(0.7)]), ("/scene/rename", [verse, chorus]),
      ("/scene/recall", [chorus]), ("/scene/store", []), ("/scene/store", [.int32(8), verse]),
      ("/scene/delete", [chorus]),
    ])
    #expect(rig.replies().isEmpty)
    #expect(rig.hub.level(of: rig.shape.input(0)) == 0.5)
    #expect(rig.ask("/scene/current") == [.int32(8), verse, .int32(0)])
    rig.bundle([("/scene/delete", [verse]), ("/scene/recall", [verse])])
    #expect(rig.errorCode() == "scene")
    #expect(rig.ask("/scene/8") == [verse, .int32(3)])
  }

  @Test("A recall waits for its time, and is answered when its scene is gone by then")
  func timed() throws {
    let rig = try Rig()
    rig.send("/scene/store", verse)
    rig.send("/matrix/in/0/gain", .float(0.5))
    rig.bundle([("/scene/recall", [verse])], time: rig.tag(0.1))
    #expect(rig.hub.level(of: rig.shape.input(0)) == 0.5)
    rig.advance(seconds: 0.2)
    _ = rig.commands()
    #expect(rig.hub.level(of: rig.shape.input(0)) == 1)
    rig.bundle([("/scene/recall", [verse])], time: rig.tag(0.1))
    rig.send("/scene/delete", verse)
    rig.advance(seconds: 0.2)
    _ = rig.commands()
    #expect(rig.errorText() == "scene: there is no scene \"verse\"; none is stored yet")
  }

  @Test("No datagram and no queue holds more recalls than they may change gains")
  func weight() throws {
    let rig = try Rig(inputs: 128, outputs: 128)
    rig.send("/scene/store", verse)
    var recalls = (0..<2).map { _ in ("/scene/recall", [verse]) }
    rig.bundle(recalls)
    #expect(rig.replies().isEmpty)
    recalls += recalls
    rig.bundle(recalls)
    #expect(rig.errorCode() == "size")
    rig.bundle([("/scene/recall", [verse])], time: rig.tag(1))
    rig.bundle([("/matrix/clear", [])], time: rig.tag(1))
    #expect(rig.replies().isEmpty)
    rig.bundle(Array(recalls.prefix(2)), time: rig.tag(1))
    #expect(rig.errorCode() == "time")
  }

  // MARK: Saving

  @Test("What is saved brings everything back")
  func contents() throws {
    let rig = try Rig(inputs: 4, outputs: 3)
    rig.scatter(seed: 5)
    rig.send("/scene/store", .int32(2), verse)
    let wanted = rig.everything()
    rig.scatter(seed: 6)
    rig.send("/scene/store", .int32(9), chorus)
    rig.bundle([("/scene/safe", [.string("/matrix/in/1/mute"), .int32(1)])])
    let other = try Rig(inputs: 4, outputs: 3)
    other.hub.restoreScenes(rig.hub.sceneContents)
    #expect(other.hub.sceneContents == rig.hub.sceneContents)
    #expect(other.ask("/scene/current") == [.int32(9), chorus, .int32(1)])
    #expect(other.ask("/scene/safe") == [.string("/matrix/in/1/mute"), .int32(1)])
    other.send("/scene/safe", .string("/matrix"), .int32(0))
    other.send("/scene/recall", verse)
    #expect(other.everything() == wanted)
  }

  @Test("A matrix of another size recalls what both have, and keeps the rest for another day")
  func otherSize() throws {
    let rig = try Rig(inputs: 4, outputs: 4)
    rig.send("/matrix/in/3/out/3", .float(0.7))
    rig.send("/matrix/in/1/out/2", .float(0.5))
    rig.send("/matrix/out/2/gain", .float(0.25))
    rig.send("/matrix/master/gain", .float(0.9))
    rig.send("/scene/store", verse)
    rig.send(
      "/scene/safe", .string("/matrix/in/3/*"), .int32(1), .string("/matrix/master/gain"), .int32(1)
    )
    let saved = rig.hub.sceneContents
    let small = try Rig(inputs: 2, outputs: 5)
    small.hub.restoreScenes(saved)
    #expect(small.hub.sceneContents.scenes == saved.scenes)
    #expect(small.ask("/scene/0") == [verse, .int32(7)])
    small.send("/matrix/out/4/gain", .float(0.1))
    small.send("/scene/recall", verse)
    #expect(small.level(1, 2) == 0.5)
    #expect(small.hub.level(of: small.shape.output(2)) == 0.25)
    #expect(small.hub.level(of: small.shape.output(4)) == Double(Float(0.1)))
    #expect(small.hub.level(of: small.shape.master) == 1)
    #expect(small.ask("/scene/current") == [.int32(0), verse, .int32(0)])
    let large = try Rig(inputs: 4, outputs: 4)
    large.hub.restoreScenes(small.hub.sceneContents)
    #expect(large.hub.sceneContents == saved)
    large.send("/scene/recall", verse)
    #expect(large.level(3, 3) == Double(Float(0.7)))
  }

  @Test("A scene that does not fit its matrix is none")
  func invalidScene() throws {
    let shape = try #require(MatrixShape(inputs: 2, outputs: 2))
    let count = 9 + MixState.groupCount
    let levels = [Double](repeating: 1, count: count)
    let switches = [UInt8](repeating: 0, count: count)
    #expect(Scene(name: "", shape: shape, levels: levels, switches: switches) != nil)
    #expect(
      Scene(name: "", shape: shape, levels: Array(levels.dropLast()), switches: switches) == nil)
    #expect(Scene(name: "", shape: shape, levels: levels, switches: []) == nil)
    for wrong in [Double.nan, -0.1, 3.2, .infinity] {
      let wrong = Array(levels.dropLast()) + [wrong]
      #expect(Scene(name: "", shape: shape, levels: wrong, switches: switches) == nil)
    }
    let odd = try #require(
      Scene(
        name: "7", shape: shape, levels: levels, switches: [UInt8](repeating: 255, count: count)))
    #expect(odd.switches == [UInt8](repeating: 11, count: count))
    let rig = try Rig(inputs: 2, outputs: 2)
    rig.hub.restoreScenes(SceneStore.Contents(scenes: [nil, odd], current: 0))
    #expect(rig.ask("/scene/1") == [.string(""), .int32(1)])
    #expect(rig.ask("/scene/current")?.first == .int32(-1))
  }
}

/// Writes down the addresses of what the hub tells.
private final class Watcher: HubObserver {
  private var addresses: [String] = []

  func hubChanged(_ target: Target, by source: Source) {
    addresses.append(ParameterTable.address(of: target))
  }

  func take() -> [String] {
    defer { addresses = [] }
    return addresses
  }
}
