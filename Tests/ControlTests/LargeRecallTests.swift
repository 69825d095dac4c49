import Control
import MatrixCore
import Messages
import TestSupport
import Testing

/// Recalls of every gain of a large matrix, from the hub to the samples.
@Suite("Scenes of a large matrix")
struct LargeRecallTests {
  /// Messages that give every gain a level of its own and, if wished, turn some switches.
  private static func values(
    _ shape: MatrixShape, seed: UInt64, motion: [Argument] = [], withSwitches: Bool = false
  ) -> [(address: String, arguments: [Argument])] {
    var random = SeededRandom(seed: seed)
    var messages: [(address: String, arguments: [Argument])] = []
    func add(_ stem: String, switches: [String]) {
      // Small sums, so that single precision shows the first step of the slowest gain.
      let level = Double(UInt32.random(in: 1...60_000, using: &random)) / 0x10_0000
      messages.append((stem + "/gain", [.double(level)] + motion))
      guard withSwitches else { return }
      for name in switches {
        messages.append((stem + name, [.bool(Int.random(in: 0..<4, using: &random) == 0)]))
      }
    }
    for input in 0..<shape.inputs {
      add("/matrix/in/\(input)", switches: ["/mute", "/phase", "/solosafe"])
      for output in 0..<shape.outputs {
        add("/matrix/in/\(input)/out/\(output)", switches: ["/mute"])
      }
    }
    for output in 0..<shape.outputs {
      add("/matrix/out/\(output)", switches: ["/mute", "/phase"])
    }
    add("/matrix/master", switches: [])
    return messages
  }

  private static func crosspoints(
    _ shape: MatrixShape, seed: UInt64, motion: [Argument] = []
  ) -> [(address: String, arguments: [Argument])] {
    values(shape, seed: seed, motion: motion).filter { $0.address.contains("/out/") }
      .filter { $0.address.hasPrefix("/matrix/in/") }
  }

  private static func send(
    _ messages: [(address: String, arguments: [Argument])], to rig: SoundRig, at frame: Int64
  ) {
    for message in messages { rig.at(frame, message.address, message.arguments) }
  }

  @Test(
    "A scene of 16,384 gains leaves as one transaction on one frame",
    arguments: [[], [.float(500)], [.float(500), .string("s")]] as [[Argument]])
  func oneTransaction(motion: [Argument]) throws {
    let rig = try Rig(inputs: 128, outputs: 128)
    rig.bundle(Self.crosspoints(rig.shape, seed: 1).map { ($0.address, $0.arguments) })
    rig.send("/scene/store", .int32(0))
    rig.bundle(Self.crosspoints(rig.shape, seed: 2).map { ($0.address, $0.arguments) })
    _ = rig.commands()
    rig.advance(seconds: 1)
    rig.bundle([("/scene/recall", [.int32(0)] + motion)])
    let commands = rig.commands()
    #expect(commands.count == 16_384)
    #expect(Set(commands.map(\.gain)).count == 16_384)
    #expect(Set(commands.map(\.frame)) == [rig.board.nextFrame])
    #expect(commands.filter(\.endsTransaction).count == 1)
    #expect(commands.last?.endsTransaction == true)
    #expect(commands.map(\.gain) == Array(rig.shape.gainsInMemoryOrder.prefix(16_384)))
  }

  @Test(
    "Every output begins to move on exactly the frame of the recall, whatever the period",
    arguments: [1, 64, 100, 4_096],
    [[], [.float(120), .string("db")], [.float(120), .string("lin")]] as [[Argument]])
  func onItsFrame(period: Int, motion: [Argument]) {
    let frame: Int64 = 5_797
    let rig = SoundRig(inputs: 128, outputs: 128, periodFrames: period)
    Self.send(Self.crosspoints(rig.shape, seed: 1), to: rig, at: 0)
    rig.at(0, "/scene/store", .int32(0))
    // All gains of a crosspoint's neighbours go the same way, so that nothing cancels out.
    rig.at(0, "/matrix/in/*/out/*/gain", .float(0.01))
    rig.at(frame, "/scene/recall", [.int32(0)] + motion)
    let outputs = rig.play(frames: frame + 128)
    for output in outputs {
      let before = output[Int(frame) - 64..<Int(frame)]
      #expect(before.allSatisfy { $0 == before.first && $0 > 1 })
      #expect(output[Int(frame)] > output[Int(frame) - 1])
      #expect(output[Int(frame) + 127] > output[Int(frame)])
    }
  }

  @Test(
    "A recall of 16,641 gains and the same values in one bundle sound the same, bit for bit",
    arguments: [[], [.float(60)], [.float(60), .string("lin")], [.float(60), .string("s")]]
      as [[Argument]])
  func sameAsBundle(motion: [Argument]) {
    func outputs(isRecall: Bool) -> [[UInt32]] {
      let rig = SoundRig(inputs: 128, outputs: 128)
      let scene = Self.values(rig.shape, seed: 3, withSwitches: true)
      Self.send(scene, to: rig, at: 0)
      // Both would be too much for one batch.
      rig.at(1, "/scene/store", .int32(0))
      Self.send(Self.values(rig.shape, seed: 4, withSwitches: true), to: rig, at: 64)
      // It meets gains that glide, and rows that are on fades of their own.
      for (row, curve) in ["db", "lin", "s"].enumerated() {
        rig.at(
          700, "/matrix/in/{\(row),\(row + 60)}/out/*/gain", .float(0.1), .float(50),
          .string(curve))
      }
      rig.at(1_000, "/matrix/in/5/out/*", .float(0.2))
      if isRecall {
        rig.at(1_201, "/scene/recall", [.int32(0)] + motion)
      } else {
        Self.send(
          Self.values(rig.shape, seed: 3, motion: motion, withSwitches: true), to: rig, at: 1_201)
      }
      return rig.play(frames: 10_500) { Float($0 % 97) / 97 - 0.4 }.map { $0.map(\.bitPattern) }
    }
    let recalled = outputs(isRecall: true)
    let areSame = recalled == outputs(isRecall: false)
    #expect(areSame)
    // A quarter of the outputs is muted.
    #expect(Set(recalled.map { $0[10_000] }).count > 60)
  }

  @Test("Rows in one bundle, with stages and mutes, sound as the recall of a 64 x 64 scene")
  func rows() {
    func outputs(isRecall: Bool) -> [[UInt32]] {
      let rig = SoundRig(inputs: 64, outputs: 64, periodFrames: 100)
      func set(at frame: Int64, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for input in 0..<64 {
          rig.at(
            frame, "/matrix/row/\(input)",
            (0..<64).map { _ in .float(Float(UInt16.random(in: 0...999, using: &random)) / 999) })
        }
        for channel in 0..<64 {
          rig.at(frame, "/matrix/in/\(channel)/gain", .float(.random(in: 0...1, using: &random)))
          rig.at(frame, "/matrix/out/\(channel)/db", .float(.random(in: -30...0, using: &random)))
          rig.at(frame, "/matrix/in/\(channel)/mute", .bool(.random(using: &random)))
        }
      }
      set(at: 0, seed: 5)
      rig.at(0, "/scene/store", .string("a"))
      set(at: 500, seed: 6)
      if isRecall { rig.at(933, "/scene/recall", .string("a")) } else { set(at: 933, seed: 5) }
      return rig.play(frames: 7_000) { Float($0 % 89) / 89 - 0.5 }.map { $0.map(\.bitPattern) }
    }
    let recalled = outputs(isRecall: true)
    let areSame = recalled == outputs(isRecall: false)
    #expect(areSame)
    #expect(recalled[63].last != 0)
  }

  @Test(
    "Levels and mutes of groups in a recall sound as the same in one bundle",
    arguments: [[], [.float(80)], [.float(80), .string("lin")]] as [[Argument]])
  func groups(motion: [Argument]) {
    func outputs(isRecall: Bool, period: Int = 64) -> [[UInt32]] {
      let rig = SoundRig(inputs: 12, outputs: 8, periodFrames: period, ringCapacity: 4_096)
      rig.at(0, "/matrix/group/0/members", .string("/matrix/in/*/out/*"))
      rig.at(0, "/matrix/group/1/members", .string("/matrix/in/{2,3}/out/*"))
      func set(at frame: Int64, _ levels: [Float], isMuted: Bool, _ motion: [Argument]) {
        rig.at(frame, "/matrix/in/*/out/*/gain", [.float(levels[0])] + motion)
        rig.at(frame, "/matrix/group/0/gain", [.float(levels[1])] + motion)
        rig.at(frame, "/matrix/group/1/gain", [.float(levels[2])] + motion)
        rig.at(frame, "/matrix/group/2/mute", .bool(isMuted))
        rig.at(frame, "/matrix/out/3/phase", .bool(isMuted))
      }
      rig.at(0, "/matrix/group/2/members", .string("/matrix/out/5"))
      set(at: 0, [0.3, 0.5, 1.5], isMuted: true, [])
      rig.at(0, "/scene/store", .int32(4))
      set(at: 200, [0.6, 0.25, 0.5], isMuted: false, [])
      rig.at(900, "/matrix/group/0/gain", .float(1), .float(200), .string("s"))
      if isRecall {
        rig.at(2_111, "/scene/recall", [.int32(4)] + motion)
      } else {
        set(at: 2_111, [0.3, 0.5, 1.5], isMuted: true, motion)
      }
      return rig.play(frames: 12_000) { Float($0 % 101) / 101 - 0.5 }.map { $0.map(\.bitPattern) }
    }
    let recalled = outputs(isRecall: true)
    let areSame = recalled == outputs(isRecall: false)
    #expect(areSame)
    let isSameAtOnce = recalled == outputs(isRecall: true, period: 4_096)
    #expect(isSameAtOnce)
    let last = recalled.map { Float(bitPattern: $0[11_999]) }
    #expect(last[0] != 0 && last[3] == -last[0] && last[5] == 0)
  }
}
