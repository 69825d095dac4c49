import MatrixCore
import TestSupport
import Testing

@Suite("Noise that finds loudspeakers")
struct IdentifyTests {
  static let matrix = shape(2, 3)

  static func renderer(rate: Double = 48_000) -> Renderer {
    Renderer(shape: matrix, rate: rate, tauSeconds: 0.005, maximumFrames: 4096)
  }

  /// Renders on with a constant at every input; every output in turn.
  static func play(
    _ renderer: Renderer, frames: Int, period: Int = 64, input: Float = 0
  ) -> [[Float]] {
    var outputs = [[Float]](repeating: [], count: matrix.outputs)
    var done = 0
    while done < frames {
      let count = min(period, frames - done)
      for row in 0..<matrix.inputs {
        renderer.inputRow(row).update(repeating: input, count: count)
      }
      renderer.begin(frames: count)
      renderer.advance(frames: count)
      renderer.finish()
      for output in outputs.indices {
        outputs[output] += UnsafeBufferPointer(start: renderer.outputRow(output), count: count)
      }
      done += count
    }
    return outputs
  }

  static func level(_ samples: ArraySlice<Float>) -> Double {
    let sum = samples.reduce(0) { $0 + Double($1) * Double($1) }
    return decibels((sum / Double(samples.count)).squareRoot())
  }

  @Test(
    "A burst is a second of soft noise with ramps, on one output alone, at every rate",
    arguments: [8000.0, 44_100, 48_000, 192_000])
  func burst(rate: Double) {
    let renderer = Self.renderer(rate: rate)
    renderer.identify(output: 1)
    let outputs = Self.play(renderer, frames: Int(1.5 * rate))
    let noise = outputs[1]
    #expect(abs(Self.level(noise[Int(0.1 * rate)..<Int(0.9 * rate)]) + 30) < 1)
    #expect(noise.allSatisfy { abs($0) <= 0.1 })
    #expect(noise.contains { abs($0) > 0.05 })
    for part in 0..<5 {
      // Ten milliseconds each, on the way up and on the way down.
      let length = Int(0.01 * rate)
      let highest = [-64.0, -45, -38, -34, -31][part]
      #expect(Self.level(noise[part * length..<(part + 1) * length]) < highest)
      let end = Int(rate) - part * length
      #expect(Self.level(noise[end - length..<end]) < highest)
    }
    #expect(noise[Int(rate)...].allSatisfy { $0 == 0 })
    #expect(outputs[0].allSatisfy { $0 == 0 } && outputs[2].allSatisfy { $0 == 0 })
  }

  @Test("It is the same each time, at every period, and whatever the gains are")
  func same() {
    let first = Self.renderer()
    first.identify(output: 0)
    let expected = Self.play(first, frames: 60_000)[0]
    first.identify(output: 2)
    #expect(Self.play(first, frames: 60_000)[2] == expected)
    for period in [1, 37, 4096] {
      let renderer = Self.renderer()
      for gain in [Self.matrix.master, Self.matrix.output(0)] {
        renderer.apply(
          GainCommand(
            frame: 0, gain: gain, endsTransaction: true, factor: 0, fade: Fade(steady: 1)))
      }
      renderer.identify(output: 0)
      #expect(Self.play(renderer, frames: 60_000, period: period, input: 1)[0] == expected)
    }
  }

  @Test("It is added to what sounds, and shown by the meters")
  func added() {
    let renderer = Self.renderer()
    renderer.watch(.outputPost)
    renderer.apply(
      GainCommand(
        frame: 0, gain: Self.matrix.crosspoint(input: 0, output: 0), endsTransaction: true,
        factor: 1, fade: Fade(steady: 0.5)))
    _ = Self.play(renderer, frames: 6400, input: 1)
    let alone = Self.renderer()
    renderer.identify(output: 0)
    alone.identify(output: 0)
    renderer.resetMeters()
    let mixed = Self.play(renderer, frames: 48_000, input: 1)[0]
    let noise = Self.play(alone, frames: 48_000)[0]
    #expect(zip(mixed, noise).allSatisfy { $0 == 0.5 + $1 })
    #expect(renderer.meterPeak(.outputPost, 0) == mixed.reduce(0) { max($0, abs($1)) })
  }

  @Test("A closed gate fades it out, and lets no other begin")
  func gate() {
    let plain = Self.renderer()
    plain.identify(output: 0)
    let whole = Self.play(plain, frames: 48_000)[0]
    for early in [64, 2048, 24_000, 46_000] {
      let renderer = Self.renderer()
      renderer.identify(output: 0)
      let before = Self.play(renderer, frames: early)[0]
      #expect(before[...] == whole[..<early])
      renderer.setGate(open: false)
      #expect(!renderer.isGateSettled)
      let after = Self.play(renderer, frames: 9600)[0]
      #expect(after[4800...].allSatisfy { $0 == 0 })
      // The noise goes on as it would have, but for its ramp: louder at no frame.
      #expect(zip(after, whole[early...]).allSatisfy { abs($0) <= abs($1) + 1e-3 })
      if early == 24_000 {
        #expect(zip(after, whole[early...]).prefix(50).allSatisfy { abs($0 - $1) < 1e-4 })
      }
      #expect(renderer.isGateSettled)
      renderer.identify(output: 1)
      #expect(Self.play(renderer, frames: 9600)[1].allSatisfy { $0 == 0 })
    }
  }

  @Test("Asked again it goes on for its time, without a step and no louder")
  func again() {
    let renderer = Self.renderer()
    renderer.identify(output: 0)
    let first = Self.play(renderer, frames: 24_000)[0]
    renderer.identify(output: 0)
    let second = Self.play(renderer, frames: 48_000)[0]
    #expect(abs(Self.level(first[20_000...]) + 30) < 2)
    #expect(abs(Self.level(second[..<4000]) + 30) < 2)
    #expect(abs(Self.level(second[30_000..<38_000]) + 30) < 2)
    #expect((first + second).allSatisfy { abs($0) <= 0.1 })
    #expect(second[43_200...].allSatisfy { $0 == 0 })
    // In the middle of its way down it comes up again from there.
    let other = Self.renderer()
    other.identify(output: 0)
    _ = Self.play(other, frames: 45_600)
    other.identify(output: 0)
    let risen = Self.play(other, frames: 10_000)[0]
    #expect(Self.level(risen[..<480]) < -33 && Self.level(risen[4800...]) > -32)
  }

  @Test("A new stream begins without it, and outputs that there are not are none")
  func restart() {
    let renderer = Self.renderer()
    renderer.identify(output: 0)
    renderer.identify(output: -1)
    renderer.identify(output: 3)
    _ = Self.play(renderer, frames: 6400)
    renderer.restart(atFrame: 640)
    #expect(Self.play(renderer, frames: 6400)[0].allSatisfy { $0 == 0 })
  }
}
