import Engine
import Handoff
import MatrixCore
import TestSupport

/// A render cycle with what surrounds it, driven without a clock.
final class CycleRig {
  let shape: MatrixShape
  let board = EngineBoard(rate: 48_000)
  let ring: CommandRing
  let meters: MeterBoard
  let renderer: Renderer
  let cycle: RenderCycle
  let table: RowTable

  init(_ inputs: Int, _ outputs: Int, startFrame: Int64 = 0, ringCapacity: Int = 65_536) {
    shape = TestSupport.shape(inputs, outputs)
    ring = CommandRing(minimumCapacity: ringCapacity)
    meters = MeterBoard(shape: shape)
    renderer = Renderer(shape: shape, rate: 48_000, tauSeconds: 0.005, maximumFrames: 4096)
    cycle = RenderCycle(renderer: renderer, ring: ring, board: board, meters: meters)
    table = RowTable(renderer: renderer, board: board)
    cycle.restart(atFrame: startFrame)
    // Every stage but the crosspoints at unity, from the first frame on.
    let stages = shape.crosspointCount..<shape.gainCount
    publish(stages.map { (GainID(index: Int32($0)), 1) }, at: startFrame)
  }

  /// Publishes one transaction of levels.
  func publish(_ gains: [(GainID, Double)], at frame: Int64) {
    var commands = gains.map {
      GainCommand(
        frame: frame, gain: $0.0, endsTransaction: false, factor: 1, fade: Fade(steady: $0.1))
    }
    commands[commands.count - 1].endsTransaction = true
    publish(commands)
  }

  func publish(_ commands: [GainCommand]) {
    let fits = commands.withUnsafeBufferPointer { ring.publish($0) }
    precondition(fits, "the ring is large enough")
  }

  /// Renders so many frames in calls of the given lengths, again and again; every output in turn.
  func render(
    frames: Int, periods: [Int],
    input: (_ input: Int, _ frame: Int64) -> Float = { _, _ in 1 }
  ) -> [[Float]] {
    var outputs = [[Float]](repeating: [], count: shape.outputs)
    var left = frames
    var call = 0
    while left > 0 {
      let length = min(left, periods[call % periods.count])
      let start = cycle.position
      for channel in 0..<shape.inputs {
        for frame in 0..<length {
          table.rows.inputs[channel][frame] = input(channel, start + Int64(frame))
        }
      }
      cycle.render(frames: length)
      for channel in 0..<shape.outputs {
        outputs[channel] += UnsafeBufferPointer(
          start: table.rows.outputs[channel], count: length)
      }
      left -= length
      call += 1
    }
    return outputs
  }
}
