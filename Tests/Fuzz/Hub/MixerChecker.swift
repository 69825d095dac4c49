import Control
import Handoff
import MatrixCore
import Messages
import OSC
import TextLines

/// A hub with an audio thread that only looks at what it is told, and the rules that hold for it.
final class MixerChecker {
  private static let startNanoseconds: Int64 = 1_800_000_000_000_000_000

  private let shape: MatrixShape
  private let ring: CommandRing
  private let board = EngineBoard(rate: 48_000)
  private let hub: ControlHub
  private let builder = PacketBuilder()
  private var batch = MessageBatch()
  private var batchSeconds: Double?
  private var nowNanoseconds: Int64 = 1_000_000_000
  private var lastFrame = Int64.min
  private var isInTransaction = false

  init(isLarge: Bool) {
    guard let shape = MatrixShape(inputs: isLarge ? 16 : 3, outputs: isLarge ? 16 : 1) else {
      preconditionFailure("a shape within the limits")
    }
    self.shape = shape
    ring = CommandRing(shape: shape)
    hub = ControlHub(HubConfiguration(shape: shape), ring: ring, board: board)
    hub.prepareStream(startFrame: 0)
    board.setRunning(true)
    readRing()
  }

  /// Adds a line to the batch, and performs the batch before it when that had another time.
  func take(_ line: TextLine) throws(TextError) {
    let seconds = line.words[0].number
    let message = try line.message(from: seconds == nil ? 0 : 1)
    if seconds != batchSeconds { performBatch() }
    batchSeconds = seconds
    batch.append(
      address: message.address, arguments: message.arguments.enumerated().map(Self.varied),
      time: seconds.map(tag) ?? .immediate)
  }

  /// Performs what is left and lets everything that waits become due.
  func finish() {
    performBatch()
    var passes = 0
    // Fades of groups have something to say for as long as they last; that is not waited for.
    while passes == 0 || hub.queuedTransactions > 0, passes < 100_000,
      let deadline = hub.nextDeadline
    {
      nowNanoseconds = max(nowNanoseconds, deadline)
      hub.tick(now: nowNanoseconds)
      check()
      passes += 1
    }
    precondition(hub.queuedTransactions == 0, "what waits becomes due")
  }

  func perform(_ batch: MessageBatch) {
    let arrival = Arrival(
      monotonicNanoseconds: nowNanoseconds,
      realtimeNanoseconds: Self.startNanoseconds + nowNanoseconds)
    hub.perform(batch, at: .now(arrival), from: .client(batch.messages.count % 2))
    nowNanoseconds += 700_000
    hub.tick(now: nowNanoseconds)
    check()
  }

  private func performBatch() {
    guard !batch.isEmpty else { return }
    perform(batch)
    batch.removeAll()
  }

  private func tag(seconds: Double) -> TimeTag {
    let bounded = min(max(seconds, -1e6), 1e6)
    return TimeTag(
      wallNanoseconds: Self.startNanoseconds + nowNanoseconds + Int64(bounded * 1e9))
  }

  /// Text knows whole numbers, doubles and strings; surfaces send other types too.
  private static func varied(place: Int, argument: Argument) -> Argument {
    switch argument {
    case .string("T"): .bool(true)
    case .string("F"): .bool(false)
    case .string("N"): .null
    case .string("I"): .impulse
    case .string("b"): .other(UInt8(ascii: "b"))
    case .string("nan"): .float(.nan)
    case .double(let value) where place % 2 == 0: .float(Float(value))
    default: argument
    }
  }

  private func check() {
    readRing()
    for index in 0..<shape.gainCount {
      let gain = GainID(index: Int32(index))
      let level = hub.level(of: gain)
      precondition(level >= 0 && level <= Level.maximum, "a level within its range")
      precondition(abs(hub.factor(of: gain)) <= Level.maximum, "a factor within its range")
    }
    for reply in hub.takeReplies() {
      let size = builder.withMessage(address: reply.address, arguments: reply.arguments) {
        $0.count
      }
      precondition(size != nil, "an answer fits in a datagram")
    }
  }

  private func readRing() {
    while let command = ring.peek()?.pointee {
      precondition(command.frame >= lastFrame, "frames do not go back")
      precondition(!isInTransaction || command.frame == lastFrame, "one frame a transaction")
      precondition((0..<shape.gainCount).contains(Int(command.gain.index)), "a gain of the matrix")
      // A level and its groups together: twice +10 dB, whichever of them is the fade.
      let most = Level.maximum * Level.maximum * (1 + 1e-12)
      for level in [command.fade.start, command.fade.end] {
        precondition(level >= 0, "a level")
        precondition(abs(command.factor) * level <= most, "a gain within its range")
      }
      precondition(command.fade.durationFrames >= 0, "a duration")
      lastFrame = command.frame
      isInTransaction = !command.endsTransaction
      ring.advance(by: 1)
    }
    precondition(!isInTransaction, "a transaction is published whole")
  }
}
