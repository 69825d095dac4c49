/// How many inputs and outputs a matrix has, and where each of its gains lives.
///
/// Gains have one flat numbering that every module shares: all crosspoints first (input-major:
/// `input * outputs + output`), then the inputs, then the outputs, then the master.
public struct MatrixShape: Equatable, Sendable {
  /// The most channels that one side may have.
  public static let maximumChannels = 512
  /// The most crosspoints that a matrix may have.
  public static let maximumCrosspoints = 65_536

  /// The number of inputs, 1...512.
  public let inputs: Int
  /// The number of outputs, 1...512.
  public let outputs: Int

  /// Makes a shape, or nothing when a side is outside 1...512 or inputs x outputs is above 65,536.
  public init?(inputs: Int, outputs: Int) {
    guard (1...Self.maximumChannels).contains(inputs),
      (1...Self.maximumChannels).contains(outputs),
      inputs * outputs <= Self.maximumCrosspoints
    else { return nil }
    self.inputs = inputs
    self.outputs = outputs
  }

  /// The number of crosspoints.
  public var crosspointCount: Int {
    @_noLocks @_noAllocation get { inputs * outputs }
  }

  /// The number of all gains: crosspoints, inputs, outputs and the master.
  public var gainCount: Int {
    @_noLocks @_noAllocation get { inputs * outputs + inputs + outputs + 1 }
  }

  /// The gain from an input to an output.
  @_noLocks @_noAllocation
  public func crosspoint(input: Int, output: Int) -> GainID {
    GainID(index: Int32(truncatingIfNeeded: input * outputs + output))
  }

  /// The gain of an input.
  @_noLocks @_noAllocation
  public func input(_ input: Int) -> GainID {
    GainID(index: Int32(truncatingIfNeeded: crosspointCount + input))
  }

  /// The gain of an output.
  @_noLocks @_noAllocation
  public func output(_ output: Int) -> GainID {
    GainID(index: Int32(truncatingIfNeeded: crosspointCount + inputs + output))
  }

  /// The gain of everything.
  public var master: GainID {
    @_noLocks @_noAllocation get {
      GainID(index: Int32(truncatingIfNeeded: crosspointCount + inputs + outputs))
    }
  }

  /// Which stage a gain belongs to.
  @_noLocks @_noAllocation
  public func stage(of gain: GainID) -> GainStage {
    let index = Int(gain.index)
    if index < crosspointCount {
      return .crosspoint(input: index / outputs, output: index % outputs)
    }
    let channel = index - crosspointCount
    if channel < inputs { return .input(channel) }
    if channel < inputs + outputs { return .output(channel - inputs) }
    return .master
  }
}

/// One gain of a matrix, numbered as `MatrixShape` says.
public struct GainID: Hashable, Sendable, BitwiseCopyable {
  /// The place in the flat numbering, from 0.
  public var index: Int32

  /// Names the gain at a place of the flat numbering.
  @_noLocks @_noAllocation
  public init(index: Int32) {
    self.index = index
  }
}

/// The four volumes that a sample passes, in the order in which it passes them.
public enum GainStage: Equatable, Sendable {
  /// The gain of one input.
  case input(Int)
  /// The gain from an input to an output.
  case crosspoint(input: Int, output: Int)
  /// The gain of one output.
  case output(Int)
  /// The gain of all outputs.
  case master
}
