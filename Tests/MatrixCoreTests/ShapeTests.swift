import MatrixCore
import TestSupport
import Testing

@Suite("Shapes and ways of mixing")
struct ShapeTests {
  static let frames = 1500
  // 22 ms at 1 ms of tau.
  static let settled = 1088..<frames

  static func gain(_ input: Int, _ output: Int, density: Int) -> Double {
    let roll = abs(Int(noise(input &+ 7, output) * 1000))
    return roll % 100 < density ? Double(roll + 1) / 1000 : 0
  }

  @Test(
    "Settled sums are right at every shape and density",
    arguments: [
      (1, 1), (1, 5), (5, 1), (3, 5), (7, 7), (16, 17), (512, 128), (128, 512),
    ], [1, 30, 100])
  func sums(channels: (Int, Int), density: Int) {
    let matrix = shape(channels.0, channels.1)
    var playback = Playback(frames: Self.frames) { input, frame in
      Float((input &* 31 &+ frame) & 255) / 256 - 0.5
    }
    for input in 0..<matrix.inputs {
      for output in 0..<matrix.outputs {
        let level = Self.gain(input, output, density: density)
        if level != 0 {
          playback.set(matrix.crosspoint(input: input, output: output), to: level, at: 0)
        }
      }
    }
    let renderer = Renderer(
      shape: matrix, rate: 48_000, tauSeconds: 0.001, maximumFrames: 500)
    let outputs = playback.render(renderer, period: 500)
    for output in stride(from: 0, to: matrix.outputs, by: matrix.outputs > 100 ? 37 : 1) {
      for frame in stride(from: Self.settled.lowerBound, to: Self.frames, by: 97) {
        var sum = 0.0
        for input in 0..<matrix.inputs {
          sum +=
            Self.gain(input, output, density: density) * Double(playback.signal(input, frame))
        }
        #expect(abs(Double(outputs[output][frame]) - sum) < 2e-5)
      }
    }
  }

  @Test("An output sounds the same to the bit whether its neighbours are busy or not")
  func modes() {
    let matrix = shape(20, 4)
    func play(neighbours: Int) -> [Float] {
      var playback = Playback(frames: Self.frames, signal: noise)
      for input in [1, 5, 9, 17] {
        playback.set(
          matrix.crosspoint(input: input, output: 0), to: 0.1 + Double(input) / 30, at: 0)
      }
      for output in 1..<1 + neighbours {
        for input in 0..<20 {
          playback.set(matrix.crosspoint(input: input, output: output), to: 0.5, at: 0)
        }
      }
      let renderer = Renderer(
        shape: matrix, rate: 48_000, tauSeconds: 0.001, maximumFrames: 64)
      return playback.render(renderer, period: 64)[0]
    }
    let alone = play(neighbours: 0)
    #expect(alone.contains { abs($0) > 0.1 })
    for neighbours in 1...3 {
      #expect(play(neighbours: neighbours) == alone)
    }
  }
}
