import Control
import Engine
import Handoff
import MatrixCore
import Messages
import TestSupport
import Testing

/// What is heard of hands that move faster than anybody can follow.
@Suite("Floods of values and their sound")
struct FloodSoundTests {
  @Test(
    "FL-01: of 1,000 messages a second on 8 crosspoints for 10 s nothing goes on when they stop",
    arguments: [64, 1_024])
  func flood(periodFrames: Int) throws {
    let rate = 48_000.0
    let shape = TestSupport.shape(8, 8)
    let ring = CommandRing(shape: shape)
    let board = EngineBoard(rate: rate)
    let hub = ControlHub(
      HubConfiguration(shape: shape, rate: rate, periodFrames: periodFrames), ring: ring,
      board: board)
    let cycle = RenderCycle(
      renderer: Renderer(
        shape: shape, rate: rate, tauSeconds: 0.005, maximumFrames: periodFrames),
      ring: ring, board: board, meters: MeterBoard(shape: shape))
    let offline = OfflineRender(cycle: cycle, board: board, periodFrames: periodFrames)
    board.setRunning(true)
    hub.prepareStream(startFrame: 0)
    cycle.restart(atFrame: 0)
    let messages = 10_000
    var sent = 0
    var lastFrame: Int64 = 0
    var largestBacklog = 0
    var last = [Float](repeating: 0, count: 8)
    var settled = [Int64](repeating: -1, count: 8)
    offline.render(
      frames: Int64(11 * rate),
      fill: { range, rows in
        for input in 0..<rows.inputCount {
          rows.inputs[input].update(repeating: 1, count: range.count)
        }
      },
      before: { range in
        // All that has been sent by now, one in each millisecond.
        while sent < messages, Double(sent) * rate / 1_000 <= Double(range.lowerBound) {
          let output = sent % 8
          last[output] = Float(sent % 991 + 1) / 1_000
          var batch = MessageBatch()
          batch.append(
            address: "/matrix/in/\(output)/out/\(output)", arguments: [.float(last[output])])
          let now = Int64(Double(sent) * 1e6)
          hub.perform(
            batch, at: .now(Arrival(monotonicNanoseconds: now, realtimeNanoseconds: now)),
            from: .client(1))
          sent += 1
          lastFrame = range.lowerBound
        }
        hub.tick(now: Int64(Double(range.lowerBound) / rate * 1e9))
        largestBacklog = max(largestBacklog, ring.capacity - ring.freeSlots)
        return range.upperBound
      },
      drain: { range, rows in
        for output in 0..<8 {
          for frame in 0..<range.count {
            guard rows.outputs[output][frame] != last[output] else { continue }
            settled[output] = range.lowerBound + Int64(frame) + 1
          }
        }
      })
    #expect(sent == messages)
    // T, the time of the glide, is 110 ms and a grid point; nothing has been left waiting anywhere.
    let bound = lastFrame + Int64(0.130 * rate)
    #expect(settled.allSatisfy { $0 > 0 && $0 <= bound })
    #expect(largestBacklog <= 32)
    #expect(hub.counters.resends == 0)
    #expect(hub.queuedTransactions == 0)
  }
}
