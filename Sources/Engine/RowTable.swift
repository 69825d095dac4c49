import Handoff
import MatrixCore

/// Owns the tables of pointers that make a renderer's rows an `AudioRows`.
///
/// Made anywhere; it keeps the renderer, and so the rows, alive.
public final class RowTable {
  /// The rows, for as long as this object lives.
  public let rows: AudioRows
  private let renderer: Renderer
  private let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  /// Makes the tables for a renderer.
  public init(renderer: Renderer, board: EngineBoard) {
    self.renderer = renderer
    let inputs = renderer.shape.inputs
    let outputs = renderer.shape.outputs
    pointers = .allocate(capacity: inputs + outputs)
    for input in 0..<inputs {
      (pointers + input).initialize(to: renderer.inputRow(input))
    }
    for output in 0..<outputs {
      (pointers + inputs + output).initialize(to: renderer.outputRow(output))
    }
    rows = AudioRows(
      inputs: UnsafePointer(pointers), inputCount: inputs,
      outputs: UnsafePointer(pointers + inputs), outputCount: outputs, board: board,
      inputFaults: renderer.inputFaults)
  }

  deinit {
    pointers.deallocate()
  }
}
