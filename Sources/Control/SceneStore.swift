import MatrixCore

/// All scenes, which of them is current, and what no recall touches.
///
/// A plain value. Scenes have numbers from 0 and, if people like, names; no two have the same
/// name. Control thread only.
public struct SceneStore: Sendable {
  /// The most scenes.
  public static let most = 1_000
  /// The most gains and groups that all scenes together may hold, which is what a state file has
  /// room for: 119 scenes of 128 x 128, or 1,000 of 43 x 43.
  public static let mostGains = 2_000_000

  /// The scenes by number; nothing where none is stored.
  private(set) var slots: [Scene?]
  /// The number of the scene that was last recalled whole, or stored.
  private(set) var current: Int?
  /// What of each gain recalls leave alone.
  private(set) var safe: [StoredParts]
  /// How often that has changed.
  private(set) var safeRevision = 0
  /// The same for channels that this matrix does not have.
  private var safeElsewhere: [SafeGain] = []
  private var gainTotal = 0
  private let shape: MatrixShape

  /// No scene, and nothing safe.
  init(shape: MatrixShape) {
    self.shape = shape
    slots = []
    safe = [StoredParts](repeating: [], count: shape.levelCount)
  }

  // MARK: What there is

  /// A scene by its number.
  subscript(number: Int) -> Scene? {
    slots.indices.contains(number) ? slots[number] : nil
  }

  /// The scene that was last recalled whole, or stored.
  var currentScene: Scene? { current.flatMap { self[$0] } }

  /// What of a gain recalls leave alone.
  func safe(_ gain: GainID) -> StoredParts { safe[Int(gain.index)] }

  /// The numbers of all scenes, in order.
  var numbers: [Int] { slots.indices.filter { slots[$0] != nil } }

  /// The number of the scene that somebody means.
  func number(of reference: SceneReference) throws(Refusal) -> Int {
    switch reference {
    case .number(let number):
      guard self[number] != nil else {
        throw Refusal(.scene, "there is no scene \(number)\(hint(for: number))")
      }
      return number
    case .name(let name):
      guard let number = number(named: name) else {
        throw Refusal(.scene, "there is no scene \"\(name)\"\(hint(for: name))")
      }
      return number
    }
  }

  /// Where, and under which name, a scene is to be stored.
  ///
  /// Without a reference that is over the current one, or else in the first free place. A name
  /// that is not known yet is a new scene's, unless another name follows.
  func place(for reference: SceneReference?, name: String?) throws(Refusal) -> (Int, String) {
    let number: Int
    var name = name
    switch reference {
    case .number(let wanted):
      number = wanted
    case .name(let known):
      if let found = self.number(named: known) {
        number = found
      } else {
        guard name == nil else {
          throw Refusal(.scene, "there is no scene \"\(known)\"\(hint(for: known))")
        }
        name = known
        number = try firstFree()
      }
    case nil:
      if let current { number = current } else { number = try firstFree() }
    }
    if let name { try check(name, for: number) }
    let others = gainTotal - (self[number]?.shape.levelCount ?? 0)
    guard others + shape.levelCount <= Self.mostGains else {
      throw Refusal(
        .scene,
        "the scenes hold \(gainTotal) gains, of \(Self.mostGains) at most: delete scenes first")
    }
    return (number, name ?? self[number]?.name ?? "")
  }

  /// Refuses a name that another scene has.
  func check(_ name: String, for number: Int) throws(Refusal) {
    guard let holder = self.number(named: name), holder != number else { return }
    throw Refusal(.scene, "scene \(holder) has the name \"\(name)\" already")
  }

  // MARK: Changes

  /// Stores a scene and makes it the current one.
  mutating func put(_ scene: Scene, at number: Int) {
    precondition((0..<Self.most).contains(number), "a scene's number")
    while slots.count <= number { slots.append(nil) }
    gainTotal += scene.shape.levelCount - (slots[number]?.shape.levelCount ?? 0)
    slots[number] = scene
    current = number
  }

  mutating func rename(_ number: Int, _ name: String) { slots[number]?.name = name }

  mutating func delete(_ number: Int) {
    gainTotal -= slots[number]?.shape.levelCount ?? 0
    slots[number] = nil
    if current == number { current = nil }
  }

  /// Says which scene is current; one that there is no more is none.
  mutating func setCurrent(_ number: Int?) {
    current = number.flatMap { self[$0] == nil ? nil : $0 }
  }

  /// Makes parts of gains safe, or not; says whether that changed anything.
  mutating func setSafe(_ parts: [StoredParts], _ isSafe: Bool) -> Bool {
    var hasChanged = false
    for place in safe.indices where !parts[place].isEmpty {
      let old = safe[place]
      safe[place] = isSafe ? old.union(parts[place]) : old.subtracting(parts[place])
      hasChanged = hasChanged || safe[place] != old
    }
    if hasChanged { safeRevision += 1 }
    return hasChanged
  }

  // MARK: Saving

  /// What has to be saved for everything to be there tomorrow.
  public struct Contents: Equatable, Sendable {
    /// The scenes by number; nothing where none is stored.
    public var scenes: [Scene?]
    /// The number of the current scene, if there is one.
    public var current: Int?
    /// What no recall changes, of channels that the matrix has and of others.
    public var safe: [SafeGain]

    /// Puts contents together.
    public init(scenes: [Scene?] = [], current: Int? = nil, safe: [SafeGain] = []) {
      self.scenes = scenes
      self.current = current
      self.safe = safe
    }
  }

  /// What has to be saved.
  var contents: Contents {
    var gains: [SafeGain] = []
    for (place, parts) in safe.enumerated() where !parts.isEmpty {
      let target = Target(.gain, of: GainID(index: Int32(place)), in: shape)
      gains.append(
        SafeGain(
          input: target.place == .crosspoint || target.place == .input ? target.input : nil,
          output: target.place == .crosspoint || target.place == .output ? target.output : nil,
          group: target.place == .group ? target.input : nil, parts: parts.rawValue))
    }
    return Contents(scenes: slots, current: current, safe: gains + safeElsewhere)
  }

  /// Takes over what was saved, perhaps by a matrix of another size.
  ///
  /// Scenes beyond the highest number are left out, and so is a name that another scene has or
  /// that none may have.
  init(_ contents: Contents, shape: MatrixShape) {
    self.init(shape: shape)
    for (number, scene) in contents.scenes.prefix(Self.most).enumerated() {
      guard var scene else { continue }
      if !SceneName.isGood(scene.name) || self.number(named: scene.name) != nil { scene.name = "" }
      put(scene, at: number)
    }
    setCurrent(contents.current)
    for gain in contents.safe {
      guard let place = place(of: gain) else {
        safeElsewhere.append(gain)
        continue
      }
      safe[place].formUnion(StoredParts(rawValue: gain.parts))
    }
  }

  private func place(of gain: SafeGain) -> Int? {
    if let input = gain.input, !(0..<shape.inputs).contains(input) { return nil }
    if let output = gain.output, !(0..<shape.outputs).contains(output) { return nil }
    if let group = gain.group {
      return (0..<GroupTable.count).contains(group) ? shape.gainCount + group : nil
    }
    let found =
      switch (gain.input, gain.output) {
      case (let input?, let output?): shape.crosspoint(input: input, output: output)
      case (let input?, nil): shape.input(input)
      case (nil, let output?): shape.output(output)
      case (nil, nil): shape.master
      }
    return Int(found.index)
  }
}
