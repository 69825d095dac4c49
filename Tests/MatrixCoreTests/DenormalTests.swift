import MatrixCore
import TestSupport
import Testing

@Suite("Denormals")
struct DenormalTests {
  @Test("GD-06: silence and vanishing gains leave no denormals behind")
  func silence() {
    let matrix = shape(16, 16)
    let renderer = Renderer(
      shape: matrix, rate: 48_000, tauSeconds: 0.005, maximumFrames: 256)
    var playback = Playback(frames: 24_000) { input, frame in
      frame < 6000 ? noise(input, frame) : (frame < 12_000 ? noise(input, frame) * 1e-38 : 0)
    }
    for index in 0..<matrix.crosspointCount {
      playback.set(GainID(index: Int32(index)), to: 0.5, at: 0)
      playback.set(GainID(index: Int32(index)), to: index & 1 == 0 ? 0 : 1e-39, at: 6000)
    }
    playback.events.sort { $0.frame < $1.frame }
    let outputs = playback.render(renderer, period: 256)
    #expect(outputs[3][..<6000].contains { abs($0) > 0.1 })
    #expect(outputs.joined().allSatisfy { !$0.isSubnormal })
    #expect(outputs.joined().allSatisfy { $0.isFinite })
  }

  @Test("GD-06: a gain of 1.4e-45 with a full-scale input is silence")
  func vanishingGain() {
    var playback = Playback(frames: 6000) { _, _ in 1 }
    playback.set(shape(1, 1).crosspoint(input: 0, output: 0), to: 1.4e-45, at: 0)
    #expect(GlideTests.direct(playback).allSatisfy { $0 == 0 })
  }

  @Test("Outside a render call the thread keeps its own arithmetic")
  func restored() {
    let renderer = Renderer(
      shape: shape(1, 1), rate: 48_000, tauSeconds: 0.005, maximumFrames: 64)
    #expect(half(.leastNormalMagnitude) != 0)
    renderer.begin(frames: 64)
    let inside = half(.leastNormalMagnitude)
    renderer.advance(frames: 64)
    renderer.finish()
    #expect(inside == 0)
    #expect(half(.leastNormalMagnitude) != 0)
  }

  /// Divides where it is called: the optimiser knows nothing of the processor's modes and would
  /// divide once for all three.
  @inline(never) @_optimize(none)
  private func half(_ value: Float) -> Float { value / 2 }
}
