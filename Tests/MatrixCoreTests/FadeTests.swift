import Glibc
import MatrixCore
import TestSupport
import Testing

@Suite("Fades")
struct FadeTests {
  @Test("A fade begins and ends exactly, and lies between", arguments: FadeCurve.allCases)
  func ends(curve: FadeCurve) {
    let fade = Fade(
      startFrame: 100, start: 0.1, end: 0.7, durationFrames: 1000.5, curve: curve)
    #expect(fade.level(at: 50) == 0.1)
    #expect(fade.level(at: 100) == 0.1)
    #expect(fade.level(at: 1101) == 0.7)
    #expect(fade.level(at: .max) == 0.7)
    var before = 0.1
    for frame: Int64 in 101...1100 {
      let level = fade.level(at: frame)
      #expect(level > before && level < 0.7)
      before = level
    }
  }

  @Test("The middle of the way is the curve's own")
  func middle() {
    func middle(_ curve: FadeCurve, _ start: Double, _ end: Double) -> Double {
      Fade(startFrame: 0, start: start, end: end, durationFrames: 1000, curve: curve)
        .level(at: 500)
    }
    #expect(abs(middle(.linear, 0.2, 0.8) - 0.5) < 1e-12)
    #expect(abs(middle(.smooth, 0.2, 0.8) - 0.5) < 1e-12)
    #expect(abs(middle(.decibels, 0.01, 1) - 0.1) < 1e-12)
    // Off counts as -90 dB for the way.
    #expect(abs(decibels(middle(.decibels, 0, 1)) + 45) < 1e-9)
    #expect(abs(decibels(middle(.decibels, 1, 0)) + 45) < 1e-9)
    #expect(abs(decibels(middle(.decibels, 1e-9, 1)) + 45) < 1e-9)
  }

  @Test("A smooth fade sets out and arrives gently")
  func smooth() {
    let fade = Fade(startFrame: 0, start: 0, end: 1, durationFrames: 1000, curve: .smooth)
    #expect(fade.level(at: 10) < 0.001)
    #expect(fade.level(at: 990) > 0.999)
  }

  @Test("A fade without a duration has its end at once")
  func instant() {
    #expect(Fade(steady: 0.3).level(at: 0) == 0.3)
    let fade = Fade(startFrame: 5, start: 0, end: 1, durationFrames: 0, curve: .linear)
    #expect(fade.level(at: 5) == 1)
  }

  @Test("A rendered fade arrives at its end exactly", arguments: FadeCurve.allCases)
  func rendered(curve: FadeCurve) {
    for (start, end) in [(1.0, 0.0), (0.0, 1.0), (0.3, 0.9)] {
      for duration in [1.0, 63, 64, 1000, 4800.7] {
        var playback = Playback(frames: 17_000) { _, _ in 1 }
        playback.set(GlideTests.crosspoint, to: start, at: 0)
        playback.fade(
          GlideTests.crosspoint, from: start, to: end, over: duration, curve, at: 6037)
        let output = GlideTests.direct(playback)
        let last = GlideTests.settleFrame(6037 + Int(duration))
        #expect(output[6036] == Float(start))
        #expect(output[last...].allSatisfy { $0 == Float(end) })
      }
    }
  }

  @Test("A long fade does not drift from its descriptor", arguments: FadeCurve.allCases)
  func long(curve: FadeCurve) {
    let frames = 400_000
    var playback = Playback(frames: frames) { _, _ in 1 }
    playback.set(GlideTests.crosspoint, to: 0.1, at: 0)
    playback.fade(
      GlideTests.crosspoint, from: 0.1, to: 1, over: Double(frames - 10_000), curve, at: 37)
    let output = GlideTests.direct(playback, period: 4096)
    let reference = playback.reference(shape: shape(1, 1), rate: 48_000, tauSeconds: 0.005)[0]
    for frame in stride(from: 0, to: frames, by: 101) {
      #expect(abs(Double(output[frame]) - reference[frame]) < 3e-7)
    }
    #expect(output[frames - 1] == 1)
  }

  @Test("The shortest fades end as they should, wherever in the grid they begin")
  func shortest() {
    for curve in FadeCurve.allCases {
      for duration in [1.5, 2, 27.6, 63, 64, 65, 66, 130] {
        for place in [0, 1, 36, 37, 62, 63, 64] {
          var playback = Playback(frames: 8000) { _, _ in 1 }
          playback.fade(
            GlideTests.crosspoint, from: 0, to: Level.highest, over: duration, curve,
            at: 640 + place)
          let output = GlideTests.direct(playback)
          let reference = playback.reference(
            shape: shape(1, 1), rate: 48_000, tauSeconds: 0.005)[0]
          for frame in output.indices {
            #expect(abs(Double(output[frame]) - reference[frame]) < 1e-6)
          }
          #expect(output.last == Float(Level.highest))
        }
      }
    }
  }

  @Test("Fades of every curve among the four gains of an entry leave each other alone")
  func neighbours() {
    let matrix = shape(1, 4)
    var playback = Playback(frames: 30_000) { _, _ in 1 }
    for (output, curve) in FadeCurve.allCases.enumerated() {
      let gain = matrix.crosspoint(input: 0, output: output)
      playback.fade(gain, from: 0.2, to: 1, over: 9000 + 3000 * Double(output), curve, at: 100)
      playback.fade(gain, from: 1, to: 0.3, over: 2000, curve, at: 20_000 + output)
    }
    playback.set(matrix.crosspoint(input: 0, output: 3), to: 0.5, at: 5000)
    for set in InstructionSet.supported {
      let renderer = Renderer(
        shape: matrix, rate: 48_000, tauSeconds: 0.005, maximumFrames: 64, instructionSet: set)
      let output = playback.render(renderer, period: 64)
      let reference = playback.reference(shape: matrix, rate: 48_000, tauSeconds: 0.005)
      #expect(ReferenceTests.largestDifference(output, reference) < 1e-6)
    }
  }
}

private enum Level {
  /// 10 dB.
  static let highest = 3.162_277_660_168_379_5
}
