import MatrixCore
import TestSupport
import Testing

@Suite("Nothing depends on how rendering is cut")
struct PeriodTests {
  static let matrix = shape(5, 6)

  static func render(period: Int, start: Int64, set: InstructionSet? = nil) -> [[UInt32]] {
    let playback = turmoil(shape: matrix, frames: 6000, events: 300, seed: 11)
    let renderer = Renderer(
      shape: matrix, rate: 48_000, tauSeconds: 0.005, maximumFrames: period, instructionSet: set)
    return playback.render(renderer, period: period, start: start).map { $0.map(\.bitPattern) }
  }

  @Test("Every period gives the same bits", arguments: [1, 7, 37, 100, 333, 4096])
  func periods(period: Int) {
    for set in InstructionSet.supported {
      for start: Int64 in [0, 24] {
        #expect(
          Self.render(period: period, start: start, set: set)
            == Self.render(period: 64, start: start, set: set))
      }
    }
  }

  @Test(
    "RT-08: frame numbers beyond 31, 32 and 38 bits change nothing",
    arguments: [31, 32, 38, 53])
  func largeFrames(bits: Int64) {
    let start: Int64 = (1 << bits) - 1000
    // The same place of the grid and of the longest epoch, near 0.
    let near = start & 1023
    #expect(Self.render(period: 37, start: start) == Self.render(period: 37, start: near))
  }
}
