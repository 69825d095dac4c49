import Control
import Engine
import Handoff
import MatrixCore
import Messages
import TestSupport

/// How late a thread wakes up: the quantiles that were measured, and evenly in between.
struct WakeUps {
  /// With real-time priority, on a virtual machine with two processors.
  static let realTime: [(share: Double, microseconds: Double)] = [
    (0, 8), (0.5, 26), (0.99, 92), (0.999, 891), (1, 2000),
  ]
  /// Without it.
  static let ordinary: [(share: Double, microseconds: Double)] = [
    (0, 20), (0.5, 78), (0.99, 117), (0.999, 1672), (1, 2777),
  ]

  private let quantiles: [(share: Double, microseconds: Double)]
  private var random: SeededGenerator

  init(_ quantiles: [(share: Double, microseconds: Double)], seed: UInt64) {
    self.quantiles = quantiles
    random = SeededGenerator(seed: seed)
  }

  /// How late the next one is, in nanoseconds.
  mutating func next() -> Int64 {
    let share = Double(random.next() >> 11) * 0x1p-53
    let place = quantiles.firstIndex { share < $0.share } ?? quantiles.count - 1
    let (below, above) = (quantiles[place - 1], quantiles[place])
    let part = (share - below.share) / (above.share - below.share)
    return Int64(1000 * (below.microseconds + part * (above.microseconds - below.microseconds)))
  }

  /// How late they usually are, in nanoseconds.
  ///
  /// The mean of all but the one in a hundred that is very late. By so much the whole line of frames
  /// lies behind the card's own, as by any other latency.
  var usual: Double {
    zip(quantiles, quantiles.dropFirst()).filter { $1.share <= 0.99 }.reduce(0) {
      $0 + ($1.1.share - $1.0.share) * ($1.0.microseconds + $1.1.microseconds) * 500 / 0.99
    }
  }
}

/// A router in virtual time: the real clock, hub, ring and render cycle, on a card whose clock is off,
/// with threads that wake up late, and a client that sends bundles ahead of their time.
///
/// The n-th bundle moves one of eight crosspoints, each of which has come to rest by its next turn.
final class VirtualSession {
  static let outputs = 8
  private static let rate = 48_000.0
  private static let start: Int64 = 777_123_456_789
  private static let wallOffset: Int64 = 1_800_000_000_000_000_000
  private static let spacing: Int64 = 50_000_000
  private static let latency: Int64 = 200_000_000

  private let periodFrames: Int
  private let board = EngineBoard(rate: rate)
  private let hub: ControlHub
  private let renderer: Renderer
  private let cycle: RenderCycle
  private var loop = DelayLockedLoop(rate: rate)
  private var audio: WakeUps
  private var control: WakeUps
  private var network: SeededGenerator
  private let trueNanosecondsPerFrame: Double

  private var levels = [Float](repeating: 0, count: outputs)
  private var waiting = [[(frame: Double, seconds: Double)]](repeating: [], count: outputs)
  private var heard = [Float](repeating: 0, count: outputs)
  private var isAtRest = [Bool](repeating: true, count: outputs)
  private var sent: Int64 = 0
  private var arrival: Int64 = 0

  /// How many frames later than its true one each bundle's change began, and when its time was, in
  /// seconds from the start.
  private(set) var landings: [(seconds: Double, lateFrames: Double)] = []
  /// Bundles that have been sent.
  var sentCount: Int { Int(sent) }
  /// Bundles that arrived after their time.
  var lateCount: Int { hub.counters.lateTransactions }

  init(
    ppm: Double, periodFrames: Int, wakeUps: [(share: Double, microseconds: Double)], seed: UInt64
  ) {
    let matrix = shape(1, Self.outputs)
    let ring = CommandRing(shape: matrix)
    self.periodFrames = periodFrames
    hub = ControlHub(
      HubConfiguration(shape: matrix, rate: Self.rate, periodFrames: periodFrames), ring: ring,
      board: board)
    renderer = Renderer(
      shape: matrix, rate: Self.rate, tauSeconds: 0.005, maximumFrames: periodFrames)
    cycle = RenderCycle(
      renderer: renderer, ring: ring, board: board, meters: MeterBoard(shape: matrix))
    audio = WakeUps(wakeUps, seed: seed)
    control = WakeUps(WakeUps.ordinary, seed: seed + 1)
    network = SeededGenerator(seed: seed + 2)
    trueNanosecondsPerFrame = 1e9 / (Self.rate * (1 + ppm * 1e-6))
    renderer.inputRow(0).update(repeating: 1, count: periodFrames)
    board.setClock(
      ClockReading(
        frame: 0, nanoseconds: Self.start, nanosecondsPerFrame: 1e9 / Self.rate))
    hub.prepareStream(startFrame: 0)
    cycle.restart(atFrame: 0)
    board.setRunning(true)
  }

  /// Runs for so many seconds of the card's time.
  func run(seconds: Double) {
    let end = Self.start + Int64(seconds * 1e9)
    var audioTime = due(frame: 0) + audio.next()
    arrival = sendTime(0) + delay()
    var controlTime = arrival + control.next()
    while min(audioTime, controlTime) < end {
      if audioTime <= controlTime {
        renderPeriod(now: audioTime)
        // A thread that is late by more than a period finds the next one waiting.
        audioTime = max(due(frame: cycle.position) + audio.next(), audioTime + 20_000)
      } else {
        receive(now: controlTime)
        hub.tick(now: controlTime)
        let next = min(arrival, hub.nextDeadline ?? .max)
        controlTime = max(next, controlTime) + control.next()
      }
    }
  }

  /// When the card has a period that begins with a frame, which is when that frame can be rendered.
  private func due(frame: Int64) -> Int64 {
    Self.start + Int64((Double(frame) * trueNanosecondsPerFrame).rounded())
  }

  /// The frame that is rendered at a time, by the card's own clock and as late as usual.
  private func trueFrame(atNanoseconds time: Int64) -> Double {
    (Double(time - Self.start) - audio.usual) / trueNanosecondsPerFrame
  }

  private func sendTime(_ number: Int64) -> Int64 {
    Self.start + 1_000_000_000 + number * Self.spacing
  }

  private func delay() -> Int64 { Int64(network.next() % 1_000_000) }

  private func receive(now: Int64) {
    while arrival <= now {
      let output = Int(sent % Int64(Self.outputs))
      let level: Float = levels[output] == 0.2 ? 0.8 : 0.2
      let time = sendTime(sent) + Self.latency
      var batch = MessageBatch()
      batch.append(
        address: "/matrix/in/0/out/\(output)", arguments: [.float(level)],
        time: TimeTag(wallNanoseconds: time + Self.wallOffset))
      let moment = Arrival(
        monotonicNanoseconds: now, realtimeNanoseconds: now + Self.wallOffset)
      hub.perform(batch, at: .now(moment), from: .client(1))
      levels[output] = level
      let seconds = Double(time - Self.start) * 1e-9
      waiting[output].append((trueFrame(atNanoseconds: time), seconds))
      sent += 1
      arrival = sendTime(sent) + delay()
    }
  }

  private func renderPeriod(now: Int64) {
    let position = cycle.position
    board.setClock(loop.update(frame: position, nanoseconds: now))
    cycle.render(frames: periodFrames)
    for output in 0..<Self.outputs {
      let row = renderer.outputRow(output)
      let last = row[periodFrames - 1]
      if isAtRest[output] {
        guard let frame = (0..<periodFrames).first(where: { row[$0] != heard[output] }) else {
          continue
        }
        let bundle = waiting[output].removeFirst()
        landings.append((bundle.seconds, Double(position + Int64(frame)) - bundle.frame))
        isAtRest[output] = false
      }
      isAtRest[output] = last == levels[output] && last == row[0]
      heard[output] = last
    }
  }
}
