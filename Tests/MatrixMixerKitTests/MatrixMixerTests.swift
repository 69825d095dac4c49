import MatrixMixerKit
import Testing

@Suite("The matrix mixer as a library")
struct MatrixMixerTests {
  /// Renders constant inputs until every glide is over and gives the last frame of each output.
  func settled(_ mixer: MatrixMixer, _ inputs: [Float], slice: Int = 480) -> [Float] {
    let frames = 48_000 / 4
    let sources = inputs.map { value in
      let row = UnsafeMutablePointer<Float>.allocate(capacity: frames)
      row.initialize(repeating: value, count: frames)
      return row
    }
    let rows = (0..<mixer.outputChannelCount).map { _ in
      let row = UnsafeMutablePointer<Float>.allocate(capacity: frames)
      row.initialize(repeating: .nan, count: frames)
      return row
    }
    defer { for row in sources + rows { row.deallocate() } }
    var done = 0
    while done < frames {
      let count = min(slice, frames - done)
      let inputs = sources.map { UnsafePointer($0 + done) }
      let outputs = rows.map { $0 + done }
      mixer.render(inputs: inputs, outputs: outputs, frameCount: count)
      done += count
    }
    return rows.map { $0[frames - 1] }
  }

  @Test("Stereo to mono: both inputs meet in one output")
  func stereoToMono() throws {
    let mixer = try MatrixMixer(inputChannelCount: 2, outputChannelCount: 1, sampleRate: 48_000)
    mixer.setup()
    mixer.setInputVolume(0.5, forInputChannel: 0, toOutputChannels: [0])
    mixer.setInputVolume(0.5, forInputChannel: 1, toOutputChannels: [0])
    #expect(settled(mixer, [0.5, 0.25]) == [0.375])
  }

  @Test("Left and right are swapped, with the shorter spelling too")
  func swapped() throws {
    let mixer = try MatrixMixer(inputChannelCount: 2, outputChannelCount: 2, sampleRate: 48_000)
    mixer.setInputVolume(1, forInputChannel: 0, to: [1])
    mixer.setInputVolume(1, forInputChannel: 1, to: [0])
    #expect(settled(mixer, [0.5, -0.25]) == [-0.25, 0.5])
  }

  @Test("An input goes to the named outputs and leaves the others")
  func onlyTheNamed() throws {
    let mixer = try MatrixMixer(inputChannelCount: 2, outputChannelCount: 4, sampleRate: 48_000)
    mixer.setInputVolume(1, forInputChannel: 0, to: [0, 1, 2, 3])
    mixer.setInputVolume(1, forInputChannel: 1, to: [3])
    #expect(settled(mixer, [0.5, 0.25]) == [0.5, 0.5, 0.5, 0.75])
    mixer.setInputVolume(0.5, forInputChannel: 0, to: [1, 1])
    #expect(settled(mixer, [0.5, 0.25]) == [0, 0.25, 0, 0.25])
    mixer.setInputVolume(1, forInputChannel: 1, to: [])
    #expect(settled(mixer, [0.5, 0.25]) == [0, 0.25, 0, 0])
  }

  @Test("GD-10: nothing sounds until a connection is made, and all other volumes stand at 1")
  func start() throws {
    let mixer = try MatrixMixer(inputChannelCount: 2, outputChannelCount: 2, sampleRate: 48_000)
    #expect(settled(mixer, [1, 1]) == [0, 0])
    #expect(mixer.matrixLevels == [[0, 0, 1], [0, 0, 1], [1, 1, 1]])
  }

  @Test("Four volumes follow each other, and the table of levels shows them all")
  func volumes() throws {
    let mixer = try MatrixMixer(inputChannelCount: 2, outputChannelCount: 2, sampleRate: 44_100)
    mixer.setInputVolume(0.5, forInputChannel: 0)
    mixer.setInputVolume(0.25, forInputChannel: 0, to: [1])
    mixer.setOutputVolume(2, forOutputChannel: 1)
    mixer.globalVolume = 0.5
    #expect(settled(mixer, [0.5, 0.5]) == [0, 0.0625])
    #expect(mixer.matrixLevels == [[0, 0.25, 0.5], [0, 0, 1], [1, 2, 0.5]])
    #expect(mixer.inputVolume(forInputChannel: 0) == 0.5)
    #expect(mixer.outputVolume(forOutputChannel: 1) == 2)
    #expect(mixer.crosspointVolume(fromInputChannel: 0, toOutputChannel: 1) == 0.25)
    mixer.volume = 0.75
    #expect(mixer.matrixLevels == [[0, 0.25, 0.5], [0, 0, 1], [0.75, 0.75, 0.5]])
    #expect(mixer.volume == 0.75)
    mixer.setup()
    #expect(mixer.matrixLevels == [[0, 0.25, 1], [0, 0, 1], [1, 1, 1]])
  }

  @Test("GD-05, GD-07: volumes are clamped, NaN is off, and samples that are not finite count as 0")
  func limits() throws {
    let mixer = try MatrixMixer(inputChannelCount: 1, outputChannelCount: 1, sampleRate: 48_000)
    mixer.setInputVolume(.infinity, forInputChannel: 0, to: [0])
    mixer.setInputVolume(-3, forInputChannel: 0)
    #expect(mixer.matrixLevels == [[MatrixMixer.maximumVolume, 0], [1, 1]])
    mixer.setInputVolume(.nan, forInputChannel: 0, to: [0])
    mixer.setInputVolume(1, forInputChannel: 0)
    #expect(mixer.matrixLevels == [[0, 1], [1, 1]])
    mixer.setInputVolume(1, forInputChannel: 0, to: [0])
    #expect(settled(mixer, [.nan]) == [0])
    #expect(settled(mixer, [-.infinity]) == [0])
    #expect(settled(mixer, [0.5], slice: 12_000) == [0.5])
  }

  @Test("Whatever is set while nothing renders arrives, the latest of each volume")
  func many() throws {
    let mixer = try MatrixMixer(inputChannelCount: 4, outputChannelCount: 4, sampleRate: 48_000)
    for round in 0...1_000 {
      mixer.setInputVolume(Float(round) / 1_000, forInputChannel: round % 4, to: [0])
    }
    for input in 0..<4 { mixer.setInputVolume(0.5, forInputChannel: input, to: [input]) }
    #expect(!mixer.flush())
    _ = settled(mixer, [0, 0, 0, 0])
    #expect(mixer.flush())
    #expect(settled(mixer, [0.5, 0.25, 1, -1]) == [0.25, 0.125, 0.5, -0.5])
  }

  @Test("Sizes outside of the limits are refused in a sentence")
  func sizes() {
    for (inputs, outputs, rate) in [
      (0, 1, 48_000.0), (1, 0, 48_000), (513, 1, 48_000), (512, 129, 48_000), (1, 1, 0),
      (1, 1, .nan),
    ] {
      #expect(throws: MatrixMixerError.self) {
        try MatrixMixer(inputChannelCount: inputs, outputChannelCount: outputs, sampleRate: rate)
      }
    }
  }
}
