import Control
import Engine
import Glibc
import Handoff
import MatrixCore
import Messages
import Router
import TestSupport
import Testing

/// A mixer without a clock, played by hands whose changes are recorded, and the same record played
/// again by `crosspoint render`.
final class RecordRig {
  static let rate = 48_000.0
  static let period = 64
  /// How long before the stream things are that happen while there is none.
  static let framesBefore: Int64 = 1_000

  let shape: MatrixShape
  let ring: CommandRing
  let board = EngineBoard(rate: RecordRig.rate)
  let hub: ControlHub
  let folder = TemporaryFolder()
  private(set) var recorder: EventRecorder?
  private let cycle: RenderCycle
  private let offline: OfflineRender
  /// The first frame of the stream and of the record.
  let startFrame: Int64
  private let startNanoseconds: Int64 = 7_000_000_000

  /// A stream that could begin on `earliest` without a recorder.
  init(inputs: Int, outputs: Int, earliest: Int64 = 5_000) throws {
    startFrame = EventRecorder.startFrame(notBefore: earliest)
    shape = TestSupport.shape(inputs, outputs)
    ring = CommandRing(shape: shape)
    hub = ControlHub(
      HubConfiguration(shape: shape, periodFrames: Self.period), ring: ring, board: board)
    cycle = RenderCycle(
      renderer: Renderer(
        shape: shape, rate: Self.rate, tauSeconds: 0.005, maximumFrames: Self.period),
      ring: ring, board: board, meters: MeterBoard(shape: shape))
    offline = OfflineRender(cycle: cycle, board: board, periodFrames: Self.period)
    board.setClock(
      ClockReading(
        frame: Double(startFrame), nanoseconds: startNanoseconds,
        nanosecondsPerFrame: 1e9 / Self.rate))
  }

  /// The present, which is where the audio is, or a little before the stream.
  var arrival: Arrival {
    let frames = board.isRunning ? board.nextFrame - startFrame : -Self.framesBefore
    let elapsed = Int64((Double(frames) * 1e9 / Self.rate).rounded())
    return Arrival(
      monotonicNanoseconds: startNanoseconds + elapsed,
      realtimeNanoseconds: 1_800_000_000_000_000_000 + elapsed)
  }

  /// Sends messages as one bundle, perhaps with a time some seconds ahead.
  func send(_ messages: [(String, [Argument])], secondsAhead: Double? = nil) {
    let time = secondsAhead.map {
      TimeTag(wallNanoseconds: arrival.realtimeNanoseconds + Int64($0 * 1e9))
    }
    var batch = MessageBatch()
    for (address, arguments) in messages {
      batch.append(address: address, arguments: arguments, time: time ?? .immediate)
    }
    hub.perform(batch, at: .now(arrival), from: .client(1))
  }

  func send(_ address: String, _ arguments: Argument...) {
    send([(address, arguments)])
  }

  /// Ends a pass of the control thread.
  func endPass() {
    hub.tick(now: arrival.monotonicNanoseconds)
    recorder?.tick()
  }

  /// Plays for so many periods with noise on every input, while `hands` moves things before each of
  /// them, and gives what came out, frame after frame.
  func play(periods: Int, _ hands: (Int) -> Void) throws -> [Float] {
    let file = try EventFileWriter(folder.path(of: "events"), rate: Int(Self.rate))
    let recorder = EventRecorder(file) { file, changes in
      do throws(EventFileWriter.Failure) { try file.write(changes) } catch {
        Issue.record("\(error.sentence)")
      }
    }
    self.recorder = recorder
    recorder.begin(atFrame: startFrame, hub)
    hub.recorder = recorder
    hub.prepareStream(startFrame: startFrame)
    board.setNextFrame(startFrame)
    board.setRunning(true)
    cycle.restart(atFrame: startFrame)
    var samples: [Float] = []
    var period = 0
    offline.render(
      frames: Int64(periods * Self.period),
      fill: { range, rows in
        for input in 0..<rows.inputCount {
          for frame in 0..<range.count {
            rows.inputs[input][frame] = Self.sample(
              input, Int(range.lowerBound - startFrame) + frame)
          }
        }
      },
      before: { range in
        hands(period)
        period += 1
        endPass()
        return range.upperBound
      },
      drain: { range, rows in
        for frame in 0..<range.count {
          for output in 0..<rows.outputCount { samples.append(rows.outputs[output][frame]) }
        }
      })
    return samples
  }

  /// Plays as `play` does and plays the record again, with several periods, and gives how many
  /// samples differ from what was heard.
  func differences(
    periods: Int, mayRefuse: Bool = false, _ hands: (Int) -> Void
  ) throws -> Int {
    let heard = try play(periods: periods, hands)
    #expect(mayRefuse || hub.counters.refused.allSatisfy { $0 == 0 })
    #expect(recorder?.late(in: hub) == 0)
    #expect(heard.contains { $0 != 0 })
    var count = 0
    for period in ["64", "333", "4096"] {
      let again = try playAgain(periods: periods, options: ["--period", period])
      #expect(heard.count == again.count)
      count += zip(heard, again).count { $0.bitPattern != $1.bitPattern }
    }
    return count
  }

  /// Plays the record again with the same noise, and gives what came out.
  func playAgain(periods: Int, options: [String] = []) throws -> [Float] {
    let frames = periods * Self.period
    let writer = try WAVWriter(
      path: folder.path(of: "in.wav"), channels: shape.inputs, rate: Int(Self.rate),
      frameCount: Int64(frames))
    try Self.withRows(shape.inputs) { rows in
      for start in stride(from: 0, to: frames, by: Self.period) {
        for input in 0..<shape.inputs {
          for frame in 0..<Self.period { rows[input][frame] = Self.sample(input, start + frame) }
        }
        var counts = SampleCounts()
        try writer.write(
          frames: Self.period, from: rows, rowCount: shape.inputs, counts: &counts)
      }
      try writer.finish()
    }
    let code = CommandLineTool.run(
      [
        "crosspoint", "render", folder.path(of: "in.wav"), folder.path(of: "out.wav"), "--events",
        folder.path(of: "events"), "--outputs", "\(shape.outputs)",
      ] + options)
    try #require(code == 0)
    let reader = try WAVReader(path: folder.path(of: "out.wav"))
    var samples: [Float] = []
    try Self.withRows(shape.outputs) { rows in
      for _ in 0..<periods {
        var counts = SampleCounts()
        _ = try reader.read(
          frames: Self.period, into: rows, rowCount: shape.outputs, counts: &counts)
        for frame in 0..<Self.period {
          for output in 0..<shape.outputs { samples.append(rows[output][frame]) }
        }
      }
    }
    return samples
  }

  private static func sample(_ input: Int, _ frame: Int) -> Float { noise(input, frame) * 0.01 }

  private static func withRows(
    _ count: Int, _ body: (UnsafePointer<UnsafeMutablePointer<Float>>) throws -> Void
  ) throws {
    let rows = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: count)
    for row in 0..<count {
      (rows + row).initialize(to: UnsafeMutablePointer<Float>.allocate(capacity: period))
      rows[row].initialize(repeating: 0, count: period)
    }
    defer {
      for row in 0..<count { rows[row].deallocate() }
      rows.deallocate()
    }
    try body(rows)
  }
}
