import CPlatform
import Handoff
import MatrixCore

/// The thread that opens, watches over and closes devices: whatever blocks or allocates.
///
/// `@unchecked Sendable`: made on the control thread, used by the keeper thread alone from its
/// start on, and by the audio thread as `AudioLoop` says.
final class Keeper: @unchecked Sendable {
  private static let firstPauseMilliseconds: Int32 = 100
  private static let longestPauseMilliseconds: Int32 = 1000
  private static let stackBytes = 512 << 10

  private let configuration: EngineConfiguration
  private let source: any AudioDeviceSource
  private let board: EngineBoard
  private let link: EngineLink
  private let cycle: RenderCycle
  private let rowTable: RowTable
  private let stack: crosspoint_stack
  /// Whether a driver never gave the audio thread back, which stands on the stack and the device for
  /// ever then; read it after the keeper thread has ended.
  private(set) var isAbandoned = false
  private var saidPriority = false
  // A show that has begun is not ended by a card that comes back otherwise than it went.
  private var hasOpened = false
  private var demotions: UInt64 = 0

  init(
    configuration: EngineConfiguration, source: any AudioDeviceSource, board: EngineBoard,
    cycle: RenderCycle, link: EngineLink
  ) {
    self.configuration = configuration
    self.source = source
    self.board = board
    self.link = link
    self.cycle = cycle
    rowTable = RowTable(renderer: cycle.renderer, board: board)
    stack = crosspoint_stack_open(Self.stackBytes)
    // Where the limit on locked memory does not allow it, the pages are only warm.
    cycle.renderer.forEachMemoryBlock {
      if let base = $0.baseAddress { _ = crosspoint_memory_lock(base, $0.count) }
    }
  }

  deinit {
    guard !isAbandoned else { return }
    crosspoint_stack_close(stack)
    cycle.renderer.forEachMemoryBlock {
      if let base = $0.baseAddress { crosspoint_memory_unlock(base, $0.count) }
    }
  }

  /// Keeps a device open until somebody stops the engine; the keeper thread.
  func run() {
    demotions = crosspoint_realtime_demotions()
    while !link.isStopping {
      guard let device = open() else { return }
      hasOpened = true
      board.count(.openedCards)
      link.report(.opened(device.description))
      guard let startFrame = waitForStart() else {
        device.close()
        return
      }
      let outcome = play(device, startFrame: startFrame)
      if isAbandoned { return }
      if outcome == .lost {
        board.count(.lostCards)
        link.report(.lost(device.lossSentence()))
      }
      device.close()
      if outcome == .finished {
        link.report(.finished)
        return
      }
      // A device that opens and is lost at once must not keep the keeper busy.
      if outcome == .lost { link.keeperWake.wait(milliseconds: Self.firstPauseMilliseconds) }
    }
  }

  /// Tries until there is a device; nil when there never will be, or somebody wants to stop.
  private func open() -> (any AudioDevice)? {
    var pause = Self.firstPauseMilliseconds
    var lastSentence = ""
    while !link.isStopping {
      do throws(DeviceError) {
        return try source.open(configuration.deviceRequest)
      } catch {
        if error.isPermanent, !hasOpened {
          link.report(.failed(error.sentence))
          return nil
        }
        if error.sentence != lastSentence {
          lastSentence = error.sentence
          link.report(.waiting(error.sentence))
        }
      }
      link.keeperWake.wait(milliseconds: pause)
      pause = min(pause * 2, Self.longestPauseMilliseconds)
    }
    return nil
  }

  /// Waits for control to say go; nil when somebody wants to stop instead.
  private func waitForStart() -> Int64? {
    while !link.isStopping {
      if let frame = link.takeStartFrame() { return frame }
      link.keeperWake.wait(milliseconds: -1)
    }
    return nil
  }

  /// Lets the audio thread have the device until the stream ends.
  private func play(_ device: any AudioDevice, startFrame: Int64) -> AudioLoop.Outcome {
    cycle.restart(atFrame: startFrame)
    let loop = AudioLoop(
      device: device, cycle: cycle, rows: rowTable.rows, board: board, link: link,
      rate: configuration.rate)
    guard let thread = EngineThread(name: "audio", stack: stack, body: { loop.run() }) else {
      board.setRunning(false)
      link.report(.waiting("The system refuses another thread; trying again."))
      link.keeperWake.wait(milliseconds: Self.longestPauseMilliseconds)
      return .stopped
    }
    while board.isRunning, link.deadline == nil {
      link.keeperWake.wait(milliseconds: 1000)
      reportPriority(loop)
    }
    // The audio thread keeps the deadline by itself, unless a driver holds it.
    var rest: Int64 = 1000
    if let deadline = link.deadline {
      rest = (deadline &- crosspoint_monotonic_ns()) / 1_000_000 &+ 50
    }
    isAbandoned = !thread.join(milliseconds: rest)
    continueClock()
    return isAbandoned ? .stopped : loop.outcome
  }

  /// Lets the line of frames go on at the nominal rate while there is no card.
  private func continueClock() {
    let now = crosspoint_monotonic_ns()
    board.setClock(
      ClockReading(
        frame: board.clock.frame(atNanoseconds: now), nanoseconds: now,
        nanosecondsPerFrame: 1e9 / Double(configuration.rate)))
  }

  private func reportPriority(_ loop: AudioLoop) {
    if !saidPriority, let refusal = loop.priorityRefusal {
      saidPriority = true
      if refusal != 0 {
        link.report(
          .priority(
            "Audio runs without real-time priority, which this user may not have, and can drop "
              + "out under load; put \"@audio - rtprio 95\" into /etc/security/limits.d/audio.conf, "
              + "join the group audio and log in again."))
      }
    }
    let now = crosspoint_realtime_demotions()
    if now != demotions {
      demotions = now
      link.report(
        .priority(
          "Audio has lost its real-time priority because it did not pause for longer than the "
            + "limit RLIMIT_RTTIME allows; choose a longer period or a smaller matrix."))
    }
  }
}
