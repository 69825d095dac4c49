import Control
import MatrixCore
import Messages
import Testing

@Suite struct HostileTests {
  private let words = [
    "matrix", "in", "out", "master", "row", "col", "all", "set", "clear", "identity", "solo",
    "gain", "db", "fader", "nudge", "mute", "phase", "now", "stop", "touch", "name", "dim",
    "0", "1", "3", "7", "*", "?", "[0-9]", "{0,1}", "{gain,db}", "[", "}", "", "00", "config",
    "engine", "status", "ping", "levels", "dimensions", "ééé", "m*", "scene", "store", "recall",
    "undo", "verse", "/matrix/in/*/out/1", "/matrix/in/2", "/m*",
  ]

  private func argument(_ random: inout SeededRandom) -> Argument {
    let numbers: [Double] = [
      0, -0.0, 1, 0.5, 3, 3.2, 10, 12.7, 40, 127, -1, -60, 1e30, -1e30, 1e-40, 1e300, -1e300,
      .nan, .infinity, -.infinity, 2, 4, 1_000, 3.6e6,
    ]
    let number = numbers.randomElement(using: &random) ?? 0
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return .int32(Int32.random(in: -3...20, using: &random))
    case 1: return .int64(Int64.random(in: .min ... .max, using: &random))
    case 2: return .double(number)
    case 3: return .string(words.randomElement(using: &random) ?? "")
    case 4: return .bool(Bool.random(using: &random))
    case 5:
      return [.null, .impulse, .other(UInt8(ascii: "b"))].randomElement(using: &random) ?? .null
    default: return .float(Float(number))
    }
  }

  private func address(_ random: inout SeededRandom) -> String {
    var address = ""
    if Int.random(in: 0..<4, using: &random) > 0 { address = "/matrix" }
    for _ in 0..<Int.random(in: 0..<6, using: &random) {
      address += "/" + (words.randomElement(using: &random) ?? "")
    }
    // Most addresses are ours, so that what lies behind them is reached.
    if Int.random(in: 0..<4, using: &random) > 0 {
      let row = ParameterTable.rows.randomElement(using: &random) ?? ParameterTable.rows[0]
      address = row.address.split(separator: "/").map { part in
        guard part.hasPrefix("{") else { return "/" + part }
        return "/" + (["0", "1", "2", "*", "[0-2]"].randomElement(using: &random) ?? "0")
      }.joined()
    }
    return address
  }

  @Test(
    "Nothing that can be sent takes a level out of its range, or the hub down", arguments: 1...4)
  func anything(seed: UInt64) throws {
    let rig = try Rig(inputs: 4, outputs: 3)
    var random = SeededRandom(seed: seed)
    let moved = (0..<rig.shape.gainCount).map { GainID(index: Int32($0)) }
    for _ in 0..<4_000 {
      var batch = MessageBatch()
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        let time: TimeTag =
          Int.random(in: 0..<20, using: &random) > 0
          ? .immediate : .ntp(UInt64.random(in: .min ... .max, using: &random))
        batch.append(address: address(&random), time: time)
        for _ in 0..<Int.random(in: 0..<4, using: &random) {
          batch.appendArgument(argument(&random))
        }
      }
      let accepted = rig.hub.counters.acceptedBatches
      let revision = rig.hub.revision
      let lowered = rig.hub.counters.loweredToUnity
      rig.perform(batch, from: .client(Int.random(in: 0...3, using: &random)))
      let replies = rig.replies()
      if rig.hub.counters.acceptedBatches == accepted {
        #expect(replies.count == 1)
        #expect(replies.first?.isError == true)
        if rig.hub.counters.loweredToUnity == lowered { #expect(rig.hub.revision == revision) }
      }
      rig.advance(seconds: 0.001)
      for command in rig.commands() {
        #expect((0...Level.maximum).contains(command.fade.end))
        #expect((0...Level.maximum).contains(command.fade.start))
        // Groups may raise by as much as a level may.
        #expect((-Level.maximum...Level.maximum).contains(command.factor))
        #expect(command.fade.durationFrames >= 0)
      }
    }
    for gain in moved {
      #expect((0...Level.maximum).contains(rig.hub.level(of: gain)))
    }
    #expect(rig.hub.revision > 100)
  }

  @Test("Random bytes as addresses are refused one by one")
  func bytes() throws {
    let rig = try Rig()
    var random = SeededRandom(seed: 11)
    for _ in 0..<5_000 {
      let count = Int.random(in: 0..<40, using: &random)
      let bytes =
        [UInt8(ascii: "/")]
        + (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      rig.send(bytes: bytes, .float(0.5))
      #expect(rig.errorCode() == "address")
    }
    #expect(rig.commands().isEmpty)
  }
}
