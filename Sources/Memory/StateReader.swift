import Control
import JSON
import MatrixCore

/// Checks what JSON says against what a mixer can have, and makes a snapshot of it.
struct StateReader {
  /// The name of the file, for errors.
  let file: String

  func snapshot(_ value: JSONValue) throws(StateError) -> MixerSnapshot {
    guard value["format"]?.string == StateText.format else {
      throw wrong("is not a state of Crosspoint")
    }
    guard let version = value["version"]?.number, version >= 1 else {
      throw wrong("does not say which version it has")
    }
    guard version <= StateText.version else {
      throw wrong("was written by a newer Crosspoint than this one")
    }
    let inputs = try channels(value, "inputs")
    let outputs = try channels(value, "outputs")
    var snapshot = MixerSnapshot(inputs: inputs.count, outputs: outputs.count)
    for (number, input) in inputs.enumerated() {
      try read(input, "inputs[\(number)]", into: &snapshot[input: number])
    }
    for (number, output) in outputs.enumerated() {
      try read(output, "outputs[\(number)]", into: &snapshot[output: number])
    }
    try readCrosspoints(value, into: &snapshot)
    guard let master = value["master"] else { throw wrong("has no master") }
    snapshot.master.level = try level(master["level"], "master")
    snapshot.master.isMuted = try flag(master["mute"], "the mute of master")
    if let dim = value["dim"] {
      guard let number = dim.number, (-60...0).contains(number) else {
        throw wrong("has a dim that is not -60 to 0 dB")
      }
      snapshot.dimDB = number
    }
    snapshot.groups = try groups(value)
    snapshot.scenes = try scenes(value)
    return snapshot
  }

  private func channels(_ value: JSONValue, _ name: String) throws(StateError) -> [JSONValue] {
    guard let channels = value[name]?.array,
      (1...MatrixShape.maximumChannels).contains(channels.count)
    else { throw wrong("has no \(name), or more than \(MatrixShape.maximumChannels)") }
    return channels
  }

  private func read(
    _ value: JSONValue, _ place: String, into input: inout MixerSnapshot.Input
  ) throws(StateError) {
    input.level = try level(value["level"], place)
    input.isMuted = try flag(value["mute"], place)
    input.isInverted = try flag(value["phase"], place)
    input.isSoloSafe = try flag(value["solosafe"], place)
    input.name = try name(value["name"], place)
  }

  private func read(
    _ value: JSONValue, _ place: String, into output: inout MixerSnapshot.Output
  ) throws(StateError) {
    output.level = try level(value["level"], place)
    output.isMuted = try flag(value["mute"], place)
    output.isInverted = try flag(value["phase"], place)
    output.name = try name(value["name"], place)
  }

  private func readCrosspoints(
    _ value: JSONValue, into snapshot: inout MixerSnapshot
  ) throws(StateError) {
    let inputs = snapshot.inputs.count
    let outputs = snapshot.outputs.count
    guard let rows = value["crosspoints"]?.array, rows.count == inputs else {
      throw wrong("has not one row of crosspoints for each of its \(inputs) inputs")
    }
    for (input, row) in rows.enumerated() {
      guard let levels = row.array, levels.count == outputs else {
        throw wrong("has not \(outputs) levels in crosspoints[\(input)], one for each output")
      }
      for (output, value) in levels.enumerated() {
        snapshot[input, output].level = try level(value, "crosspoints[\(input)][\(output)]")
      }
    }
    for (input, output) in try pairs(value["mutedCrosspoints"], of: snapshot) {
      snapshot[input, output].isMuted = true
    }
    for (input, output) in try pairs(value["invertedCrosspoints"], of: snapshot) {
      snapshot[input, output].isInverted = true
    }
  }

  private func pairs(
    _ value: JSONValue?, of snapshot: MixerSnapshot
  ) throws(StateError) -> [(Int, Int)] {
    guard let value else { return [] }
    var pairs: [(Int, Int)] = []
    for pair in value.array ?? [.null] {
      guard let numbers = pair.array?.map({ $0.number.flatMap(Int.init(exactly:)) ?? -1 }),
        numbers.count == 2, snapshot.inputs.indices.contains(numbers[0]),
        snapshot.outputs.indices.contains(numbers[1])
      else { throw wrong("names a crosspoint that it does not have") }
      pairs.append((numbers[0], numbers[1]))
    }
    return pairs
  }

  func level(_ value: JSONValue?, _ place: String) throws(StateError) -> Double {
    guard let level = value?.number, (0...Level.maximum).contains(level) else {
      throw wrong("has no level from 0 to \(Level.maximum) in \(place)")
    }
    // Minus zero is off like zero, and no reading of it may say otherwise.
    return level == 0 ? 0 : level
  }

  func flag(_ value: JSONValue?, _ place: String) throws(StateError) -> Bool {
    guard let value else { return false }
    guard let flag = value.bool else {
      throw wrong("has a switch in \(place) that is not true or false")
    }
    return flag
  }

  func name(_ value: JSONValue?, _ place: String) throws(StateError) -> String {
    guard let value else { return "" }
    guard let name = value.string, name.utf8.count <= Level.longestNameBytes,
      name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else {
      throw wrong(
        "has a name in \(place) that is no text of at most \(Level.longestNameBytes) bytes")
    }
    return name
  }

  func wrong(_ what: String) -> StateError { StateError("\(file) \(what).") }
}
