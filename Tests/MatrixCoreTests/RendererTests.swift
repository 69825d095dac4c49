import MatrixCore
import TestSupport
import Testing

@Suite("The renderer")
struct RendererTests {
  static let matrix = shape(2, 2)
  static let direct = matrix.crosspoint(input: 0, output: 0)

  static func makeRenderer(_ matrix: MatrixShape = matrix) -> Renderer {
    Renderer(shape: matrix, rate: 48_000, tauSeconds: 0.005, maximumFrames: 64)
  }

  @Test("Stages take their place at once on the first frame, and glide on any later one")
  func startRule() {
    for (frame, isSnapped) in [(0, true), (1, false)] {
      var playback = Playback(frames: 256) { _, _ in 1 }
      playback.set(Self.direct, to: 1, at: 0)
      playback.set(Self.matrix.master, to: 0.5, at: frame)
      playback.set(Self.matrix.input(0), to: 0.5, at: frame)
      playback.set(Self.matrix.output(0), to: 0.5, at: frame)
      var plain = Playback(frames: 256) { _, _ in 1 }
      plain.set(Self.direct, to: 1, at: 0)
      let output = playback.render(Self.makeRenderer(), period: 64, start: 1000)[0]
      let full = plain.render(Self.makeRenderer(), period: 64, start: 1000)[0]
      #expect(output[200] > 0)
      #expect((output[200] == full[200] / 8) == isSnapped)
    }
  }

  @Test("A fade that is under way when a stream starts goes on from where it is")
  func continuedFade() {
    var playback = Playback(frames: 24_000) { _, _ in 1 }
    playback.set(Self.direct, to: 1, at: 0)
    let fade = Fade(
      startFrame: -4800, start: 1, end: 0.2, durationFrames: 24_000, curve: .linear)
    playback.events.append(
      (
        0,
        .gain(
          GainCommand(
            frame: 0, gain: Self.matrix.master, endsTransaction: true, factor: 1, fade: fade))
      ))
    let output = playback.render(Self.makeRenderer(), period: 64, start: 100_000)[0]
    for frame in stride(from: 6000, to: 18_000, by: 500) {
      #expect(abs(Double(output[frame]) - fade.level(at: Int64(frame))) < 0.02)
    }
    #expect(abs(output[23_999] - 0.2) < 1e-6)
  }

  @Test("A closed gate ends in exact silence, says so, and opens to what was set meanwhile")
  func gate() {
    let renderer = Self.makeRenderer()
    var playback = Playback(frames: 8000) { noise($0, $1) }
    playback.set(Self.direct, to: 1, at: 0)
    playback.gate(open: false, at: 100)
    playback.set(Self.matrix.master, to: 0.5, at: 200)
    let closed = playback.render(renderer, period: 64)
    #expect(renderer.isGateSettled)
    #expect(closed[0][5440...].allSatisfy { $0 == 0 })
    #expect(closed[0][..<200].contains { $0 != 0 })

    playback.frames = 20_000
    playback.gate(open: true, at: 8000)
    let reopened = playback.render(renderer, period: 64)
    #expect(!renderer.isGateSettled)
    #expect(reopened[0][8000] != 0 && abs(reopened[0][8000]) < 0.001)
    #expect((13_376..<20_000).allSatisfy { reopened[0][$0] == noise(0, $0) / 2 })
  }

  @Test("A master's fade goes on behind a closed gate")
  func fadeBehindGate() {
    let renderer = Self.makeRenderer()
    for curve in FadeCurve.allCases {
      var playback = Playback(frames: 12_000) { _, _ in 1 }
      playback.set(Self.direct, to: 1, at: 0)
      playback.fade(Self.matrix.master, from: 1, to: 0.25, over: 10_000, curve, at: 0)
      playback.gate(open: false, at: 100)
      playback.gate(open: true, at: 3000)
      let output = playback.render(renderer, period: 64)[0]
      var open = playback
      open.events.removeAll { if case .gate = $0.event { true } else { false } }
      let whole = open.render(renderer, period: 64)[0]
      #expect(abs(output[2900]) < 1e-3)
      #expect(abs(output[9500] - whole[9500]) < 1e-4)
    }
  }

  @Test("A muted fade neither stops nor is heard")
  func mutedFade() {
    var playback = Playback(frames: 30_000) { _, _ in 1 }
    playback.fade(Self.direct, from: 0, to: 1, over: 9600, .linear, factor: 0, at: 100)
    playback.events.append(
      (
        4900,
        .gain(
          GainCommand(
            frame: 4900, gain: Self.direct, endsTransaction: true, factor: 1,
            fade: Fade(
              startFrame: 100, start: 0, end: 1, durationFrames: 9600, curve: .linear)))
      ))
    let output = playback.render(Self.makeRenderer(), period: 64)[0]
    #expect(output[..<4900].allSatisfy { $0 == 0 })
    #expect(abs(output[7000] - 6900 / 9600) < 0.06)
    #expect(output[20_000...].allSatisfy { $0 == 1 })
  }

  @Test("A restart forgets what was set, and every glide and fade")
  func restart() {
    let renderer = Self.makeRenderer()
    _ = turmoil(shape: Self.matrix, frames: 3000, events: 100, seed: 3)
      .render(renderer, period: 64)
    var playback = Playback(frames: 6000, signal: noise)
    playback.set(Self.direct, to: 1, at: 0)
    let again = playback.render(renderer, period: 64, start: 77)
    let fresh = playback.render(Self.makeRenderer(), period: 64, start: 77)
    #expect(again == fresh)
    #expect(again[0].contains { $0 != 0 })
  }
}
