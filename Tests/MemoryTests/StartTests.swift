import Control
import Engine
import Handoff
import MatrixCore
import Memory
import Messages
import Testing

@Suite("Starting from a state")
struct StartTests {
  /// Hub and renderer as a running router has them, without a clock.
  private struct Stage {
    let shape: MatrixShape
    let ring: CommandRing
    let board = EngineBoard(rate: 48_000)
    let hub: ControlHub
    let cycle: RenderCycle
    let offline: OfflineRender

    init(_ snapshot: MixerSnapshot) throws {
      shape = try #require(MatrixShape(inputs: 2, outputs: 2))
      ring = CommandRing(shape: shape)
      hub = ControlHub(HubConfiguration(shape: shape), ring: ring, board: board)
      cycle = RenderCycle(
        renderer: Renderer(shape: shape, rate: 48_000, tauSeconds: 0.005, maximumFrames: 64),
        ring: ring, board: board, meters: MeterBoard(shape: shape))
      offline = OfflineRender(cycle: cycle, board: board, periodFrames: 64)
      hub.restore(snapshot)
    }

    func start(atFrame frame: Int64) {
      board.setRunning(true)
      hub.prepareStream(startFrame: frame)
      cycle.restart(atFrame: frame)
    }

    /// The highest sample of all outputs while full scale comes in.
    func peak(frames: Int64) -> Float {
      var peak: Float = 0
      offline.render(
        frames: frames,
        fill: { range, rows in
          for input in 0..<rows.inputCount {
            rows.inputs[input].update(repeating: 1, count: range.count)
          }
        },
        before: { range in
          hub.tick(now: 0)
          return range.upperBound
        },
        drain: { range, rows in
          for output in 0..<rows.outputCount {
            for frame in 0..<range.count { peak = max(peak, abs(rows.outputs[output][frame])) }
          }
        })
      return peak
    }
  }

  @Test("RT-06: a state with master 0.1 never lets a louder sample out, at start and at reopening")
  func master() throws {
    var snapshot = MixerSnapshot(inputs: 2, outputs: 2)
    snapshot[0, 0].level = 1
    snapshot[1, 1].level = Level.maximum
    snapshot[output: 1].level = 1 / Level.maximum
    snapshot.master.level = 0.1
    let stage = try Stage(snapshot)
    for start: Int64 in [0, 48_000, 96_064] {
      stage.start(atFrame: start)
      let peak = stage.peak(frames: 24_000)
      #expect(peak <= 0.100_001 && peak > 0.099_99)
    }
  }

  @Test("A muted master stays silent from the first sample on, and a fade waits for nothing")
  func mutedMaster() throws {
    var snapshot = MixerSnapshot(inputs: 2, outputs: 2)
    snapshot[0, 0].level = 1
    snapshot.master.isMuted = true
    let stage = try Stage(snapshot)
    stage.start(atFrame: 0)
    #expect(stage.peak(frames: 24_000) == 0)
  }
}
