import Engine
import MatrixCore

/// A render cycle as the audio thread uses it: without counting references.
///
/// The mixer that holds it keeps the cycle alive.
struct RenderTarget {
  /// The most frames of one call.
  let maximumFrames: Int
  private let cycle: Unmanaged<RenderCycle>
  private let renderer: Unmanaged<Renderer>

  init(cycle: RenderCycle) {
    maximumFrames = cycle.renderer.maximumFrames
    self.cycle = .passUnretained(cycle)
    renderer = .passUnretained(cycle.renderer)
  }

  @_noLocks @_noAllocation
  func inputRow(_ input: Int) -> UnsafeMutablePointer<Float> {
    renderer._withUnsafeGuaranteedRef { $0.inputRow(input) }
  }

  @_noLocks @_noAllocation
  func outputRow(_ output: Int) -> UnsafeMutablePointer<Float> {
    renderer._withUnsafeGuaranteedRef { $0.outputRow(output) }
  }

  @_noLocks @_noAllocation
  func render(frames: Int) {
    cycle._withUnsafeGuaranteedRef { $0.render(frames: frames) }
  }
}
