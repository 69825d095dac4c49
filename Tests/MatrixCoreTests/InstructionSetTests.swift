import MatrixCore
import TestSupport
import Testing

@Suite("Instruction sets")
struct InstructionSetTests {
  static func render(
    _ playback: Playback, _ matrix: MatrixShape, _ set: InstructionSet, period: Int
  ) -> [[Float]] {
    let renderer = Renderer(
      shape: matrix, rate: 48_000, tauSeconds: 0.001, maximumFrames: period,
      instructionSet: set)
    return playback.render(renderer, period: period)
  }

  @Test("All of them give the same samples within -120 dBFS, moving and settled")
  func agreement() {
    let matrix = shape(12, 10)
    var playback = Playback(frames: 4000) { noise($0, $1) / 12 }
    for index in 0..<matrix.crosspointCount {
      playback.set(GainID(index: Int32(index)), to: Double(index % 17) / 17, at: 100)
    }
    playback.set(matrix.master, to: 0.7, at: 300)
    playback.set(matrix.input(3), to: 0.3, at: 400)
    playback.fade(matrix.output(9), from: 1, to: 0.2, over: 900, .smooth, at: 500)
    let expected = Self.render(playback, matrix, InstructionSet.supported[0], period: 61)
    for set in InstructionSet.supported {
      let outputs = Self.render(playback, matrix, set, period: 61)
      var largest: Float = 0
      for output in outputs.indices {
        for frame in outputs[output].indices {
          largest = max(largest, abs(outputs[output][frame] - expected[output][frame]))
        }
      }
      #expect(decibels(Double(largest)) <= -120)
    }
    #expect(expected.joined().contains { abs($0) > 0.1 })
  }

  @Test("A name that means nothing here is refused in one sentence")
  func unknown() {
    let error = #expect(throws: InstructionSetError.self) {
      _ = try InstructionSet.named("mmx")
    }
    #expect(error?.description.contains("CROSSPOINT_ISA=mmx") == true)
    #expect(error?.supported == InstructionSet.supported)
    #expect(!InstructionSet.supported.isEmpty)
    #expect(InstructionSet.supported.contains(.widest))
    for set in InstructionSet.supported {
      #expect((try? InstructionSet.named(set.rawValue)) == set)
    }
  }
}
