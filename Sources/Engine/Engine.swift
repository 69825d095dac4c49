import CPlatform
import Handoff
import MatrixCore

/// The engine: keeps a device open, renders while there is one, and says what happens.
///
/// Owned by the control thread, which calls all of it. It starts a keeper thread, and that one
/// starts an audio thread whenever it has a device.
public final class Engine {
  /// How long a stream may take to fade out after `stop`, in milliseconds.
  private static let fadeOutMilliseconds: Int64 = 700

  private let board: EngineBoard
  private let link: EngineLink
  private let keeper: Keeper
  private var thread: EngineThread?

  /// Makes an engine that does not run yet.
  ///
  /// Throws when the process has no file descriptors left. The line of frames begins here.
  public init(
    configuration: EngineConfiguration, source: any AudioDeviceSource, board: EngineBoard,
    ring: CommandRing, meters: MeterBoard
  ) throws(DeviceError) {
    self.board = board
    link = try EngineLink()
    let renderer = Renderer(
      shape: configuration.shape, rate: Double(configuration.rate),
      tauSeconds: configuration.tauSeconds, maximumFrames: configuration.maximumFrames)
    let cycle = RenderCycle(renderer: renderer, ring: ring, board: board, meters: meters)
    keeper = Keeper(
      configuration: configuration, source: source, board: board, cycle: cycle, link: link)
    board.setClock(
      ClockReading(
        frame: Double(board.nextFrame), nanoseconds: crosspoint_monotonic_ns(),
        nanosecondsPerFrame: 1e9 / Double(configuration.rate)))
  }

  deinit {
    stop()
  }

  /// Starts to look for the device; `nextEvent` tells what comes of it.
  ///
  /// Throws when the system refuses another thread.
  public func start() throws(DeviceError) {
    precondition(thread == nil, "an engine starts once")
    crosspoint_realtime_guard()
    let keeper = keeper
    guard let started = EngineThread(name: "keeper", body: { keeper.run() }) else {
      throw DeviceError("The system refuses another thread for the engine.", isPermanent: true)
    }
    thread = consume started
  }

  /// Becomes readable when there is an event; `nextEvent` makes it unreadable again.
  public var eventDescriptor: Int32 { link.eventDescriptor }

  /// The oldest event that has not been taken yet.
  public func nextEvent() -> EngineEvent? {
    link.nextEvent()
  }

  /// The frame that a stream would begin with now: a multiple of 64 that no frame has reached.
  public var startFrame: Int64 {
    board.clock.startFrame(
      atNanoseconds: crosspoint_monotonic_ns(), earliest: board.nextFrame)
  }

  /// Starts the device of the last `opened` event, once, with a frame from `startFrame`.
  ///
  /// By then the ring holds every gain; from now on changes go through the ring again.
  public func go(startFrame: Int64) {
    precondition(startFrame >= board.nextFrame, "frames never go back")
    board.setNextFrame(startFrame)
    board.setRunning(true)
    link.go(startFrame: startFrame)
  }

  /// Fades out what sounds, closes the device and ends the threads: less than a second in every
  /// state.
  ///
  /// Answers false when a driver did not give a thread back in time; it is left behind then, and
  /// the program had better end.
  @discardableResult
  public func stop() -> Bool {
    guard let thread = thread.take() else { return true }
    let now = crosspoint_monotonic_ns()
    link.stop(deadline: now &+ Self.fadeOutMilliseconds &* 1_000_000)
    guard thread.join(milliseconds: Self.fadeOutMilliseconds + 200) else { return false }
    return !keeper.isAbandoned
  }
}
