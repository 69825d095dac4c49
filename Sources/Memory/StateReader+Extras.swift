import Control
import JSON
import MatrixCore

/// Groups, pairs and scenes; a file from before there were any has none.
extension StateReader {
  func groups(_ value: JSONValue) throws(StateError) -> GroupContents {
    var contents = GroupContents()
    for (place, member) in try list(value, "groups").enumerated() {
      let place = "groups[\(place)]"
      guard let number = whole(member["number"], below: MixState.groupCount) else {
        throw wrong("has no number of a group in \(place)")
      }
      var members: [String] = []
      for word in try list(member, "members") {
        guard let text = word.string else {
          throw wrong("has a member in \(place) that is no text")
        }
        members.append(text)
      }
      contents.groups.append(
        GroupContents.Group(
          number: number, level: try level(member["level"], place),
          isMuted: try flag(member["mute"], place), name: try name(member["name"], place),
          members: members))
    }
    contents.inputPairs = try channelNumbers(value, "inputPairs")
    contents.outputPairs = try channelNumbers(value, "outputPairs")
    for pan in try list(value, "pans") {
      guard let parts = pan.array, parts.count == 3,
        let input = whole(parts[0], below: MatrixShape.maximumChannels),
        let output = whole(parts[1], below: MatrixShape.maximumChannels),
        let position = parts[2].number, (-1...1).contains(position)
      else { throw wrong("has a pan that is not an input, an output and -1 to 1") }
      contents.pans.append(GroupContents.Pan(input: input, output: output, pan: position))
    }
    return contents
  }

  func scenes(_ value: JSONValue) throws(StateError) -> SceneStore.Contents {
    var contents = SceneStore.Contents()
    for (place, member) in try list(value, "scenes").enumerated() {
      let place = "scenes[\(place)]"
      guard let number = whole(member["number"], below: SceneStore.most) else {
        throw wrong("has no number of a scene in \(place)")
      }
      while contents.scenes.count <= number { contents.scenes.append(nil) }
      contents.scenes[number] = try scene(member, place)
    }
    if let current = value["currentScene"], current != .null {
      guard let number = whole(current, below: SceneStore.most) else {
        throw wrong("has a current scene that is no number of a scene")
      }
      contents.current = number
    }
    for member in try list(value, "safe") {
      guard let parts = whole(member["parts"], below: 256) else {
        throw wrong("does not say what of something is safe")
      }
      contents.safe.append(
        SafeGain(
          input: try channel(member["input"]), output: try channel(member["output"]),
          group: try channel(member["group"]), parts: UInt8(parts)))
    }
    return contents
  }

  private func scene(_ value: JSONValue, _ place: String) throws(StateError) -> Scene {
    guard let inputs = value["inputs"]?.number.flatMap(Int.init(exactly:)),
      let outputs = value["outputs"]?.number.flatMap(Int.init(exactly:)),
      let shape = MatrixShape(inputs: inputs, outputs: outputs)
    else { throw wrong("has no numbers of channels in \(place)") }
    var levels: [Double] = []
    for value in try list(value, "levels") { levels.append(try level(value, place)) }
    var switches = [UInt8](repeating: 0, count: levels.count)
    for pair in try list(value, "switches") {
      guard let parts = pair.array, parts.count == 2,
        let gain = whole(parts[0], below: levels.count), let bits = whole(parts[1], below: 256)
      else { throw wrong("has switches in \(place) of no gain of it") }
      switches[gain] = UInt8(bits)
    }
    guard
      let scene = Scene(
        name: try name(value["name"], place), shape: shape, levels: levels, switches: switches)
    else { throw wrong("has not one level for each gain in \(place)") }
    return scene
  }

  private func list(_ value: JSONValue, _ name: String) throws(StateError) -> [JSONValue] {
    guard let member = value[name] else { return [] }
    guard let values = member.array else { throw wrong("has \(name) that are no list") }
    return values
  }

  private func channelNumbers(_ value: JSONValue, _ name: String) throws(StateError) -> [Int] {
    var numbers: [Int] = []
    for value in try list(value, name) {
      guard let number = whole(value, below: MatrixShape.maximumChannels) else {
        throw wrong("has \(name) that are no channels")
      }
      numbers.append(number)
    }
    return numbers
  }

  private func channel(_ value: JSONValue?) throws(StateError) -> Int? {
    guard let value, value != .null else { return nil }
    guard let number = whole(value, below: MatrixShape.maximumChannels) else {
      throw wrong("names something safe that is no channel")
    }
    return number
  }

  private func whole(_ value: JSONValue?, below limit: Int) -> Int? {
    guard let number = value?.number.flatMap(Int.init(exactly:)), (0..<limit).contains(number)
    else {
      return nil
    }
    return number
  }
}
