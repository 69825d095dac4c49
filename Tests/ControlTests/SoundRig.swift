import Control
import Engine
import Handoff
import MatrixCore
import Messages
import TestSupport

/// A hub whose commands are rendered: messages on exact frames, sound out, without a clock.
final class SoundRig {
  let shape: MatrixShape
  let hub: ControlHub
  private let offline: OfflineRender
  private let ring: CommandRing
  private var events: [(frame: Int64, batch: MessageBatch)] = []

  init(inputs: Int, outputs: Int, periodFrames: Int = 64, ringCapacity: Int? = nil) {
    shape = TestSupport.shape(inputs, outputs)
    ring = ringCapacity.map { CommandRing(minimumCapacity: $0) } ?? CommandRing(shape: shape)
    let board = EngineBoard(rate: 48_000)
    hub = ControlHub(HubConfiguration(shape: shape, rate: 48_000), ring: ring, board: board)
    let renderer = Renderer(
      shape: shape, rate: 48_000, tauSeconds: 0.005, maximumFrames: periodFrames)
    offline = OfflineRender(
      cycle: RenderCycle(
        renderer: renderer, ring: ring, board: board, meters: MeterBoard(shape: shape)
      ),
      board: board, periodFrames: periodFrames)
    board.setRunning(true)
    hub.prepareStream(startFrame: 0)
  }

  /// Adds a message to what happens on a frame; frames must not go back.
  func at(_ frame: Int64, _ address: String, _ arguments: Argument...) {
    at(frame, address, arguments)
  }

  func at(_ frame: Int64, _ address: String, _ arguments: [Argument]) {
    if events.last?.frame != frame { events.append((frame, MessageBatch())) }
    events[events.count - 1].batch.append(address: address, arguments: arguments)
  }

  /// Renders some frames of a signal that all inputs carry; every output in turn.
  func play(frames: Int64, _ signal: (Int64) -> Float = { _ in 1 }) -> [[Float]] {
    var outputs = [[Float]](repeating: [], count: shape.outputs)
    var next = 0
    offline.render(
      frames: frames,
      fill: { range, rows in
        for input in 0..<self.shape.inputs {
          for frame in range {
            rows.inputs[input][Int(frame - range.lowerBound)] = signal(frame)
          }
        }
      },
      before: { range in
        while true {
          let event = next < self.events.count ? self.events[next].frame : .max
          let waypoint = self.hub.nextWaypointFrame ?? .max
          guard min(event, waypoint) < range.upperBound else { break }
          guard event < waypoint else {
            self.hub.passWaypoint()
            continue
          }
          self.hub.perform(self.events[next].batch, at: .frame(event), from: .client(1))
          self.hub.flush()
          next += 1
        }
        return range.upperBound
      },
      drain: { range, rows in
        for output in outputs.indices {
          outputs[output] += UnsafeBufferPointer(
            start: rows.outputs[output], count: range.count)
        }
      })
    return outputs
  }
}
