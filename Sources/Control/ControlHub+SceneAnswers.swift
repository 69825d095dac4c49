import MatrixCore
import Messages

/// What is answered about scenes.
extension ControlHub {
  /// The most bytes of a message that lists what is safe: it fits one packet of any network.
  private static var longestListBytes: Int { 1_200 }

  /// Name, and the sum of 1 (stored), 2 (current) and 4 (of another size).
  func sceneInfo(of number: Int) -> [Argument] {
    guard let scene = state.scenes[number] else { return [.string(""), .int32(0)] }
    var flags: Int32 = 1
    if state.scenes.current == number { flags += 2 }
    if scene.shape != state.shape { flags += 4 }
    return [.string(scene.name), .int32(flags)]
  }

  /// Number, name, and whether a recall would change anything.
  func currentScene() -> [Argument] {
    [
      .int32(Int32(state.scenes.current ?? -1)), .string(state.scenes.currentScene?.name ?? ""),
      .int32(drift.isDirty ? 1 : 0),
    ]
  }

  /// Sends one message for each scene.
  func answerScenes(to source: Source) {
    for number in state.scenes.numbers {
      let target = Target(.sceneInfo, .scene, input: number)
      send(source, ParameterTable.address(of: target), sceneInfo(of: number))
    }
  }

  /// Sends what is safe beyond the first message.
  func answerSafe(to source: Source) {
    let address = ParameterTable.row(.sceneSafe, .mixer).address
    for list in safeLists().dropFirst() { send(source, address, list) }
  }

  /// What is safe as it could be sent to here, in as many messages as it takes.
  ///
  /// There may be an address for each crosspoint, and clients that are told of every change of it.
  func safeLists() -> [[Argument]] {
    if let safeAnswer, safeAnswer.revision == state.scenes.safeRevision { return safeAnswer.lists }
    let lists = makeSafeLists()
    safeAnswer = (state.scenes.safeRevision, lists)
    return lists
  }

  private func makeSafeLists() -> [[Argument]] {
    var lists: [[Argument]] = [[]]
    var bytes = 0
    for pattern in safePatterns() {
      // As OSC has them: a text and a number of four bytes each, padded, and two tags.
      let needed = pattern.utf8.count + 4 + 4 + 2
      if bytes + needed > Self.longestListBytes {
        lists.append([])
        bytes = 0
      }
      lists[lists.count - 1] += [.string(pattern), .int32(1)]
      bytes += needed
    }
    return lists == [[]] ? [[.string("/matrix"), .int32(0)]] : lists
  }

  /// The addresses of what is safe, each stage as a whole where all of it is.
  private func safePatterns() -> [String] {
    let shape = state.shape
    let scenes = state.scenes
    func isWhole(_ gain: GainID) -> Bool {
      scenes.safe(gain) == StoredParts.all(of: gain, in: shape)
    }
    guard !(0..<shape.levelCount).allSatisfy({ isWhole(GainID(index: Int32($0))) }) else {
      return ["/matrix"]
    }
    var patterns: [String] = []
    for input in 0..<shape.inputs {
      let stem = "/matrix/in/\(input)"
      let row = (0..<shape.outputs).map { shape.crosspoint(input: input, output: $0) }
      let isWholeRow = row.allSatisfy(isWhole)
      if isWholeRow, isWhole(shape.input(input)) {
        patterns.append(stem)
        continue
      }
      patterns += safePatterns(of: shape.input(input), stem, whole: "/*")
      if isWholeRow {
        patterns.append(stem + "/out")
      } else {
        for output in 0..<shape.outputs where !scenes.safe(row[output]).isEmpty {
          patterns += safePatterns(of: row[output], "\(stem)/out/\(output)", whole: "")
        }
      }
    }
    for output in 0..<shape.outputs {
      patterns += safePatterns(of: shape.output(output), "/matrix/out/\(output)", whole: "/*")
    }
    for group in 0..<MixState.groupCount {
      let gain = Target(.gain, .group, input: group).gain(in: shape)
      patterns += safePatterns(of: gain, "/matrix/group/\(group)", whole: "/*")
    }
    return patterns + safePatterns(of: shape.master, "/matrix/master", whole: "/*")
  }

  private func safePatterns(of gain: GainID, _ stem: String, whole: String) -> [String] {
    let parts = state.scenes.safe(gain)
    if parts == StoredParts.all(of: gain, in: state.shape) { return [stem + whole] }
    var patterns = parts.contains(.level) ? [stem + "/gain"] : []
    for (part, word) in [(StoredParts.mute, "mute"), (.phase, "phase"), (.soloSafe, "solosafe")]
    where parts.contains(part) {
      patterns.append(stem + "/" + word)
    }
    return patterns
  }
}
