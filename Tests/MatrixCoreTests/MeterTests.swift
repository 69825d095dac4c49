import MatrixCore
import TestSupport
import Testing

/// Levels computed from the samples of the plain recurrence, one by one.
private struct PlainMeters {
  private(set) var peaks: [[Double]]
  private(set) var squares: [[Double]]
  private var frames = 0.0

  init(_ playback: Playback, shape: MatrixShape, crosspoints: [GainID], start: Int64) {
    let rows = [shape.inputs, shape.inputs, shape.outputs, shape.outputs, crosspoints.count]
    peaks = rows.map { [Double](repeating: 0, count: $0) }
    squares = peaks
    var mixer = MatrixReference(shape: shape, rate: 48_000, tauSeconds: 0.005, start: start)
    var next = 0
    for frame in 0..<playback.frames {
      while next < playback.events.count, playback.events[next].frame <= frame {
        switch playback.events[next].event {
        case .gain(var command):
          command.fade.startFrame += start
          mixer.apply(command)
        case .gate(let open): mixer.setGate(open: open)
        }
        next += 1
      }
      let inputs = (0..<shape.inputs).map { playback.signal($0, frame) }
      let outputs = mixer.render(inputs)
      let gained = inputs.enumerated().map { Double($1) * mixer.current(shape.input($0)) }
      for (input, sample) in inputs.enumerated() { note(0, input, Double(sample)) }
      for (input, sample) in gained.enumerated() { note(1, input, sample) }
      for output in 0..<shape.outputs {
        let sum = gained.enumerated().reduce(0) {
          $0 + $1.element
            * mixer.current(shape.crosspoint(input: $1.offset, output: output))
        }
        note(2, output, sum)
        note(3, output, outputs[output])
      }
      for (place, gain) in crosspoints.enumerated() {
        note(4, place, gained[Int(gain.index) / shape.outputs] * mixer.current(gain))
      }
      frames += 1
    }
  }

  private mutating func note(_ plane: Int, _ row: Int, _ sample: Double) {
    peaks[plane][row] = max(peaks[plane][row], abs(sample))
    squares[plane][row] += sample * sample
  }

  func meanSquare(_ plane: Int, _ row: Int) -> Double { squares[plane][row] / frames }
}

@Suite("Meters")
struct MeterTests {
  static let everything: MeterPoints = [.inputPre, .inputPost, .outputPre, .outputPost]

  static func renderer(
    _ matrix: MatrixShape, watching points: MeterPoints, _ crosspoints: [GainID] = [],
    set: InstructionSet? = nil
  ) -> Renderer {
    let renderer = Renderer(
      shape: matrix, rate: 48_000, tauSeconds: 0.005, maximumFrames: 4096, instructionSet: set)
    renderer.watch(points)
    renderer.watchCrosspoints(count: crosspoints.count)
    for (place, gain) in crosspoints.enumerated() { renderer.watchCrosspoint(gain, at: place) }
    return renderer
  }

  /// Every peak and mean square that is watched: points, channels, then crosspoints.
  static func readings(_ renderer: Renderer, crosspoints: Int) -> [(peak: Float, square: Float)] {
    var readings: [(peak: Float, square: Float)] = []
    for point in MeterPoint.allCases {
      let channels = point.isOfInputs ? renderer.shape.inputs : renderer.shape.outputs
      for channel in 0..<channels {
        readings.append(
          (renderer.meterPeak(point, channel), renderer.meterMeanSquare(point, channel)))
      }
    }
    for place in 0..<crosspoints {
      readings.append(
        (renderer.crosspointPeak(at: place), renderer.crosspointMeanSquare(at: place)))
    }
    return readings
  }

  @Test(
    "Every point shows what a plain recomputation of its samples shows",
    arguments: [shape(1, 1), shape(5, 6), shape(9, 3)])
  func recomputation(matrix: MatrixShape) {
    let playback = turmoil(
      shape: matrix, frames: 8000, events: 100 + 5 * matrix.gainCount, seed: 21)
    let crosspoints = (0..<matrix.crosspointCount).reversed().map { GainID(index: Int32($0)) }
    let plain = PlainMeters(playback, shape: matrix, crosspoints: crosspoints, start: 41)
    for set in InstructionSet.supported {
      let renderer = Self.renderer(
        matrix, watching: Self.everything, crosspoints, set: set)
      _ = playback.render(renderer, period: 333, start: 41)
      for (index, point) in MeterPoint.allCases.enumerated() {
        for channel in plain.peaks[index].indices {
          #expect(
            abs(Double(renderer.meterPeak(point, channel)) - plain.peaks[index][channel]) < 2e-6)
          let square = Double(renderer.meterMeanSquare(point, channel))
          #expect(abs(square - plain.meanSquare(index, channel)) < 2e-6)
        }
      }
      for place in crosspoints.indices {
        #expect(renderer.watchedCrosspoint(at: place) == crosspoints[place])
        #expect(abs(Double(renderer.crosspointPeak(at: place)) - plain.peaks[4][place]) < 2e-6)
        let square = Double(renderer.crosspointMeanSquare(at: place))
        #expect(abs(square - plain.meanSquare(4, place)) < 2e-6)
      }
      #expect(plain.peaks.joined().filter { $0 > 0.01 }.count > plain.peaks.joined().count / 2)
    }
  }

  @Test("Readings do not depend on how rendering is cut", arguments: [1, 7, 64, 100, 4096])
  func periods(period: Int) {
    let matrix = shape(5, 6)
    let playback = turmoil(shape: matrix, frames: 6000, events: 300, seed: 11)
    let crosspoints = [3, 0, 29, 17].map { GainID(index: $0) }
    func readings(_ period: Int) -> [(peak: Float, square: Float)] {
      let renderer = Self.renderer(matrix, watching: Self.everything, crosspoints)
      _ = playback.render(renderer, period: period)
      return Self.readings(renderer, crosspoints: 4)
    }
    for (one, other) in zip(readings(period), readings(333)) {
      #expect(one.peak == other.peak)
      #expect(abs(one.square - other.square) <= 1e-6 * other.square)
    }
  }

  @Test("Metering changes no sample that goes out")
  func transparent() {
    let matrix = shape(5, 6)
    let playback = turmoil(shape: matrix, frames: 6000, events: 300, seed: 12)
    let crosspoints = (0..<30).map { GainID(index: $0) }
    let plain = playback.render(Self.renderer(matrix, watching: []), period: 100)
    let metered = playback.render(
      Self.renderer(matrix, watching: Self.everything, crosspoints), period: 100)
    #expect(plain == metered)
  }

  @Test("Each call of any length is metered to its last frame, and a reset begins anew")
  func lastFrames() {
    let matrix = shape(2, 2)
    let renderer = Self.renderer(matrix, watching: [.inputPre, .outputPost])
    var playback = Playback(frames: 6660) { input, _ in input == 0 ? 0.5 : 0 }
    playback.set(matrix.crosspoint(input: 0, output: 0), to: 1, at: 0)
    playback.set(matrix.master, to: 0.5, at: 0)
    _ = playback.render(renderer, period: 333)
    renderer.resetMeters()
    #expect(renderer.meterMeanSquare(.inputPre, 0) == 0)
    for frames in [1, 7, 64, 333] {
      for frame in 0..<frames {
        renderer.inputRow(0)[frame] = 0.5
        renderer.inputRow(1)[frame] = frame == frames - 1 ? -0.75 : 0
      }
      renderer.begin(frames: frames)
      renderer.advance(frames: frames)
      renderer.finish()
      #expect(renderer.meterPeak(.inputPre, 0) == 0.5)
      #expect(abs(renderer.meterMeanSquare(.inputPre, 0) - 0.25) < 1e-6)
      #expect(renderer.meterPeak(.inputPre, 1) == 0.75)
      #expect(abs(renderer.meterMeanSquare(.inputPre, 1) - 0.5625 / Float(frames)) < 1e-6)
      #expect(renderer.meterPeak(.outputPost, 0) == 0.25)
      #expect(abs(renderer.meterMeanSquare(.outputPost, 0) - 0.0625) < 1e-6)
      #expect(renderer.meterPeak(.outputPost, 1) == 0)
      #expect(renderer.meterMeanSquare(.outputPost, 1) == 0)
      renderer.resetMeters()
    }
  }

  @Test("With the master off what lies before it is still shown")
  func silentMaster() {
    let matrix = shape(2, 2)
    let crosspoint = matrix.crosspoint(input: 1, output: 0)
    let renderer = Self.renderer(matrix, watching: Self.everything, [crosspoint])
    var playback = Playback(frames: 12_000) { input, _ in Float(input) / 2 }
    playback.set(matrix.master, to: 0, at: 0)
    playback.set(crosspoint, to: 0.5, at: 0)
    // Nobody hears this one, so that nothing but its meter asks for it.
    playback.set(matrix.input(0), to: 0.5, at: 0)
    playback.set(matrix.input(1), to: 0.25, at: 0)
    let output = playback.render(renderer, period: 64)
    #expect(output.joined().allSatisfy { $0 == 0 })
    #expect(renderer.meterPeak(.inputPre, 1) == 0.5)
    #expect(renderer.meterPeak(.inputPost, 1) == 0.125)
    #expect(renderer.crosspointPeak(at: 0) == 0.0625)
    #expect(renderer.meterPeak(.outputPre, 0) == 0.0625)
    #expect(renderer.meterPeak(.outputPost, 0) == 0)
  }

  @Test("What is watched anew begins from nothing, and what goes on being watched goes on")
  func changesOfMind() {
    let matrix = shape(1, 2)
    let gains = [0, 1].map { GainID(index: $0) }
    let renderer = Self.renderer(matrix, watching: .inputPre, [gains[0]])
    func play(_ level: Float) {
      for frame in 0..<64 { renderer.inputRow(0)[frame] = level }
      renderer.begin(frames: 64)
      renderer.advance(frames: 64)
      renderer.finish()
    }
    for output in 0..<2 {
      renderer.apply(
        GainCommand(
          frame: 0, gain: gains[output], endsTransaction: true, factor: 1, fade: Fade(steady: 1)))
    }
    for _ in 0..<100 { play(0) }
    play(0.75)
    renderer.watch([.inputPre, .outputPost])
    renderer.watchCrosspoints(count: 2)
    renderer.watchCrosspoint(gains[0], at: 0)
    renderer.watchCrosspoint(gains[1], at: 1)
    play(0.25)
    #expect(renderer.meterPeak(.inputPre, 0) == 0.75)
    #expect(renderer.meterPeak(.outputPost, 0) == 0.25)
    #expect(renderer.meterMeanSquare(.outputPost, 0) == 0.0625)
    #expect(renderer.crosspointPeak(at: 0) == 0.75)
    #expect(renderer.crosspointPeak(at: 1) == 0.25)
    #expect(renderer.crosspointMeanSquare(at: 1) == 0.0625)
    renderer.watchCrosspoints(count: 1)
    renderer.watchCrosspoint(gains[1], at: 0)
    renderer.watch(.outputPost)
    renderer.watch([.inputPre, .outputPost])
    play(0.125)
    #expect(renderer.meterPeak(.inputPre, 0) == 0.125)
    #expect(renderer.meterPeak(.outputPost, 0) == 0.25)
    #expect(renderer.crosspointPeak(at: 0) == 0.125)
    #expect(renderer.watchedCrosspoint(at: 1).index == -1)
    // What is no crosspoint is silent, and does no harm.
    renderer.watchCrosspoint(GainID(index: 2), at: 0)
    play(0.5)
    #expect(renderer.crosspointPeak(at: 0) == 0)
  }

  @Test("Full scale is counted at every channel, watched or not, to the sample")
  func clipped() {
    let matrix = shape(3, 5)
    for period in [1, 64, 77, 1000] {
      var playback = Playback(frames: 7000) { input, frame in
        // From 6000 on: once more than full scale, twice full scale, once just below.
        guard frame >= 6000, input == 1 else { return 0 }
        switch frame % 100 {
        case 3: return 1.5
        case 10: return -1
        case 11: return 32_767 / 32_768
        case 12: return 0.9999
        default: return 0.1
        }
      }
      playback.set(matrix.crosspoint(input: 1, output: 4), to: 1, at: 0)
      playback.set(matrix.crosspoint(input: 1, output: 2), to: 0.8, at: 0)
      let renderer = Self.renderer(matrix, watching: [])
      _ = playback.render(renderer, period: period)
      #expect(renderer.inputFaults.faults(of: 1) == SampleFaults(clipped: 30))
      #expect(renderer.inputFaults.faults(of: 0) == SampleFaults())
      #expect(renderer.inputFaults.faults(of: 2) == SampleFaults())
      let outputs = (0..<5).map { renderer.outputFaults.faults(of: $0) }
      #expect(outputs.map(\.clipped) == [0, 0, 10, 0, 30])
    }
  }

  @Test("Sums that are not finite are counted, and shown as infinite")
  func notFinite() {
    let matrix = shape(2, 4)
    var playback = Playback(frames: 6401) { input, frame in
      frame == 6400 ? (input == 0 ? 3e38 : -3e38) : 0
    }
    playback.set(matrix.crosspoint(input: 0, output: 0), to: 2, at: 0)
    playback.set(matrix.crosspoint(input: 0, output: 1), to: 2, at: 0)
    playback.set(matrix.crosspoint(input: 1, output: 1), to: 2, at: 0)
    playback.set(matrix.crosspoint(input: 1, output: 2), to: 0.5, at: 0)
    let renderer = Self.renderer(matrix, watching: .outputPost)
    let output = playback.render(renderer, period: 64)
    let faults = (0..<4).map { renderer.outputFaults.faults(of: $0) }
    #expect(faults[0] == SampleFaults(infinite: 1))
    // Infinity less infinity, or with a fused multiply-add the infinity that was there first.
    #expect(faults[1].notANumber + faults[1].infinite == 1)
    #expect(faults[1].notANumber == (output[1][6400].isNaN ? 1 : 0))
    #expect(faults[2] == SampleFaults(clipped: 1))
    #expect(faults[3] == SampleFaults())
    #expect(renderer.meterPeak(.outputPost, 0) == .infinity)
    #expect(renderer.meterMeanSquare(.outputPost, 0) == .infinity)
    #expect(renderer.meterPeak(.outputPost, 3) == 0)
  }
}
