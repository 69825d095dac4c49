import Handoff
import MatrixCore

/// The rows of samples that a device reads into and writes from, and the board it counts on.
///
/// Planar, one pointer per channel of the matrix, valid for `maximumFrames` frames from its start.
/// Made by the engine and the same for every device; only the thread that has the device uses it.
public struct AudioRows {
  /// One row for each input.
  public let inputs: UnsafePointer<UnsafeMutablePointer<Float>>
  /// The number of inputs.
  public let inputCount: Int
  /// One row for each output.
  public let outputs: UnsafePointer<UnsafeMutablePointer<Float>>
  /// The number of outputs.
  public let outputCount: Int
  /// Where the device counts `clippedSamples` and `nonFiniteSamples`.
  public let board: EngineBoard
  /// Where it counts, by input, what came in that was not finite; nothing where nobody asks.
  public let inputFaults: FaultCounters?

  /// Makes a view of rows that outlive it.
  public init(
    inputs: UnsafePointer<UnsafeMutablePointer<Float>>, inputCount: Int,
    outputs: UnsafePointer<UnsafeMutablePointer<Float>>, outputCount: Int, board: EngineBoard,
    inputFaults: FaultCounters? = nil
  ) {
    self.inputs = inputs
    self.inputCount = inputCount
    self.outputs = outputs
    self.outputCount = outputCount
    self.board = board
    self.inputFaults = inputFaults
  }
}
