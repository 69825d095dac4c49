import Engine
import Glibc
import Handoff
import MatrixCore

/// A mixer with everything that a render call has to do with, and a stop watch.
final class BenchRig {
  static let frames = 64

  let shape: MatrixShape
  let renderer: Renderer
  private let ring: CommandRing
  private let board: EngineBoard
  private let cycle: RenderCycle
  private let meters: MeterBoard

  /// Makes a running mixer with noise at its inputs, which are metered as they come, and outputs that
  /// are metered as they go.
  init(inputs: Int, outputs: Int, instructionSet: InstructionSet) {
    guard let shape = MatrixShape(inputs: inputs, outputs: outputs) else {
      preconditionFailure("a shape within the limits")
    }
    self.shape = shape
    renderer = Renderer(
      shape: shape, rate: 48_000, tauSeconds: 0.005, maximumFrames: Self.frames,
      instructionSet: instructionSet)
    ring = CommandRing(shape: shape)
    board = EngineBoard(rate: 48_000)
    meters = MeterBoard(shape: shape)
    cycle = RenderCycle(renderer: renderer, ring: ring, board: board, meters: meters)
    cycle.restart(atFrame: 0)
    meters.watch([.inputPre, .outputPost], crosspoints: [])
    fillWithNoise()
  }

  func fillWithNoise() {
    var state: UInt32 = 1
    for input in 0..<shape.inputs {
      for frame in 0..<Self.frames {
        state = state &* 1_664_525 &+ 1_013_904_223
        renderer.inputRow(input)[frame] = Float(Int32(bitPattern: state)) / 0x8000_0000
      }
    }
  }

  func fillWithSilence() {
    for input in 0..<shape.inputs {
      renderer.inputRow(input).update(repeating: 0, count: Self.frames)
    }
  }

  /// Sends crosspoints to a level, as one transaction on the next frame.
  func send(_ gains: [GainID], level: Double) {
    send(gains, fade: Fade(steady: level))
  }

  /// Sends crosspoints on a fade that begins on the next frame.
  func send(_ gains: [GainID], fade: Fade) {
    let position = cycle.position
    var fade = fade
    fade.startFrame += position
    let transaction = gains.map { gain in
      GainCommand(
        frame: position, gain: gain, endsTransaction: gain == gains.last, factor: 1, fade: fade)
    }
    guard !transaction.isEmpty else { return }
    let isPublished = transaction.withUnsafeBufferPointer { ring.publish($0) }
    precondition(isPublished, "a transaction fits an empty ring")
  }

  /// Meters every point from now on, and crosspoints evenly over the matrix.
  func watch(crosspoints count: Int) {
    let gains = (0..<count).map { GainID(index: Int32($0 * shape.crosspointCount / count)) }
    meters.watch([.inputPre, .inputPost, .outputPre, .outputPost], crosspoints: gains)
  }

  func render(blocks: Int) {
    for _ in 0..<blocks { cycle.render(frames: Self.frames) }
  }

  /// Renders until every glide of the default time is over.
  func settle() {
    render(blocks: 90)
  }

  /// The time that so many calls take, in nanoseconds a call.
  func time(blocks: Int) -> Double {
    let before = monotonicNanoseconds()
    render(blocks: blocks)
    return Double(monotonicNanoseconds() - before) / Double(blocks)
  }

  /// The best of several times, of as many calls as take about a millisecond.
  func bestTime() -> Double {
    let blocks = max(8, min(2000, Int(1e6 / time(blocks: 8))))
    var best = Double.infinity
    for _ in 0..<30 { best = min(best, time(blocks: blocks)) }
    return best
  }

  /// The best of several times while all these gains glide, of as many calls as an epoch has.
  func bestMovingTime(_ gains: [GainID]) -> Double {
    var best = Double.infinity
    for round in 0..<30 {
      send(gains, level: round & 1 == 0 ? 0.3 : 0.6)
      render(blocks: 2)
      // A glide lasts 83 blocks, and its origin moves every eighth.
      for _ in 0..<9 { best = min(best, time(blocks: 8)) }
    }
    return best
  }

  var allCrosspoints: [GainID] {
    (0..<shape.crosspointCount).map { GainID(index: Int32($0)) }
  }
}

private func monotonicNanoseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
