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
  /// Whether changes are looked at one by one; off while a recall makes many, and then measures.
  var isFollowing = true

  init(shape: MatrixShape) {
    isAway = [Bool](repeating: false, count: shape.levelCount)
  }

  /// Whether a recall of the current scene would change anything.
  var isDirty: Bool { awayCount > 0 }

  /// Looks at every gain.
  mutating func measure(_ state: MixState) {
    awayCount = 0
    let scene = state.scenes.currentScene
    for index in isAway.indices {
      let isAway = scene.map { Self.differs(GainID(index: Int32(index)), from: $0, state) } ?? false
      self.isAway[index] = isAway
      if isAway { awayCount += 1 }
    }
  }

  /// Looks at a gain that has changed.
  mutating func follow(_ gain: GainID, _ state: MixState) {
    guard isFollowing, let scene = state.scenes.currentScene else { return }
    let isAway = Self.differs(gain, from: scene, state)
    let index = Int(gain.index)
    guard isAway != self.isAway[index] else { return }
    self.isAway[index] = isAway
    awayCount += isAway ? 1 : -1
  }

  private static func differs(_ gain: GainID, from scene: Scene, _ state: MixState) -> Bool {
    !scene.difference(of: gain, in: state).subtracting(state.scenes.safe(gain)).isEmpty
  }
}
