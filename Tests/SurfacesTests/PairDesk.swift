import Control
import Messages
import Testing

/// What a test needs to compare what is told with what is answered, in a matrix with pairs.
extension Desk {
  /// A desk with a pair of inputs, or of outputs, or both, and a group that both sides are in.
  static func paired(inputs: Bool, outputs: Bool) throws -> Desk {
    let desk = try Desk(inputs: 5, outputs: 5)
    if inputs { desk.perform("/matrix/in/1/pair", .int32(1)) }
    if outputs {
      desk.perform("/matrix/out/0/pair", .int32(1))
      desk.perform("/matrix/out/3/pair", .int32(1))
    }
    desk.perform("/matrix/group/7/members", .string("/matrix/in/1"), .string("/matrix/out/3"))
    desk.pass()
    return desk
  }

  /// What questions on addresses are answered, asked from one socket.
  func answers(_ addresses: some Sequence<String>) -> [String: [Argument]] {
    let asker = tablet()
    var answers: [String: [Argument]] = [:]
    for address in addresses {
      asker.send(address)
      pass()
      for heard in asker.heard() { answers[heard.address] = heard.arguments }
    }
    return answers
  }

  /// Every level, switch, pan and link there is, on a face.
  func everything(_ face: ClientFace) -> [String: [Argument]] {
    var addresses: [String] = []
    let last = face == .bare ? "gain" : face.rawValue
    for input in 0..<shape.inputs {
      let stem = "/matrix/in/\(input)"
      addresses += ["\(stem)/\(last)", "\(stem)/mute", "\(stem)/solo", "\(stem)/pair"]
      for output in 0..<shape.outputs {
        let crosspoint = "\(stem)/out/\(output)"
        addresses.append(face == .bare ? crosspoint : "\(crosspoint)/\(last)")
        addresses += ["\(crosspoint)/pan", "\(crosspoint)/mute"]
      }
    }
    for output in 0..<shape.outputs {
      let stem = "/matrix/out/\(output)"
      addresses += ["\(stem)/\(last)", "\(stem)/mute", "\(stem)/dim", "\(stem)/pair"]
    }
    addresses += ["/matrix/master/\(last)", "/matrix/group/7/\(last)", "/matrix/group/7/mute"]
    return answers(addresses)
  }

  /// One thing that a hand, a list, a scene or undo does, chosen by dice.
  func doSomething(_ dice: inout Dice, linking: Bool = true, lists: Bool = true) {
    let input = dice.roll(shape.inputs)
    let output = dice.roll(shape.outputs)
    let stems = [
      "/matrix/in/\(input)/out/\(output)", "/matrix/in/\(input)/out/\(output)",
      "/matrix/in/\(input)", "/matrix/out/\(output)", "/matrix/master", "/matrix/group/7",
    ]
    let stem = stems[dice.roll(stems.count)]
    switch dice.roll(lists ? 18 : 11) {
    case 0...5:
      let (face, range): (String, ClosedRange<Float>) = [
        ("gain", 0...2), ("db", -100...10), ("fader", 0...1),
      ][dice.roll(3)]
      let value = dice.hits(oneIn: 8) ? range.lowerBound : .random(in: range, using: &dice)
      if dice.hits(oneIn: 3) {
        perform(
          "\(stem)/\(face)", .float(value), .float(Float(20 + dice.roll(200))),
          .string(["db", "lin", "s"][dice.roll(3)]))
      } else {
        perform("\(stem)/\(face)", .float(value))
      }
    case 6, 7:
      let value =
        dice.hits(oneIn: 5) ? Float(dice.roll(3) - 1) : .random(in: -1...1, using: &dice)
      perform("/matrix/in/\(input)/out/\(output)/pan", .float(value))
    case 8: perform("\(stem)/mute", .int32(Int32(dice.roll(2))))
    case 9: perform("\(stem)/nudge", .float(Float(dice.roll(9) - 4)))
    case 10:
      guard linking, dice.hits(oneIn: 2) else { return perform("\(stem)/stop") }
      let side = dice.hits(oneIn: 2) ? "in/\(input)" : "out/\(output)"
      perform("/matrix/\(side)/pair", .int32(Int32(dice.roll(2))))
    case 11, 12:
      perform(
        "/matrix/set", .int32(Int32(input)), .int32(Int32(output)),
        .float(dice.hits(oneIn: 4) ? 0 : .random(in: 0...2, using: &dice)))
    case 13: perform("/matrix/row/\(input)", .float(.random(in: 0...1, using: &dice)), .float(0.5))
    case 14: perform(dice.hits(oneIn: 2) ? "/undo" : "/redo")
    case 15: perform("/scene/store", .int32(Int32(dice.roll(2))))
    case 16: perform("/scene/recall", .int32(Int32(dice.roll(2))), .float(Float(dice.roll(2) * 80)))
    default:
      guard dice.hits(oneIn: 4) else { return }
      perform(dice.hits(oneIn: 2) ? "/matrix/identity" : "/matrix/clear", .float(60))
    }
  }
}

extension Tablet {
  /// Sends back everything that it has heard; says how much that was.
  @discardableResult
  func parrot() -> Int {
    let all = heard()
    for heard in all { send(address: heard.address, arguments: heard.arguments) }
    return all.count
  }
}
