import MatrixCore
import Messages

/// Storing and recalling. What stands here is applied after it was checked; a scene may be gone all
/// the same when a message has waited for its time, and then its sender is told.
extension ControlHub {
  func applyScene(
    _ operation: Operation, _ arguments: ArraySlice<Argument>, _ frame: Int64, _ source: Source
  ) {
    do throws(Refusal) {
      switch operation.target.parameter {
      case .sceneStore: try storeScene(operation.target, Array(arguments), source)
      case .sceneRecall: try recallScene(operation, Array(arguments), frame, source)
      case .sceneRename: try renameScene(Array(arguments), source)
      case .sceneDelete: try deleteScene(Array(arguments), source)
      case .sceneSafe: makeSafe(Array(arguments), source)
      case .undo: try takeBack(operation, frame, source)
      case .redo: try takeBack(operation, frame, source)
      default: preconditionFailure("an address of scenes or of undo")
      }
    } catch {
      if let cause = Refusal.Code.allCases.firstIndex(of: error.code) { tally.refused[cause] += 1 }
      send(
        source, Reply.errorAddress,
        [
          .string(ParameterTable.address(of: operation.target)), .string(error.code.rawValue),
          .string(error.text),
        ])
    }
  }

  /// The scene that is meant: the one of the address, or else of the first argument.
  private func reference(_ target: Target, _ arguments: [Argument]) -> SceneReference? {
    target.place == .scene
      ? .number(target.input) : arguments.first.flatMap(SceneReference.init)
  }

  private func storeScene(
    _ target: Target, _ arguments: [Argument], _ source: Source
  ) throws(Refusal) {
    var name: String?
    if case .string(let given)? = arguments.last, arguments.count == 2 { name = given }
    let (number, taken) = try state.scenes.place(for: reference(target, arguments), name: name)
    let scene = Scene(name: taken, of: state)
    guard scene != state.scenes[number] || state.scenes.current != number else { return }
    let before = state.scenes.current
    state.scenes.put(scene, at: number)
    drift.measure(state)
    changed(Target(.sceneInfo, .scene, input: number), by: source)
    tellFlags(unless: number, was: before, by: source)
  }

  private func recallScene(
    _ operation: Operation, _ arguments: [Argument], _ frame: Int64, _ source: Source
  ) throws(Refusal) {
    guard let reference = reference(operation.target, arguments) else {
      preconditionFailure("a scene is named")
    }
    let number = try state.scenes.number(of: reference)
    guard let scene = state.scenes[number] else { preconditionFailure("the scene was found") }
    var scope: [StoredParts]?
    if case .string(let pattern)? = arguments.last, arguments.count == 2 {
      scope = draft.tree.parts(under: pattern)
    }
    let safe = state.scenes.safe
    isDriftFollowed = false
    for index in 0..<state.shape.levelCount {
      let gain = GainID(index: Int32(index))
      guard let place = scene.place(of: gain, in: state.shape) else { continue }
      restore(
        (scope?[index] ?? .all).subtracting(safe[index]), of: gain,
        to: scene.levels[place], scene.switches[place], operation, frame, source)
    }
    isDriftFollowed = true
    // A part of a scene does not make it the scene that one is in.
    if scope == nil, state.scenes.current != number {
      history.note(scene: state.scenes.current, by: source)
      setCurrentScene(number, by: source)
    }
    drift.measure(state)
  }

  /// Takes parts of a gain to a level and switches, those that differ.
  func restore(
    _ parts: StoredParts, of gain: GainID, to level: Double, _ switches: UInt8,
    _ operation: Operation, _ frame: Int64, _ source: Source
  ) {
    if parts.contains(.level) {
      let current = state.fade(of: gain)
      if current.end != level || !current.hasEnded(by: frame) {
        move(
          gain, to: level, over: operation.durationFrames, along: operation.curve,
          atFrame: frame, by: source)
      }
    }
    let wanted = parts.intersection(.switches)
    let turned = wanted.intersection(
      StoredParts(rawValue: switches ^ state.storedSwitches(of: gain)))
    guard !turned.isEmpty else { return }
    for (part, parameter) in StoredParts.switchParameters where turned.contains(part) {
      turn(
        parameter, of: gain, on: StoredParts(rawValue: switches).contains(part), by: source,
        told: source)
    }
    list(gain)
  }

  private func renameScene(_ arguments: [Argument], _ source: Source) throws(Refusal) {
    guard arguments.count == 2, case .string(let name) = arguments[1],
      let reference = SceneReference(arguments[0])
    else { preconditionFailure("a scene and a name") }
    let number = try state.scenes.number(of: reference)
    try state.scenes.check(name, for: number)
    guard state.scenes[number]?.name != name else { return }
    state.scenes.rename(number, name)
    changed(Target(.sceneInfo, .scene, input: number), by: source)
  }

  private func deleteScene(_ arguments: [Argument], _ source: Source) throws(Refusal) {
    guard let reference = arguments.first.flatMap(SceneReference.init) else {
      preconditionFailure("a scene is named")
    }
    let number = try state.scenes.number(of: reference)
    state.scenes.delete(number)
    drift.measure(state)
    changed(Target(.sceneInfo, .scene, input: number), by: source)
  }

  private func makeSafe(_ arguments: [Argument], _ source: Source) {
    guard arguments.count == 2, case .string(let pattern) = arguments[0],
      let isSafe = arguments[1].number
    else { preconditionFailure("a pattern and a switch") }
    guard state.scenes.setSafe(draft.tree.parts(under: pattern), isSafe >= 0.5) else { return }
    drift.measure(state)
    changed(Target(.sceneSafe, .mixer), by: source)
  }

  // MARK: The current scene

  func setCurrentScene(_ number: Int?, by source: Source) {
    let before = state.scenes.current
    state.scenes.setCurrent(number)
    tellFlags(unless: nil, was: before, by: source)
  }

  /// Tells of the scenes of which one was current before and the other one is now.
  private func tellFlags(unless told: Int?, was before: Int?, by source: Source) {
    let now = state.scenes.current
    guard before != now else { return }
    for number in [before, now] {
      guard let number, number != told, state.scenes[number] != nil else { continue }
      changed(Target(.sceneInfo, .scene, input: number), by: source)
    }
  }

  /// Tells of the current scene at the end of a transaction that made another one current, gave it
  /// another name, or changed the first thing since.
  func tellCurrentScene(by source: Source) {
    let now = toldNow
    guard now != drift.told else { return }
    drift.told = now
    changed(Target(.sceneCurrent, .mixer), by: source)
  }

  private var toldNow: SceneDrift.Told {
    SceneDrift.Told(
      number: state.scenes.current, name: state.scenes.currentScene?.name ?? "",
      isDirty: drift.isDirty)
  }

  /// Remembers how a gain was before a change, and whether it now is as the current scene has it.
  func noteChange(
    of gain: GainID, from level: Double, _ switches: UInt8, by source: Source
  ) {
    history.note(
      gain, level: level, switches: switches, atFrame: outbox.frame, by: source)
    if isDriftFollowed { drift.follow(gain, state) }
  }

  // MARK: Saving

  /// What has to be saved of scenes.
  public var sceneContents: SceneStore.Contents { state.scenes.contents }

  /// Takes over scenes that were saved, perhaps by a matrix of another size.
  ///
  /// Nobody is told.
  public func restoreScenes(_ contents: SceneStore.Contents) {
    state.scenes = SceneStore(contents, shape: state.shape)
    safeAnswer = nil
    drift.measure(state)
    drift.told = toldNow
  }
}
