import Handoff
import MatrixCore
import Messages

/// The one place where a change is checked and applied.
///
/// Whatever carries a message (OSC, a configuration, an event file, a MIDI mapping) hands it to
/// `perform`. Data travels one way: an address is found in the table, the arguments are checked
/// against it and become operations, operations change the state, and what changed leaves for the
/// audio thread as gain commands. A batch is taken whole or refused whole.
///
/// Control thread only. Call `tick` at the end of every pass over what has arrived, and when
/// `nextDeadline` comes: changes that are to sound as soon as possible are collected over a pass
/// and leave with it.
public final class ControlHub {
  /// How much earlier than a time tag's frame is rendered its changes are applied, beside a period.
  package static let leadNanoseconds: Int64 = 3_000_000
  /// How far ahead a time tag may lie.
  package static let horizonNanoseconds: Int64 = 60_000_000_000
  /// A stream that begins so many frames later, or a multiple of them, is sent the very same
  /// commands.
  public static var alignmentFrames: Int64 { MixState.pieceFrames }
  /// The most bytes of a UDP datagram.
  static let largestDatagramBytes = 65_507
  /// The most replies that wait for the caller.
  static let maximumReplies = 65_536

  /// What it is to read a batch at all, and what it is to make and send a reply.
  private static let workOfBatch = 8
  private static let workOfReply = 12

  let configuration: HubConfiguration
  let board: EngineBoard
  let outbox: Outbox
  /// All levels, switches and names.
  package let state: MixState

  var tally = HubCounters()
  var draft: Draft
  var hands = Hands()
  var history: UndoHistory
  var drift: SceneDrift
  /// What is safe as it is answered, once somebody has asked, and the revision that it is of.
  var safeAnswer: (revision: Int, lists: [[Argument]])?
  /// Whether changes are compared with the current scene one by one; off while a recall makes many,
  /// and then measures.
  var isDriftFollowed = true
  private var queue: FutureQueue
  private var waitingReplies: [Reply] = []
  private var lastTickNanoseconds: Int64 = 0
  /// What was restored of channels that this matrix does not have.
  var rest: MixerSnapshot?
  /// Whether what is being applied has been recorded as it came.
  var isRecorded = false

  /// Who writes down what is applied, so that it can be applied again.
  ///
  /// While there is somebody, changes begin a period later than they could: then what is written
  /// is the frame on which they really began. See `lateTransactions`.
  public var recorder: (any HubRecorder)? {
    didSet { hasRecorder = recorder != nil }
  }

  /// Whether there is a recorder.
  ///
  /// A recall asks for every gain, and to look at what is public costs a good part of all else that is
  /// done for one.
  private(set) var hasRecorder = false

  /// Who is asked to read the configuration again, and on whose wish.
  public var reloads: ((Source) -> Void)?

  /// How much has been done for what has come: about as many changes, of some hundred nanoseconds
  /// each, as would take as long.
  package var work = 0

  /// How many changes there have been.
  public var revision: UInt64 { changeCount }
  private var changeCount: UInt64 = 0

  /// Who is told of every change.
  private(set) var observers: [any HubObserver] = []

  /// What the engine does, as observers were told last.
  var toldEngineState: EngineState

  /// Who does what clients ask for themselves; without anybody it is passed over.
  public weak var clientRequests: (any ClientRequests)?

  /// What the operation that is being applied says, when its source knows the outcome.
  var said: (target: Target, isLevel: Bool)?

  /// How many frames the card takes at a time; set it when a card is opened.
  public var periodFrames: Int

  /// More names and values for `/engine/status`, from whoever else counts.
  public var statusSources: [() -> [(name: String, value: Argument)]] = []

  /// Makes the hub of a matrix at rest: crosspoints off, all else at unity.
  ///
  /// The ring must have room for two transactions of every gain, as `CommandRing(shape:)` has.
  public init(_ configuration: HubConfiguration, ring: CommandRing, board: EngineBoard) {
    precondition(configuration.rate > 0, "a rate in Hz")
    self.configuration = configuration
    self.board = board
    toldEngineState = EngineState(board)
    state = MixState(shape: configuration.shape, dimDB: configuration.dimDB)
    outbox = Outbox(shape: configuration.shape, ring: ring, board: board)
    periodFrames = configuration.periodFrames
    let maximumOperations = Self.maximumOperations(configuration.shape)
    draft = Draft(
      configuration: configuration,
      tree: AddressTree(shape: configuration.shape, names: state.names), state: state,
      maximumOperations: maximumOperations, groupTable: state.groupTable,
      pairs: state.pairs)
    history = UndoHistory(
      shape: configuration.shape, pauseFrames: configuration.undoPauseSeconds * configuration.rate)
    drift = SceneDrift(shape: configuration.shape)
    queue = FutureQueue(maximumEntries: 8_192, maximumOperations: 2 * maximumOperations)
  }

  /// The most operations of one batch, and of all that wait for their time.
  static func maximumOperations(_ shape: MatrixShape) -> Int { 2 * shape.gainCount + 16_384 }

  // MARK: Changes

  /// Takes what arrived together: one datagram, or the lines of one moment of a text.
  ///
  /// Messages of one time are one transaction and begin on the same frame. If one of our messages
  /// is wrong, none of the batch is applied and the sender gets an `/error`.
  public func perform(_ batch: MessageBatch, at moment: Moment, from source: Source) {
    // The operations are gone from the draft by the time that they have been applied.
    defer { work += Self.workOfBatch + 2 * batch.messages.count + draft.strain }
    do throws(Refusal) {
      defer { work += draft.transaction.weight }
      try draft.read(batch)
      if case .now(let arrival) = moment { try schedule(arrival, source) }
    } catch {
      refuse(batch.messages[draft.messageNumber], of: batch, error, at: moment, from: source)
      return
    }
    tally.acceptedBatches += 1
    tally.acceptedMessages += batch.messages.count
    // The operations are taken out while they are applied, so that nothing copies them.
    var transaction = Transaction()
    swap(&transaction, &draft.transaction)
    switch moment {
    case .frame(let frame):
      apply(transaction, all(transaction), atFrame: outbox.open(atFrame: frame, state), source)
    case .now(let arrival):
      apply(transaction, arrival, source)
    }
    swap(&transaction, &draft.transaction)
  }

  /// Applies what is due and hands everything that has changed to the audio side.
  ///
  /// `now` is monotonic time in nanoseconds.
  public func tick(now: Int64) {
    lastTickNanoseconds = now
    tellEngineState(by: .local)
    release(until: now + lead)
    passWaypoints(until: now + lead)
    outbox.flush(state)
  }

  /// The monotonic time, in nanoseconds, at which `tick` has something to do, or nothing.
  public var nextDeadline: Int64? {
    var due = queue.firstDeadline.map { $0 - lead }
    if let waypoint = outbox.nextWaypoint {
      due = min(due ?? .max, board.clock.nanoseconds(atFrame: Double(waypoint)) - lead)
    }
    guard outbox.count > 0, board.isRunning else { return due }
    return min(due ?? .max, lastTickNanoseconds + periodNanoseconds)
  }

  /// The frame on which something moving has to be told anew, or nothing.
  ///
  /// `tick` sees to it by the clock. Who renders without one calls `passWaypoint` before that frame
  /// is rendered, ahead of what happens on it, and `flush` instead of `tick`.
  public var nextWaypointFrame: Int64? { outbox.nextWaypoint }

  /// Tells the audio side anew of what has to be on `nextWaypointFrame`.
  public func passWaypoint() {
    guard let frame = outbox.nextWaypoint else { return }
    _ = outbox.open(atFrame: frame, state)
    outbox.flush(state)
  }

  /// Hands everything that has changed to the audio side, and nothing that is still to come.
  public func flush() {
    outbox.flush(state)
  }

  /// Fills the ring for a card that is about to be handed over; no audio thread may read it now.
  ///
  /// The ring is emptied and every gain goes into it on the stream's first frame, but for
  /// crosspoints that are off, as the renderer has them after a restart.
  public func prepareStream(startFrame: Int64) {
    let shape = state.shape
    for index in 0..<shape.gainCount {
      let gain = GainID(index: Int32(index))
      let fade = state.fade(of: gain)
      if index < shape.crosspointCount, fade.end == 0, fade.hasEnded(by: startFrame) { continue }
      outbox.add(gain)
    }
    outbox.restart(atFrame: startFrame, state)
  }

  /// Forgets a client that is gone: its hands are off everything.
  public func forget(_ source: Source) {
    hands.forget(source)
    history.endGesture(of: source)
  }

  // MARK: What can be seen

  /// Tells somebody of every change from now on.
  public func addObserver(_ observer: any HubObserver) {
    observers.append(observer)
  }

  /// Counts a change and tells the observers.
  func changed(_ target: Target, by source: Source) {
    changeCount += 1
    if hasRecorder { recordChange(of: target) }
    for observer in observers { observer.hubChanged(target, by: source) }
  }

  /// Tells the observers of a hand that has let go.
  func released(_ gain: GainID, by source: Source) {
    for observer in observers { observer.hubReleased(gain, by: source) }
  }

  /// Counts a change of a gain's level or switch and tells the observers.
  func changed(_ parameter: Parameter, of gain: GainID, by source: Source) {
    guard !observers.isEmpty || hasRecorder else {
      changeCount += 1
      return
    }
    changed(Target(parameter, of: gain, in: state.shape), by: source)
  }

  /// What has been counted.
  public var counters: HubCounters {
    var counters = tally
    counters.resends = outbox.resends
    counters.clamped += draft.clamped
    counters.foreignMessages = draft.foreignMessages
    counters.ignoredAnswers = draft.ignoredAnswers
    counters.ignoredReleases = draft.ignoredReleases
    return counters
  }

  /// How many transactions wait for their time.
  public var queuedTransactions: Int { queue.count }

  /// Whether gains wait because audio stands still or the ring was full.
  public var hasOverdueGains: Bool { outbox.isOverdue }

  /// The level that a gain has or is on its way to, as linear gain.
  public func level(of gain: GainID) -> Double { state.level(of: gain) }

  /// What switches and groups multiply a gain's level by; a group on its way counts as there.
  public func factor(of gain: GainID) -> Double { state.factor(of: gain) }

  /// Whether a hand is on a gain.
  public func isTouched(_ gain: GainID) -> Bool { hands.isOn(gain) }

  // MARK: Replies

  /// The replies that have come up since the last time, in their order.
  public func takeReplies() -> [Reply] {
    guard !waitingReplies.isEmpty else { return [] }
    defer { waitingReplies = [] }
    return waitingReplies
  }

  func send(
    _ source: Source, _ address: String, _ arguments: [Argument], isForListener: Bool = false
  ) {
    guard waitingReplies.count < Self.maximumReplies else {
      tally.droppedReplies += 1
      return
    }
    work += Self.workOfReply
    waitingReplies.append(
      Reply(
        source: source, address: address, arguments: arguments, isForListener: isForListener))
  }

  // MARK: Times

  /// How far ahead of its deadline a transaction is applied.
  package var lead: Int64 { periodNanoseconds + Self.leadNanoseconds }

  private var periodNanoseconds: Int64 {
    Int64(Double(periodFrames) * 1e9 / configuration.rate)
  }

  private func schedule(_ arrival: Arrival, _ source: Source) throws(Refusal) {
    let ahead = try draft.schedule(arrival, horizon: Self.horizonNanoseconds)
    if ahead.entries > 0,
      let refusal = queue.refusal(
        entries: ahead.entries, operations: ahead.operations, of: source)
    {
      throw refusal
    }
    tally.lateTransactions += ahead.late
  }

  private func apply(_ transaction: Transaction, _ arrival: Arrival, _ source: Source) {
    let now = arrival.monotonicNanoseconds
    release(until: now)
    var begin = 0
    for group in draft.groups where group.end > begin {
      let part = begin..<group.end
      begin = group.end
      if group.isFuture {
        tally.queuedTransactions += 1
        queue.insert(transaction.part(part), deadline: group.deadline, source: source)
      } else {
        apply(transaction, part, atFrame: outbox.open(atFrame: frame(at: now), state), source)
      }
    }
    release(until: now + lead)
  }

  private func release(until limit: Int64) {
    while let deadline = queue.firstDeadline, deadline <= limit {
      let entry = queue.removeFirst()
      let next = board.isRunning ? firstFrame : 0
      let frame = outbox.open(atFrame: max(next, clockFrame(at: deadline)), state)
      apply(entry.transaction, all(entry.transaction), atFrame: frame, entry.source)
    }
  }

  private func passWaypoints(until limit: Int64) {
    guard var waypoint = outbox.nextWaypoint else { return }
    let last = clockFrame(at: limit)
    let next = board.isRunning ? board.nextFrame : 0
    while waypoint <= last {
      _ = outbox.open(atFrame: max(next, waypoint), state)
      guard let following = outbox.nextWaypoint, following > waypoint else { return }
      waypoint = following
    }
  }

  /// The frame on which a change begins that is to begin as soon as possible.
  func frame(at now: Int64) -> Int64 {
    board.isRunning ? firstFrame : clockFrame(at: now)
  }

  /// The first frame that a change can reach while audio runs.
  private var firstFrame: Int64 {
    board.nextFrame + (hasRecorder ? Int64(periodFrames) : 0)
  }

  private func clockFrame(at now: Int64) -> Int64 {
    Int64(min(max(0, board.clock.frame(atNanoseconds: now).rounded()), 9e15))
  }

  private func all(_ transaction: Transaction) -> Range<Int> {
    0..<transaction.operations.count
  }

  private func apply(
    _ transaction: Transaction, _ part: Range<Int>, atFrame frame: Int64, _ source: Source
  ) {
    let isWholeGesture = part.contains { transaction.operations[$0].isWholeGesture }
    if isWholeGesture { history.endGesture(of: source) }
    for number in part {
      if hasRecorder {
        record(transaction.operations[number], transaction.payload, atFrame: frame)
      }
      apply(transaction.operations[number], transaction.payload, atFrame: frame, source)
      isRecorded = false
    }
    if isWholeGesture { history.endGesture(of: source) }
    tellCurrentScene(by: source)
  }
}
