import MatrixCore

/// A stored set of every level and of the switches that belong to the mix.
///
/// It remembers for how many inputs and outputs it was stored. A matrix of another size takes from
/// it what both have, and leaves the scene as it is.
public struct Scene: Equatable, Sendable {
  /// What people call it: up to 64 bytes, and nothing when it has no name.
  public var name: String
  /// The matrix that it was stored from.
  public let shape: MatrixShape
  /// A linear gain, 0...`Level.maximum`, for each gain in the flat numbering of `shape` and then
  /// for each group.
  public let levels: [Double]
  /// The switches of each of them: 1 mute, 2 phase, 8 solosafe, or a sum of them.
  public let switches: [UInt8]

  /// Puts a scene together; nothing when a count or a level is not one of that matrix.
  ///
  /// Bits of `switches` that mean nothing are left out.
  public init?(name: String, shape: MatrixShape, levels: [Double], switches: [UInt8]) {
    guard levels.count == shape.levelCount, switches.count == shape.levelCount,
      levels.allSatisfy({ (0...Level.maximum).contains($0) })
    else { return nil }
    self.name = name
    self.shape = shape
    self.levels = levels
    self.switches = switches.map { $0 & StoredParts.switches.rawValue }
  }

  /// A scene that only says which name a place will have and how large it will be.
  init(outline name: String, shape: MatrixShape) {
    self.name = name
    self.shape = shape
    levels = []
    switches = []
  }

  /// Takes down how a mixer stands; a level on its way counts as where it goes.
  init(name: String, of state: MixState) {
    self.name = name
    shape = state.shape
    levels = (0..<shape.levelCount).map { state.level(of: GainID(index: Int32($0))) }
    switches = (0..<shape.levelCount).map { state.storedSwitches(of: GainID(index: Int32($0))) }
  }

  /// Where in the scene a gain of a matrix stands, if the scene has it.
  func place(of gain: GainID, in other: MatrixShape) -> Int? {
    if other == shape { return Int(gain.index) }
    let group = Int(gain.index) - other.gainCount
    if group >= 0 { return shape.gainCount + group }
    let place: GainID
    switch other.stage(of: gain) {
    case .crosspoint(let input, let output):
      guard input < shape.inputs, output < shape.outputs else { return nil }
      place = shape.crosspoint(input: input, output: output)
    case .input(let input):
      guard input < shape.inputs else { return nil }
      place = shape.input(input)
    case .output(let output):
      guard output < shape.outputs else { return nil }
      place = shape.output(output)
    case .master:
      place = shape.master
    }
    return Int(place.index)
  }

  /// In what a gain of a mixer differs from the scene.
  func difference(of gain: GainID, in state: MixState) -> StoredParts {
    guard let place = place(of: gain, in: state.shape) else { return [] }
    let parts = StoredParts(rawValue: switches[place] ^ state.storedSwitches(of: gain))
    return state.level(of: gain) == levels[place] ? parts : parts.union(.level)
  }
}
