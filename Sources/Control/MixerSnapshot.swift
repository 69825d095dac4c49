/// Everything of a mixer that survives the program: levels, switches, names, groups, pairs and
/// scenes.
///
/// A level is where a gain stands or where its fade ends. Solo, dim switches, hands and panic are of
/// the moment and have no place here. A snapshot may be of more or fewer channels than the matrix
/// that it is restored into.
public struct MixerSnapshot: Equatable, Sendable {
  /// The meeting of an input and an output.
  public struct Crosspoint: Equatable, Sendable {
    /// The level, as linear gain, 0...`Level.maximum`.
    public var level = 0.0
    /// Whether it is muted.
    public var isMuted = false
    /// Whether its polarity is turned over.
    public var isInverted = false

    /// A crosspoint at rest: off.
    public init() {}
  }

  /// An input.
  public struct Input: Equatable, Sendable {
    /// The level, as linear gain, 0...`Level.maximum`.
    public var level = 1.0
    /// Whether it is muted.
    public var isMuted = false
    /// Whether its polarity is turned over.
    public var isInverted = false
    /// Whether the solo of others leaves it alone.
    public var isSoloSafe = false
    /// What people call it.
    public var name = ""

    /// An input at rest: at unity, without a name.
    public init() {}
  }

  /// An output.
  public struct Output: Equatable, Sendable {
    /// The level, as linear gain, 0...`Level.maximum`.
    public var level = 1.0
    /// Whether it is muted.
    public var isMuted = false
    /// Whether its polarity is turned over.
    public var isInverted = false
    /// What people call it.
    public var name = ""

    /// An output at rest: at unity, without a name.
    public init() {}
  }

  /// The sum of everything.
  public struct Master: Equatable, Sendable {
    /// The level, as linear gain, 0...`Level.maximum`.
    public var level = 1.0
    /// Whether it is muted.
    public var isMuted = false

    /// The master at rest: at unity.
    public init() {}
  }

  /// The inputs, from 0.
  public private(set) var inputs: [Input]
  /// The outputs, from 0.
  public private(set) var outputs: [Output]
  /// The crosspoints, input after input.
  public private(set) var crosspoints: [Crosspoint]
  /// The master.
  public var master = Master()
  /// What dim changes a level by, in dB.
  public var dimDB = -20.0
  /// Groups and pairs.
  public var groups = GroupContents()
  /// Scenes, the current one, and what no recall changes.
  public var scenes = SceneStore.Contents()

  /// A mixer at rest: crosspoints off, all else at unity, no switch on, no name.
  public init(inputs: Int, outputs: Int) {
    precondition(inputs >= 0 && outputs >= 0, "numbers of channels")
    self.inputs = Array(repeating: Input(), count: inputs)
    self.outputs = Array(repeating: Output(), count: outputs)
    crosspoints = Array(repeating: Crosspoint(), count: inputs * outputs)
  }

  /// One input.
  public subscript(input input: Int) -> Input {
    get { inputs[input] }
    set { inputs[input] = newValue }
  }

  /// One output.
  public subscript(output output: Int) -> Output {
    get { outputs[output] }
    set { outputs[output] = newValue }
  }

  /// One crosspoint.
  public subscript(input: Int, output: Int) -> Crosspoint {
    get { crosspoints[place(input, output)] }
    set { crosspoints[place(input, output)] = newValue }
  }

  private func place(_ input: Int, _ output: Int) -> Int {
    precondition(inputs.indices.contains(input), "an input of the snapshot")
    precondition(outputs.indices.contains(output), "an output of the snapshot")
    return input * outputs.count + output
  }

  /// Whether it knows channels that a matrix of so many does not have.
  func exceeds(inputs: Int, outputs: Int) -> Bool {
    self.inputs.count > inputs || self.outputs.count > outputs
  }

  /// This snapshot, and beside it the channels that only an older one of a larger matrix knows.
  func beside(_ older: MixerSnapshot) -> MixerSnapshot {
    var result = MixerSnapshot(
      inputs: max(inputs.count, older.inputs.count),
      outputs: max(outputs.count, older.outputs.count))
    result.take(older)
    result.take(self)
    return result
  }

  private mutating func take(_ other: MixerSnapshot) {
    master = other.master
    dimDB = other.dimDB
    groups = other.groups
    scenes = other.scenes
    for output in other.outputs.indices { outputs[output] = other.outputs[output] }
    for input in other.inputs.indices {
      inputs[input] = other.inputs[input]
      for output in other.outputs.indices {
        crosspoints[place(input, output)] = other.crosspoints[other.place(input, output)]
      }
    }
  }
}
