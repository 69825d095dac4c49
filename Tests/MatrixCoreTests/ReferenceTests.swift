import MatrixCore
import TestSupport
import Testing

/// A playback in which everything that can happen happens, at random.
func turmoil(shape: MatrixShape, frames: Int, events: Int, seed: UInt64) -> Playback {
  var random = SeededGenerator(seed: seed)
  var playback = Playback(frames: frames, signal: noise)
  let times = (0..<events).map { _ in Int.random(in: 0..<frames, using: &random) }.sorted()
  var levels = [Double](repeating: 0, count: shape.gainCount)
  for time in times {
    let index = Int.random(in: 0..<shape.gainCount, using: &random)
    let gain = GainID(index: Int32(index))
    let level = Bool.random(using: &random) ? Double.random(in: 0...1, using: &random) : 0
    let factor = [1, 0, -1, 0.1][Int.random(in: 0..<4, using: &random)]
    switch Int.random(in: 0..<8, using: &random) {
    case 0...3:
      playback.set(gain, to: level, factor: factor, at: time)
    case 4...6:
      let curve = FadeCurve.allCases[Int.random(in: 0..<3, using: &random)]
      playback.fade(
        gain, from: levels[index], to: level,
        over: Double.random(in: 1...3000, using: &random), curve, factor: factor, at: time)
    default:
      playback.gate(open: Bool.random(using: &random), at: time)
    }
    levels[index] = level
  }
  return playback
}

@Suite("The renderer beside the plain recurrence")
struct ReferenceTests {
  static let shapes = [shape(1, 1), shape(3, 5), shape(5, 3), shape(8, 8), shape(2, 13)]

  static func largestDifference(_ outputs: [[Float]], _ reference: [[Double]]) -> Double {
    var largest = 0.0
    for output in outputs.indices {
      for frame in outputs[output].indices {
        largest = max(largest, abs(Double(outputs[output][frame]) - reference[output][frame]))
      }
    }
    return largest
  }

  @Test("Random changes of every kind follow the recurrence", arguments: shapes)
  func random(shape: MatrixShape) {
    let playback = turmoil(shape: shape, frames: 8000, events: 12 * shape.gainCount, seed: 7)
    let reference = playback.reference(shape: shape, rate: 48_000, tauSeconds: 0.005, start: 41)
    let peak = reference.joined().reduce(0) { max($0, abs($1)) }
    #expect(peak > 0.01)
    for set in InstructionSet.supported {
      let renderer = Renderer(
        shape: shape, rate: 48_000, tauSeconds: 0.005, maximumFrames: 333, instructionSet: set)
      let outputs = playback.render(renderer, period: 333, start: 41)
      #expect(decibels(Self.largestDifference(outputs, reference)) <= -110)
    }
  }
}
