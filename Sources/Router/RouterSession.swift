import ALSA
import CPlatform
import Control
import Engine
import Glibc
import Handoff
import Mapping
import MatrixCore
import Messages
import OSC
import Surfaces

/// A running router: the control thread's poll over sockets, signals, timers and the engine.
///
/// Everything here belongs to the control thread, which is the one that makes it and calls `run`.
package final class RouterSession {
  /// The options in force: those of the start, but for what a reload has changed.
  var options: RunOptions
  private let writer: LineWriter
  let log: Log
  let hub: ControlHub
  let server: OSCServer
  let surface: OSCSurface
  let midi: MIDISurface?
  private let engine: Engine
  private let board: EngineBoard
  let device: ChosenDevice
  private let meterReader: MeterReader
  private let listening: String
  private let signals: Int32
  private var clock = RouterClock()
  private var meters: MeterLines?
  let files: FileThread
  let keeper: StateKeeper?
  let recorder: EventRecorder?
  /// Who has asked for the configuration to be read again since that began last.
  var reloadWishes: [Source] = []
  /// Whose wish is being fulfilled.
  var reloading: [Source] = []
  /// How often the configuration was read again and taken.
  package var reloads = 0
  /// How often it was read again and refused.
  package var refusedReloads = 0
  /// How long a disk may take before it is told of.
  static let diskPatienceNanoseconds: Int64 = 5_000_000_000
  /// Whether the disk has not answered for so long, and that was said.
  var isDiskMissed = false
  private var ending: ExitCode?
  // A device that comes and goes has the same to say each time.
  private var saidWarnings: Set<String> = []

  /// The places of what is waited for beside the sockets.
  private enum Other {
    static let engine = 0
    static let signals = 1
    static let files = 2
    static let midi = 3
  }

  /// Opens the sockets, applies the address lines, the saved state and `--set`, in this order;
  /// audio is silent until `run`.
  ///
  /// `source` opens another device than the one that the options lead to.
  ///
  /// - Throws: a `StartError` when the port or the state is taken, a message is wrong or the system
  ///   has no descriptor or thread left.
  package init(
    _ options: RunOptions, writer: LineWriter, source: (any AudioDeviceSource)? = nil
  ) throws(StartError) {
    self.options = options
    self.writer = writer
    log = Log(level: options.logLevel, writer: writer)
    signals = crosspoint_signals_open()
    guard signals >= 0 else {
      throw StartError(
        code: .device,
        sentence: "The system has no file descriptor left for signals; raise the limit (ulimit -n)."
      )
    }
    server = try Self.server(options)
    listening = Self.listening(server)
    device = ChosenDevice(options)
    let shape = device.shape
    let ring = CommandRing(shape: shape)
    let meterBoard = MeterBoard(shape: shape)
    board = EngineBoard(rate: Double(options.rateHz))
    hub = ControlHub(options.mixer(shape), ring: ring, board: board)
    meterReader = MeterReader(board: meterBoard)
    surface = OSCSurface(
      server: server, hub: hub, meters: meterReader, note: Self.noting(in: log))
    // Before anything is said or connected: this is where most starts fail.
    let state = try StartState(options)
    midi = Self.midi(options, hub: hub, log: log)
    do {
      try surface.setClients(options.clients, nowNanoseconds: crosspoint_monotonic_ns())
    } catch {
      throw StartError(code: .usage, sentence: ended(error.text))
    }
    var configuration = EngineConfiguration(
      shape: shape, rate: options.rateHz, tauSeconds: options.glideMilliseconds / 1_000,
      periodFrames: options.periodFrames, periods: options.periods)
    configuration.mayDropOutputs = options.outputs == nil
    do {
      engine = try Engine(
        configuration: configuration, source: source ?? device.source, board: board, ring: ring,
        meters: meterBoard)
    } catch {
      throw StartError(code: .device, sentence: error.sentence)
    }
    do {
      files = try FileThread()
    } catch {
      throw StartError(code: .device, sentence: error.sentence)
    }
    let now = clock.now()
    var clamped = try StartMessages.apply(options.addressLines, to: hub, at: .now(now))
    if let snapshot = state.snapshot { hub.restore(snapshot) }
    clamped += try StartMessages.apply(options.settings, to: hub, at: .now(now))
    keeper = Self.keeper(of: hub, state, files, log)
    recorder = try Self.recorder(options, shape, files)
    showMeters(options.printsMeters)
    if let words = clamped.words { warn("\(words).", cause: "start") }
    for sentence in state.warnings { warn(sentence, cause: "state") }
    if let remark = state.remark { tell(remark, cause: "state") }
    noteInactiveOptions(of: options.mappings)
    hub.addObserver(
      PanicLog(hub) { [unowned surface, weak midi] in
        surface.name(of: $0) ?? midi?.name(of: $0)
      } say: { [unowned self] in
        warn($0, cause: "panic")
      })
    hub.reloads = { [unowned self] source in reload(for: source) }
    hub.statusSources.append { [unowned self] in fileCounters }
    hub.statusSources.append { [unowned surface, weak midi] in
      (surface.counters + (midi?.counters ?? [])).map {
        ($0.name, .int64(Int64(clamping: $0.value)))
      }
    }
    if let advice = server.receiveBufferAdvice { warn(advice, cause: "start") }
  }

  /// Routes until a signal comes or the device ends, then fades out.
  package func run() -> ExitCode {
    let files = files
    guard let thread = EngineThread(name: "files", body: { files.run() }) else {
      warn("The system refuses another thread for files.", cause: "device")
      return .device
    }
    do {
      try engine.start()
    } catch {
      warn(error.sentence, cause: "device")
      files.end()
      _ = thread.join(milliseconds: 1_000)
      return .device
    }
    var waiting = PollSet(
      sockets: surface.descriptors,
      others: [engine.eventDescriptor, signals, files.reportDescriptor, -1])
    while ending == nil {
      waiting.setOther(Other.midi, to: midi?.descriptor ?? -1)
      waiting.wait(untilNanoseconds: deadline(after: crosspoint_monotonic_ns()))
      pass(waiting)
    }
    // While everything fades out, what is not on the disk yet has its time.
    finishFiles()
    if !engine.stop() {
      warn("The sound card's driver did not come back; it was left behind.", cause: "device")
    }
    if !thread.join(milliseconds: 2_000) {
      warn("The disk did not answer in time and was left behind.", cause: "files")
    }
    takeReports(nowNanoseconds: crosspoint_monotonic_ns())
    tellLosses(nowNanoseconds: crosspoint_monotonic_ns())
    return ending ?? .success
  }

  /// One pass: what has arrived, what is due, what there is to say.
  private func pass(_ waiting: PollSet) {
    let now = clock.now()
    // The kernel keeps few events; they must not wait for whatever the sockets have brought.
    midi?.drain()
    if waiting.isReady(other: Other.engine) { takeEvents() }
    if waiting.hasReadySocket { surface.receive(now: now) }
    if waiting.isReady(other: Other.signals) { takeSignals() }
    if waiting.isReady(other: Other.files) { takeReports(nowNanoseconds: now.monotonicNanoseconds) }
    surface.serve(now: now)
    if let midi, midi.hasWaiting { midi.receive(now: now) }
    hub.tick(now: now.monotonicNanoseconds)
    keeper?.tick(nowNanoseconds: now.monotonicNanoseconds)
    recorder?.tick()
    watchFiles(nowNanoseconds: now.monotonicNanoseconds)
    deliverReplies(now: now)
    meterReader.tick(now: now.monotonicNanoseconds)
    surface.tick(now: now.monotonicNanoseconds)
    midi?.tick(now: now.monotonicNanoseconds)
    if let line = meters?.line(nowNanoseconds: now.monotonicNanoseconds) {
      writer.write(line, to: .output)
    }
    log.tick(nowNanoseconds: now.monotonicNanoseconds)
  }

  private func deliverReplies(now: Arrival) {
    for reply in hub.takeReplies() {
      switch reply.source {
      case .client: surface.send(reply, now: now)
      case .device: midi?.take(reply)
      case .local: break
      }
    }
  }

  /// Until when to wait, on the monotonic clock in nanoseconds.
  private func deadline(after now: Int64) -> Int64 {
    // What is bounded in a pass goes on in the next one, after everybody else.
    if midi?.hasWaiting == true || surface.hasWaiting { return now }
    var deadline = hub.nextDeadline ?? .max
    if let meters { deadline = min(deadline, meters.deadlineNanoseconds) }
    if let save = keeper?.deadline { deadline = min(deadline, save) }
    if let files = filesDeadline { deadline = min(deadline, files) }
    if log.isHoldingBack { deadline = min(deadline, now + 1_000_000_000) }
    // Clients and devices may be told a little late, in whole milliseconds from now, which spares
    // passes that have little to tell.
    let told = [surface.nextDeadline, meterReader.nextDeadline, midi?.nextDeadline]
    guard let next = told.lazy.compactMap({ $0 }).min() else { return deadline }
    // What has waited since the start lies as far back as a number can.
    let milliseconds = (max(now, next) - now + 999_999) / 1_000_000
    return min(deadline, now + milliseconds * 1_000_000)
  }

  // MARK: The engine

  private func takeEvents() {
    while let event = engine.nextEvent() {
      switch event {
      case .opened(let description): start(description)
      case .waiting(let reason): wait(reason)
      case .lost(let reason): warn(reason, cause: "device")
      case .failed(let reason):
        warn(reason, cause: "device")
        ending = .device
      case .finished: ending = .success
      case .priority(let sentence): warn(sentence, cause: "priority")
      }
    }
  }

  private func start(_ description: DeviceDescription) {
    hub.periodFrames = description.periodFrames
    var startFrame = engine.startFrame
    if let recorder {
      startFrame = EventRecorder.startFrame(notBefore: startFrame)
      recorder.begin(atFrame: startFrame, hub)
      hub.recorder = recorder
    }
    hub.prepareStream(startFrame: startFrame)
    engine.go(startFrame: startFrame)
    for warning in description.warnings where saidWarnings.insert(warning).inserted {
      warn(warning, cause: "device")
    }
    let shape = device.shape
    writer.write(
      "ready: \(shape.inputs) x \(shape.outputs) on \(description.name)\(device.remark), "
        + "\(description.rate) Hz, period \(description.periodFrames) frames, \(listening)",
      to: .output)
  }

  private func wait(_ reason: String) {
    guard options.waitsForDevice else {
      warn(reason, cause: "device")
      ending = .device
      return
    }
    writer.write("waiting: \(reason) \(listening)", to: .output)
  }

  private func takeSignals() {
    while case let signal = crosspoint_signals_take(signals), signal != 0 {
      if signal == SIGHUP { reload(for: .local) } else { ending = .success }
    }
  }

  /// Begins or ends the line of levels.
  func showMeters(_ isOn: Bool) {
    guard isOn != (meters != nil) else { return }
    let now = crosspoint_monotonic_ns()
    let others = meterReader.listeners.filter { $0 !== meters?.tally }
    meters = isOn ? MeterLines(shape: device.shape, nowNanoseconds: now) : nil
    meterReader.use(others + [meters?.tally].compactMap { $0 }, now: now)
  }

  func warn(_ sentence: String, cause: String) {
    log.say(sentence, .warning, cause: cause, nowNanoseconds: crosspoint_monotonic_ns())
  }

  /// Says which words of mappings are not active yet.
  func noteInactiveOptions(of mappings: [Mapping]) {
    for note in mappings.compactMap(\.inactiveOptions) { tell(note, cause: "mapping") }
  }

  func tell(_ sentence: String, cause: String) {
    log.say(sentence, .info, cause: cause, nowNanoseconds: crosspoint_monotonic_ns())
  }

  private static func noting(in log: Log) -> (SurfaceNote) -> Void {
    { note in
      let level: LogLevel =
        switch note.cause {
        case .malformed, .flood, .midi: .warning
        case .refused, .device: .info
        }
      log.say(
        note.text, level, cause: note.cause.rawValue, nowNanoseconds: crosspoint_monotonic_ns())
    }
  }

  // MARK: MIDI

  /// The sequencer with the devices; without one the router does without, and says so to who
  /// asked for it.
  private static func midi(_ options: RunOptions, hub: ControlHub, log: Log) -> MIDISurface? {
    do throws(SequencerError) {
      let sequencer = try Sequencer(name: options.name)
      return MIDISurface(
        sequencer: sequencer, mappings: options.mappings, hub: hub, note: noting(in: log))
    } catch {
      if !options.mappings.isEmpty {
        log.say(
          error.sentence, .warning, cause: "start", nowNanoseconds: crosspoint_monotonic_ns())
      }
      return nil
    }
  }

  // MARK: Sockets

  private static func server(_ options: RunOptions) throws(StartError) -> OSCServer {
    var server = OSCServerOptions()
    server.port = UInt16(truncatingIfNeeded: options.oscPort)
    server.listenAddresses = options.listen.map { [$0] } ?? []
    do {
      for text in options.allow { server.allowedRanges.append(try AddressRange(text)) }
      return try OSCServer(server)
    } catch {
      throw StartError(code: .socket, sentence: ended(error.description))
    }
  }

  private static func listening(_ server: OSCServer) -> String {
    "OSC on " + server.boundAddresses.map(\.description).joined(separator: " and ")
  }
}
