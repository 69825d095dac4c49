import Control
import MatrixCore
import Messages
import Testing

@Suite("Snapshots of the mixer")
struct SnapshotTests {
  /// A rig in which everything that is kept differs from the start.
  private func moved() throws -> Rig {
    let rig = try Rig(inputs: 3, outputs: 2)
    rig.send("/matrix/in/0/out/1", .double(1.0 / 3.0))
    rig.send("/matrix/in/2/out/0/db", .float(-6.5))
    rig.send("/matrix/in/1/out/1/mute", .int32(1))
    rig.send("/matrix/in/2/out/1/phase", .int32(1))
    rig.send("/matrix/in/0/gain", .float(0.25))
    rig.send("/matrix/in/1/mute", .int32(1))
    rig.send("/matrix/in/1/solosafe", .int32(1))
    rig.send("/matrix/in/2/phase", .int32(1))
    rig.send("/matrix/in/2/name", .string("vox ä"))
    rig.send("/matrix/out/0/fader", .float(0.5))
    rig.send("/matrix/out/1/mute", .int32(1))
    rig.send("/matrix/out/1/phase", .int32(1))
    rig.send("/matrix/out/1/name", .string("front"))
    rig.send("/matrix/master/gain", .float(0.1))
    rig.send("/matrix/master/mute", .int32(1))
    rig.send("/config/dim", .float(-12))
    #expect(rig.replies().isEmpty)
    return rig
  }

  @Test("A mixer at rest gives the snapshot at rest")
  func rest() throws {
    let rig = try Rig(inputs: 3, outputs: 2)
    #expect(rig.hub.snapshot() == MixerSnapshot(inputs: 3, outputs: 2))
  }

  @Test("Levels to the last bit, switches, names and the dim come back")
  func roundTrip() throws {
    let snapshot = try moved().hub.snapshot()
    #expect(snapshot[0, 1].level == 1.0 / 3.0)
    #expect(snapshot[1, 1].isMuted && snapshot[2, 1].isInverted)
    #expect(snapshot[input: 1].isMuted && snapshot[input: 1].isSoloSafe)
    #expect(snapshot[input: 2].isInverted && snapshot[input: 2].name == "vox ä")
    #expect(snapshot[output: 1].isMuted && snapshot[output: 1].name == "front")
    #expect(snapshot.master.isMuted && snapshot.master.level == Double(Float(0.1)))
    #expect(snapshot.dimDB == -12)
    let again = try Rig(inputs: 3, outputs: 2)
    again.hub.restore(snapshot)
    #expect(again.hub.snapshot() == snapshot)
    #expect(again.read("/matrix/in/0/gain") == 0.25)
    #expect(again.read("/matrix/master/mute") == 1)
  }

  @Test("What was restored goes out as one transaction with every gain that it moved")
  func oneTransaction() throws {
    let snapshot = try moved().hub.snapshot()
    let rig = try Rig(inputs: 3, outputs: 2)
    rig.hub.restore(snapshot)
    let commands = rig.commands()
    #expect(Set(commands.map(\.gain)).count == commands.count)
    #expect(commands.filter(\.endsTransaction).count == 1)
    #expect(Set(commands.map(\.frame)).count == 1)
    let master = try #require(commands.first { $0.gain == rig.shape.master })
    #expect(master.factor == 0 && master.fade.end == Double(Float(0.1)))
  }

  @Test("Solo, dim, hands and panic are not kept, and restoring a mixer undoes none of them")
  func moments() throws {
    let rig = try Rig(inputs: 3, outputs: 2)
    rig.send("/matrix/in/0/solo", .int32(1))
    rig.send("/matrix/out/0/dim", .int32(1))
    rig.send("/matrix/master/dim", .int32(1))
    rig.send("/matrix/in/0/touch", .int32(1))
    rig.send("/engine/panic")
    #expect(rig.hub.snapshot() == MixerSnapshot(inputs: 3, outputs: 2))
    rig.hub.restore(MixerSnapshot(inputs: 3, outputs: 2))
    #expect(rig.read("/matrix/in/0/solo") == 1 && rig.read("/matrix/out/0/dim") == 1)
    #expect(rig.board.isPanicking)
  }

  @Test("A fade counts as having arrived, and one that runs is ended by restoring")
  func fades() throws {
    let rig = try Rig(inputs: 3, outputs: 2)
    rig.send("/matrix/in/0/out/0", .float(1), .float(10_000))
    rig.advance(seconds: 1)
    let snapshot = rig.hub.snapshot()
    #expect(snapshot[0, 0].level == 1)
    rig.hub.restore(snapshot)
    #expect(rig.read("/matrix/in/0/out/0/now") == 1)
  }

  @Test("Another size restores what overlaps and keeps the rest, over any number of sizes")
  func otherSizes() throws {
    let snapshot = try moved().hub.snapshot()
    let small = try Rig(inputs: 1, outputs: 2)
    small.hub.restore(snapshot)
    #expect(small.level(0, 1) == 1.0 / 3.0)
    small.send("/matrix/in/0/out/0", .float(0.5))
    small.send("/matrix/master/mute", .int32(0))
    let kept = small.hub.snapshot()
    #expect(kept.inputs.count == 3 && kept.outputs.count == 2)
    #expect(kept[input: 2].name == "vox ä" && kept[2, 0] == snapshot[2, 0])
    #expect(kept[0, 0].level == 0.5 && !kept.master.isMuted)

    let wide = try Rig(inputs: 2, outputs: 4)
    wide.hub.restore(kept)
    #expect(wide.level(0, 0) == 0.5 && wide.level(0, 3) == 0)
    wide.send("/matrix/in/1/out/3", .float(0.75))
    let both = wide.hub.snapshot()
    #expect(both.inputs.count == 3 && both.outputs.count == 4)
    #expect(both[2, 0] == snapshot[2, 0] && both[1, 3].level == 0.75)

    let whole = try Rig(inputs: 3, outputs: 4)
    whole.hub.restore(both)
    #expect(whole.hub.snapshot() == both)
  }

  @Test("Channels that a snapshot does not know stay as they are")
  func unknownChannels() throws {
    let rig = try Rig(inputs: 4, outputs: 3)
    rig.send("/matrix/in/3/out/2", .float(0.5))
    rig.send("/matrix/in/3/name", .string("new"))
    rig.hub.restore(try moved().hub.snapshot())
    #expect(rig.level(3, 2) == 0.5)
    #expect(rig.hub.snapshot()[input: 3].name == "new")
  }

  @Test("A channel whose name another one has by the time that it is back comes back without")
  func namesake() throws {
    let large = try Rig(inputs: 6, outputs: 2)
    large.send("/matrix/in/5/name", .string("vox"))
    large.send("/matrix/in/4/name", .string("bass"))
    let small = try Rig(inputs: 4, outputs: 2)
    small.hub.restore(large.hub.snapshot())
    small.send("/matrix/in/0/name", .string("vox"))
    let again = try Rig(inputs: 6, outputs: 2)
    again.hub.restore(small.hub.snapshot())
    let names = again.hub.snapshot().inputs.map(\.name)
    #expect(names == ["vox", "", "", "", "bass", ""])
    again.send("/matrix/in/vox/gain", .float(0.5))
    #expect(again.hub.snapshot()[input: 0].level == 0.5)
  }
}
