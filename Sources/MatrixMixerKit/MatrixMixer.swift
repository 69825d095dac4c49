import Control
import Engine
import Handoff
import MatrixCore

/// A matrix mixer for audio: N inputs, M outputs, and a volume at every place where they meet.
///
/// It has the volumes of Apple's matrix mixer unit, in series: input, crosspoint, output, global.
/// Crosspoints start at 0, so nothing sounds until a connection is made; all other volumes start
/// at 1. A volume that is set is reached in a short, click-free glide (exact per sample, -40 dB of
/// the step left after 33 ms).
///
/// Stereo to mono:
/// ```swift
/// let mixer = try MatrixMixer(inputChannelCount: 2, outputChannelCount: 1, sampleRate: 48_000)
/// mixer.setInputVolume(0.5, forInputChannel: 0, toOutputChannels: [0])
/// mixer.setInputVolume(0.5, forInputChannel: 1, toOutputChannels: [0])
/// ```
/// Left and right swapped:
/// ```swift
/// mixer.setInputVolume(1, forInputChannel: 0, toOutputChannels: [1])
/// mixer.setInputVolume(1, forInputChannel: 1, toOutputChannels: [0])
/// ```
///
/// Threads: `render` belongs to the audio thread, one at a time; it never locks or allocates.
/// Everything else may be called from any other thread.
///
/// `@unchecked Sendable`: the control side is used under its lock only, and what both sides use is
/// made for that.
public final class MatrixMixer: @unchecked Sendable {
  /// The loudest that a volume can be: +10 dB, as linear gain.
  public static let maximumVolume = Float(3.162_277_660_168_379_5)

  /// The number of input channels, 1...512.
  public let inputChannelCount: Int
  /// The number of output channels, 1...512.
  public let outputChannelCount: Int
  /// Frames per second, of every channel.
  public let sampleRate: Double

  let shape: MatrixShape
  let renderTarget: RenderTarget
  private let cycle: RenderCycle
  private let hub: ControlHub
  private let board: EngineBoard
  private let lock = Guarded(())

  /// Makes a mixer, silent.
  ///
  /// - Parameters:
  ///   - inputChannelCount: 1...512.
  ///   - outputChannelCount: 1...512; inputs x outputs at most 65,536.
  ///   - sampleRate: in Hz, 8,000...384,000.
  ///   - maximumFramesPerSlice: how many frames are rendered in one go; `render` cuts what is more.
  /// - Throws: a `MatrixMixerError` when a number is outside of its range.
  public init(
    inputChannelCount: Int, outputChannelCount: Int, sampleRate: Double,
    maximumFramesPerSlice: Int = 4_096
  ) throws(MatrixMixerError) {
    guard let shape = MatrixShape(inputs: inputChannelCount, outputs: outputChannelCount) else {
      throw MatrixMixerError(
        description: "\(inputChannelCount) inputs by \(outputChannelCount) outputs are no matrix: "
          + "a side has 1 to 512 channels, and both together at most 65,536 crosspoints.")
    }
    guard (8_000...384_000).contains(sampleRate) else {
      throw MatrixMixerError(
        description: "A sample rate of \(sampleRate) Hz is outside of 8,000 to 384,000 Hz.")
    }
    guard (1...1 << 20).contains(maximumFramesPerSlice) else {
      throw MatrixMixerError(
        description: "A slice of \(maximumFramesPerSlice) frames is outside of 1 to 1,048,576.")
    }
    self.shape = shape
    self.inputChannelCount = inputChannelCount
    self.outputChannelCount = outputChannelCount
    self.sampleRate = sampleRate
    let tauSeconds = 0.005
    let ring = CommandRing(shape: shape)
    board = EngineBoard(rate: sampleRate)
    hub = ControlHub(
      HubConfiguration(shape: shape, rate: sampleRate, tauSeconds: tauSeconds), ring: ring,
      board: board)
    cycle = RenderCycle(
      renderer: Renderer(
        shape: shape, rate: sampleRate, tauSeconds: tauSeconds,
        maximumFrames: maximumFramesPerSlice),
      ring: ring, board: board, meters: MeterBoard(shape: shape))
    renderTarget = RenderTarget(cycle: cycle)
    board.setRunning(true)
  }

  // MARK: Volumes

  /// The volume of every output channel; reading it gives the first one's.
  public var volume: Float {
    get { outputVolume(forOutputChannel: 0) }
    set { set((0..<outputChannelCount).map { (shape.output($0), newValue) }) }
  }

  /// The volume of everything.
  public var globalVolume: Float {
    get { level(of: shape.master) }
    set { set([(shape.master, newValue)]) }
  }

  /// Sets all input, output and global volumes to 1 and leaves the connections as they are.
  ///
  /// On Apple's platforms these volumes start at 0 and have to be raised; here they start at 1.
  /// So a program that was written for there finds what it expects, and may call this at any time.
  public func setup() {
    set((shape.crosspointCount..<shape.gainCount).map { (GainID(index: Int32($0)), 1) })
  }

  /// The volume of an input channel.
  public func inputVolume(forInputChannel input: Int) -> Float {
    level(of: shape.input(checkedInput(input)))
  }

  /// Sets the volume of an input channel: a linear gain; out of range it is clamped, NaN is 0.
  public func setInputVolume(_ volume: Float, forInputChannel input: Int) {
    set([(shape.input(checkedInput(input)), volume)])
  }

  /// The volume of an output channel.
  public func outputVolume(forOutputChannel output: Int) -> Float {
    level(of: shape.output(checkedOutput(output)))
  }

  /// Sets the volume of an output channel: a linear gain; out of range it is clamped, NaN is 0.
  public func setOutputVolume(_ volume: Float, forOutputChannel output: Int) {
    set([(shape.output(checkedOutput(output)), volume)])
  }

  /// The volume from an input channel to an output channel.
  public func crosspointVolume(fromInputChannel input: Int, toOutputChannel output: Int) -> Float {
    level(of: shape.crosspoint(input: checkedInput(input), output: checkedOutput(output)))
  }

  /// Sends an input channel to some output channels, and to no others.
  ///
  /// The crosspoints to the named outputs get the volume (a linear gain; out of range it is
  /// clamped, NaN is 0), the input's other crosspoints get 0; all begin to move on the same frame.
  public func setInputVolume(
    _ volume: Float, forInputChannel input: Int, toOutputChannels outputs: [Int]
  ) {
    let named = Set(outputs.map(checkedOutput))
    let checked = checkedInput(input)
    set(
      (0..<outputChannelCount).map {
        (shape.crosspoint(input: checked, output: $0), named.contains($0) ? volume : 0)
      })
  }

  /// Sends an input channel to some output channels, and to no others: the shorter spelling.
  public func setInputVolume(_ volume: Float, forInputChannel input: Int, to outputs: [Int]) {
    setInputVolume(volume, forInputChannel: input, toOutputChannels: outputs)
  }

  /// All volumes, in the order of Apple's `kAudioUnitProperty_MatrixLevels`.
  ///
  /// Inputs + 1 rows of outputs + 1 values: a row per input, its crosspoints and then its own
  /// volume; then the outputs' volumes and the global one.
  public var matrixLevels: [[Float]] {
    lock.withLock { _ in
      (0...inputChannelCount).map { input in
        (0...outputChannelCount).map { output in
          Float(hub.level(of: gain(row: input, column: output)))
        }
      }
    }
  }

  /// Hands on what the audio thread had no room for; true when nothing waits any more.
  ///
  /// Volumes are handed over as they are set. Only when very many are set while nothing is being
  /// rendered do some wait, the latest value of each; the next change or this takes them along.
  @discardableResult
  public func flush() -> Bool {
    lock.withLock { _ in
      hub.tick(now: 0)
      return !hub.hasOverdueGains
    }
  }

  private func gain(row: Int, column: Int) -> GainID {
    switch (row < inputChannelCount, column < outputChannelCount) {
    case (true, true): shape.crosspoint(input: row, output: column)
    case (true, false): shape.input(row)
    case (false, true): shape.output(column)
    case (false, false): shape.master
    }
  }

  private func level(of gain: GainID) -> Float {
    lock.withLock { _ in Float(hub.level(of: gain)) }
  }

  private func set(_ volumes: [(gain: GainID, volume: Float)]) {
    let levels = volumes.map { (gain: $0.gain, level: Self.level(ofVolume: $0.volume)) }
    lock.withLock { _ in
      hub.setLevels(levels, atFrame: board.nextFrame)
      hub.tick(now: 0)
    }
  }

  private static func level(ofVolume volume: Float) -> Double {
    volume > 0 ? min(Double(volume), Level.maximum) : 0
  }

  private func checkedInput(_ input: Int) -> Int {
    precondition((0..<inputChannelCount).contains(input), "an input channel of the mixer")
    return input
  }

  private func checkedOutput(_ output: Int) -> Int {
    precondition((0..<outputChannelCount).contains(output), "an output channel of the mixer")
    return output
  }
}
