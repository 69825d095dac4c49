import Glibc
import MatrixCore
import TestSupport
import Testing

@Suite("Gliding gains")
struct GlideTests {
  static let tau = 0.005

  /// Plays a 1x1 mixer whose input carries 1.0.
  static func direct(
    _ playback: Playback, rate: Double = 48_000, period: Int = 64, start: Int64 = 0
  ) -> [Float] {
    let renderer = Renderer(
      shape: shape(1, 1), rate: rate, tauSeconds: tau, maximumFrames: period)
    return playback.render(renderer, period: period, start: start)[0]
  }

  /// The first grid point at or after 22 time constants from `frame`.
  static func settleFrame(_ frame: Int, rate: Double = 48_000) -> Int {
    (frame + Int((22 * tau * rate).rounded(.up)) + 63) / 64 * 64
  }

  static let crosspoint = shape(1, 1).crosspoint(input: 0, output: 0)

  @Test("A step from the first frame on follows the closed form")
  func closedForm() {
    var playback = Playback(frames: 6000) { _, _ in 1 }
    playback.set(Self.crosspoint, to: 0.8, at: 0)
    let output = Self.direct(playback, start: 29)
    let r = exp(-1 / (Self.tau * 48_000))
    for frame in output.indices {
      let k = Double(frame + 1)
      let expected = 0.8 * (1 - pow(r, k) * (1 + k * (1 - r)))
      #expect(abs(Double(output[frame]) - expected) < 2e-7)
    }
  }

  @Test("GD-01: a change is continuous, turns half way without a step, and never overshoots")
  func clicks() {
    let ramp = Self.tau * 22 * 48_000
    var playback = Playback(frames: 16_000) { _, _ in 1 }
    playback.set(Self.crosspoint, to: 1, at: 1000)
    playback.set(Self.crosspoint, to: 0, at: 1000 + Int(ramp / 2))
    let output = Self.direct(playback)
    let bound = Float(1 / (exp(1) * Self.tau * 48_000)) + 1e-6
    #expect(output[999] == 0)
    #expect(output[1000] > 0)
    #expect(output.max() ?? 0 > 0.99)
    for frame in 1..<output.count {
      #expect(abs(output[frame] - output[frame - 1]) <= bound)
      #expect(output[frame] >= 0 && output[frame] <= 1)
    }
  }

  @Test("A single step is monotone and has come to -40 dB after 35 ms")
  func monotone() {
    var playback = Playback(frames: 12_000) { _, _ in 1 }
    playback.set(Self.crosspoint, to: 1, at: 0)
    playback.set(Self.crosspoint, to: 0, at: 6000)
    let output = Self.direct(playback)
    for frame in 1..<6000 { #expect(output[frame] >= output[frame - 1]) }
    for frame in 6000..<12_000 { #expect(output[frame] <= output[frame - 1]) }
    #expect(output[Int(0.035 * 48_000)] >= 0.99)
    #expect(output[6000 + Int(0.035 * 48_000)] <= 0.01)
  }

  @Test("Retargets keep value and slope and stay within the targets given", arguments: 0..<8)
  func retargets(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var playback = Playback(frames: 24_000) { _, _ in 1 }
    var frame = 0
    while frame < 20_000 {
      playback.set(Self.crosspoint, to: .random(in: -0.5...2, using: &random), at: frame)
      frame += .random(in: 1...400, using: &random)
    }
    let output = Self.direct(playback, period: 37, start: 17)
    let stepBound = Float(2.5 / (exp(1) * Self.tau * 48_000)) + 1e-6
    // What two poles can turn by from one frame to the next.
    let pole = 1 - exp(-1 / (Self.tau * 48_000))
    let slopeBound = Float(2.5 * pole * pole * 3) + 1e-6
    var lowest: Float = 0
    var highest: Float = 0
    var next = 0
    for frame in 2..<output.count {
      while next < playback.events.count, playback.events[next].frame <= frame {
        if case .gain(let command) = playback.events[next].event {
          lowest = min(lowest, Float(command.fade.end))
          highest = max(highest, Float(command.fade.end))
        }
        next += 1
      }
      let step = output[frame] - output[frame - 1]
      let before = output[frame - 1] - output[frame - 2]
      #expect(output[frame] >= lowest - 1e-6 && output[frame] <= highest + 1e-6)
      #expect(abs(step) <= stepBound)
      #expect(abs(step - before) <= slopeBound)
    }
  }

  @Test(
    "GD-03: the glide takes the same time at every period and rate",
    arguments: [32, 64, 256, 1024], [44_100.0, 48_000, 96_000])
  func time(period: Int, rate: Double) {
    var playback = Playback(frames: Int(0.4 * rate)) { _, _ in 1 }
    playback.set(Self.crosspoint, to: 1, at: 0)
    let fall = Int(0.2 * rate)
    playback.set(Self.crosspoint, to: 0, at: fall)
    let output = Self.direct(playback, rate: rate, period: period)
    // (1 + x) exp(-x) = 0.01 at x = 6.6384.
    let expected = 6.6384 * Self.tau * rate
    let rise99 = output.firstIndex { $0 >= 0.99 } ?? 0
    let fall99 = output[fall...].firstIndex { $0 <= 0.01 } ?? 0
    #expect(abs(Double(rise99 + 1) - expected) <= 1)
    #expect(abs(Double(fall99 - fall + 1) - expected) <= 1)
    let settled = Self.settleFrame(fall, rate: rate)
    #expect(output[settled - 1] > 0)
    #expect(output[settled...].allSatisfy { $0 == 0 })
    #expect(output[Self.settleFrame(0, rate: rate)..<fall].allSatisfy { $0 == 1 })
  }

  @Test("GD-04: a fader at zero ends in exact silence, at unity in the input's own bits")
  func exactEnds() {
    let matrix = shape(2, 2)
    var playback = Playback(frames: 30_000) { noise($0, $1) }
    let gains = [
      matrix.crosspoint(input: 0, output: 0), matrix.input(0), matrix.output(0), matrix.master,
    ]
    playback.set(gains[0], to: 1, at: 0)
    var frame = 0
    var quiet: [Range<Int>] = []
    var open: [Range<Int>] = [Self.settleFrame(0)..<6000]
    for gain in gains[1...] {
      frame += 6000
      playback.set(gain, to: 0, at: frame)
      playback.set(gain, to: 1, at: frame + 6000 - 300)
      quiet.append(Self.settleFrame(frame)..<frame + 5700)
      frame += 0
    }
    playback.events.sort { $0.frame < $1.frame }
    open.append(Self.settleFrame(6000 * 3 + 5700)..<30_000)
    let renderer = Renderer(
      shape: matrix, rate: 48_000, tauSeconds: Self.tau, maximumFrames: 100)
    let output = playback.render(renderer, period: 100)
    for range in quiet {
      #expect(!range.isEmpty)
      #expect(output[0][range].allSatisfy { $0 == 0 })
    }
    for range in open {
      #expect(!range.isEmpty)
      #expect(range.allSatisfy { output[0][$0] == noise(0, $0) })
    }
    #expect(output[1].allSatisfy { $0 == 0 })
  }

  @Test("GD-10: a matrix that nobody has touched is silent")
  func silentStart() {
    let renderer = Renderer(
      shape: shape(16, 16), rate: 48_000, tauSeconds: Self.tau, maximumFrames: 256)
    let output = Playback(frames: 48_000) { _, _ in 1 }.render(renderer, period: 256)
    #expect(output.count == 16)
    #expect(output.joined().allSatisfy { $0 == 0 })
  }

  @Test("GD-07: polarity inverts exactly, and only when asked; what is not finite is off")
  func polarity() {
    var playback = Playback(frames: 24_000) { noise($0, $1) }
    playback.set(Self.crosspoint, to: 1, factor: -1, at: 0)
    playback.set(Self.crosspoint, to: .nan, at: 6000)
    playback.set(Self.crosspoint, to: .infinity, factor: 1, at: 12_000)
    playback.set(Self.crosspoint, to: 1, at: 18_000)
    let output = Self.direct(playback)
    #expect((Self.settleFrame(0)..<6000).allSatisfy { output[$0] == -noise(0, $0) })
    #expect((Self.settleFrame(6000)..<18_000).allSatisfy { output[$0] == 0 })
    #expect((Self.settleFrame(18_000)..<24_000).allSatisfy { output[$0] == noise(0, $0) })
  }
}
