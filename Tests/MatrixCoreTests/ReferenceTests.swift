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
    let isOff = Int.random(in: 0..<5, using: &random) == 0
    let level = isOff ? 0 : Double.random(in: 0.2...1, using: &random)
    let factor = [1, 1, 1, 1, 1, -1, 0.1, 0][Int.random(in: 0..<8, using: &random)]
    switch Int.random(in: 0..<32, using: &random) {
    case 0...15:
      playback.set(gain, to: level, factor: factor, at: time)
    case 16...30:
      let curve = FadeCurve.allCases[Int.random(in: 0..<3, using: &random)]
      playback.fade(
        gain, from: levels[index], to: level,
        over: Double.random(in: 1...3000, using: &random), curve, factor: factor, at: time)
    default:
      playback.gate(open: Int.random(in: 0..<3, using: &random) > 0, at: time)
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
    let playback = turmoil(shape: shape, frames: 8000, events: 100 + 10 * shape.gainCount, seed: 7)
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

  @Test(
    "The law holds at every rate and glide time",
    arguments: [8000.0, 44_100, 192_000], [0.001, 0.005, 0.04])
  func laws(rate: Double, tauSeconds: Double) {
    let matrix = shape(3, 2)
    var playback = turmoil(shape: matrix, frames: 12_000, events: 150, seed: 5)
    // Changes stop early enough for glides of most lengths to come to their ends.
    playback.events.removeAll { $0.frame > 6000 }
    let reference = playback.reference(
      shape: matrix, rate: rate, tauSeconds: tauSeconds, start: 3000)
    let renderer = Renderer(
      shape: matrix, rate: rate, tauSeconds: tauSeconds, maximumFrames: 100)
    let outputs = playback.render(renderer, period: 100, start: 3000)
    #expect(decibels(Self.largestDifference(outputs, reference)) <= -110)
    #expect(reference.joined().contains { abs($0) > 0.1 })
  }
}
