import MatrixCore

/// How far the mixer has gone from the current scene: which gains a recall would change now.
///
/// Counted along with every change, so that asking costs nothing. Control thread only.
struct SceneDrift {
  /// What was last told to those who want to know.
  struct Told: Equatable {
    var number: Int?
    var name = ""
    var isDirty = false
  }

  private var isAway: [Bool]
  private var awayCount = 0
  /// What was last told.
  var told = Told()

  init(shape: MatrixShape) {
    isAway = [Bool](repeating: false, count: shape.levelCount)
  }

  /// Whether a recall of the current scene would change anything.
  var isDirty: Bool { awayCount > 0 }

  /// Looks at every gain.
  mutating func measure(_ state: MixState) {
    awayCount = 0
    let scene = state.scenes.currentScene
    let safe = state.scenes.safe
    for index in isAway.indices {
      let gain = GainID(index: Int32(index))
      let isAway =
        scene.map { !$0.difference(of: gain, in: state).subtracting(safe[index]).isEmpty } ?? false
      self.isAway[index] = isAway
      if isAway { awayCount += 1 }
    }
  }

  /// Looks at a gain that has changed.
  mutating func follow(_ gain: GainID, _ state: MixState) {
    guard let scene = state.scenes.currentScene else { return }
    let index = Int(gain.index)
    let difference = scene.difference(of: gain, in: state)
    let isAway = !difference.subtracting(state.scenes.safe(gain)).isEmpty
    guard isAway != self.isAway[index] else { return }
    self.isAway[index] = isAway
    awayCount += isAway ? 1 : -1
  }
}
