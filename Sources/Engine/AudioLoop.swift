import CPlatform
import Handoff
import MatrixCore
import Synchronization

/// What the audio thread does between getting a ready device and giving it back.
///
/// It never allocates, locks, logs, opens or frees: everything that it needs is here before it
/// starts, and what it has to say it leaves in atomics.
///
/// `@unchecked Sendable`: the keeper makes it and reads it again after the thread has ended; in
/// between only the audio thread uses it.
final class AudioLoop: @unchecked Sendable {
  /// How a stream ended.
  enum Outcome {
    /// The device is gone.
    case lost
    /// Nothing more will come.
    case finished
    /// Somebody wanted it to stop.
    case stopped
  }

  /// The priority that is asked for: below the kernel's own sound threads, above everything else.
  private static let priority: Int32 = 70

  private let device: any AudioDevice
  private let cycle: RenderCycle
  private let rows: AudioRows
  private let board: EngineBoard
  private let link: EngineLink
  private let rate: Double
  private let latencyFrames: Int
  private var loop: DelayLockedLoop
  // The error number of a refused priority, 0 for a granted one, -1 while nobody knows.
  private let refusal = Atomic<Int32>(-1)

  /// How the stream ended; read it after the thread has.
  private(set) var outcome = Outcome.stopped

  init(
    device: any AudioDevice, cycle: RenderCycle, rows: AudioRows, board: EngineBoard,
    link: EngineLink, rate: Int
  ) {
    self.device = device
    self.cycle = cycle
    self.rows = rows
    self.board = board
    self.link = link
    self.rate = Double(rate)
    latencyFrames = device.description.outputLatencyFrames
    loop = DelayLockedLoop(rate: Double(rate))
  }

  /// Why real-time priority was refused: an error number, 0 when it was not, nil when that is not
  /// known yet.
  var priorityRefusal: Int32? {
    let value = refusal.load(ordering: .acquiring)
    return value < 0 ? nil : value
  }

  /// Runs until the stream ends; the audio thread.
  func run() {
    refusal.store(crosspoint_realtime_enter(Self.priority), ordering: .releasing)
    link.keeperWake.signal()
    outcome = device.start() == .lost ? .lost : stream()
    device.halt()
    board.setRunning(false)
    crosspoint_realtime_leave()
    link.keeperWake.signal()
  }

  private func stream() -> Outcome {
    var silentFrames = 0
    while true {
      let deadline = link.deadline
      if let deadline {
        cycle.close()
        if crosspoint_monotonic_ns() >= deadline { return .stopped }
      }
      switch device.wait(wake: link.audioWake.descriptor) {
      case .ready(let frames):
        let wasSilent = cycle.isSilent
        let step = render(frames: frames)
        if step == .lost { return .lost }
        if step == .finished { return .finished }
        if deadline != nil, wasSilent {
          // What is still in the card's buffer is the end of the fade: let it be heard.
          silentFrames &+= frames
          if silentFrames >= latencyFrames { return .stopped }
        }
      case .woken:
        link.audioWake.clear()
      case .restarted:
        restarted()
      case .finished:
        return .finished
      case .lost:
        return .lost
      }
    }
  }

  /// Carries one period in, through the renderer and out; answers what the device made of it.
  private func render(frames: Int) -> DeviceStep {
    let now = crosspoint_monotonic_ns()
    let cpuBefore = crosspoint_thread_cpu_ns()
    board.setClock(loop.update(frame: cycle.position, nanoseconds: now))
    var step = device.read(frames: frames, into: rows)
    if case .ready = step {
      cycle.render(frames: frames)
      step = device.write(frames: frames, from: rows)
    }
    if step == .restarted { restarted() }
    let used = Double(crosspoint_thread_cpu_ns() &- cpuBefore)
    let share = Float(used * rate * 1e-9 / Double(max(1, frames)))
    // About the last sixteen periods.
    board.setLoad(board.load + (share - board.load) * 0.0625)
    return step
  }

  private func restarted() {
    board.count(.xruns)
    loop.relock()
  }
}
