import MatrixCore
import TestSupport
import Testing

/// A way in which a hand may move a gain while a tone sounds.
enum Move: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case crosspointUp, crosspointDown, input, output, master, mute, phase, gate, clear
  case fadeDecibels, fadeLinear, fadeSmooth, shortFade, fadeFromOff, everyTenMilliseconds
  case turnedHalfWay

  var testDescription: String { rawValue }

  /// The move at a frame, in a 2x2 mixer.
  func playback(phase: Double, at frame: Int) -> Playback {
    let matrix = shape(2, 2)
    let direct = matrix.crosspoint(input: 0, output: 0)
    var playback = Playback(frames: 16_384) { input, frame in
      input == 0 ? sine(hertz: 997, rate: 48_000, phase: phase, frame: frame) : 0
    }
    if self != .crosspointUp && self != .fadeFromOff { playback.set(direct, to: 1, at: 0) }
    switch self {
    case .crosspointUp: playback.set(direct, to: 1, at: frame)
    case .crosspointDown: playback.set(direct, to: 0, at: frame)
    case .input: playback.set(matrix.input(0), to: 0, at: frame)
    case .output: playback.set(matrix.output(0), to: 0, at: frame)
    case .master: playback.set(matrix.master, to: 0, at: frame)
    case .mute: playback.set(matrix.input(0), to: 1, factor: 0, at: frame)
    case .phase: playback.set(direct, to: 1, factor: -1, at: frame)
    case .gate: playback.gate(open: false, at: frame)
    case .clear:
      for index in 0..<4 { playback.set(GainID(index: Int32(index)), to: 0, at: frame) }
    case .fadeDecibels: playback.fade(direct, from: 1, to: 0, over: 4800, .decibels, at: frame)
    case .fadeLinear: playback.fade(direct, from: 1, to: 0, over: 2000, .linear, at: frame)
    case .fadeSmooth: playback.fade(direct, from: 1, to: 0, over: 2000, .smooth, at: frame)
    case .shortFade: playback.fade(direct, from: 1, to: 0, over: 48, .linear, at: frame)
    case .fadeFromOff: playback.fade(direct, from: 0, to: 1, over: 960, .decibels, at: frame)
    case .everyTenMilliseconds:
      for step in 0..<20 {
        playback.set(direct, to: Double(step & 1), at: frame + 480 * step)
      }
    case .turnedHalfWay:
      playback.set(direct, to: 0, at: frame)
      playback.set(direct, to: 1, at: frame + 333)
    }
    return playback
  }
}

@Suite("Moves do not click")
struct ClickTests {
  @Test(
    "A full-scale 997 Hz sine leaves at most -100 dBFS above 6 kHz, whatever its phase",
    arguments: Move.allCases)
  func residue(move: Move) {
    let renderer = Renderer(
      shape: shape(2, 2), rate: 48_000, tauSeconds: 0.005, maximumFrames: 64)
    for eighth in 0..<8 {
      // Long after the rise at the start, which lies in the taper, and at an odd place of the grid.
      let playback = move.playback(phase: Double(eighth) / 8, at: 5013)
      let output = playback.render(renderer, period: 64)[0]
      #expect(output.contains { abs($0) > 0.9 })
      #expect(decibels(residuePeak(output, above: 6000, rate: 48_000)) <= -100)
    }
  }

  @Test("The measure itself hears a bare step")
  func measure() {
    let step = (0..<16_384).map { frame in
      frame < 5013 ? sine(hertz: 997, rate: 48_000, phase: 0.2, frame: frame) : 0
    }
    #expect(decibels(residuePeak(step, above: 6000, rate: 48_000)) > -20)
    let steady = (0..<16_384).map { sine(hertz: 997, rate: 48_000, phase: 0.2, frame: $0) }
    #expect(decibels(residuePeak(steady, above: 6000, rate: 48_000)) < -125)
  }
}
