import Control
import Handoff
import MatrixCore
import Messages
import Testing

/// A hub with clocks that stand still until a test moves them, and a ring that the test reads.
final class Rig {
  let shape: MatrixShape
  let ring: CommandRing
  let board: EngineBoard
  let hub: ControlHub
  /// Monotonic and wall time, in nanoseconds; the clock of frames starts at the first.
  var now: Int64 = 5_000_000_000
  var wall: Int64 = 1_800_000_000_000_000_000
  static let rate = 48_000.0

  init(
    inputs: Int = 16, outputs: Int = 16, taper: Taper = .x32, ringCapacity: Int? = nil,
    isRunning: Bool = true
  ) throws {
    shape = try #require(MatrixShape(inputs: inputs, outputs: outputs))
    ring =
      ringCapacity.map { CommandRing(minimumCapacity: $0) } ?? CommandRing(shape: shape)
    board = EngineBoard(rate: Self.rate)
    hub = ControlHub(
      HubConfiguration(shape: shape, rate: Self.rate, taper: taper, version: "1.2", name: "test"),
      ring: ring, board: board)
    board.setClock(
      ClockReading(frame: 0, nanoseconds: now, nanosecondsPerFrame: 1e9 / Self.rate))
    board.setRunning(isRunning)
  }

  var arrival: Arrival { Arrival(monotonicNanoseconds: now, realtimeNanoseconds: wall) }

  /// Moves both clocks and the audio thread's place in time.
  func advance(seconds: Double) {
    now += Int64((seconds * 1e9).rounded())
    wall += Int64((seconds * 1e9).rounded())
    board.setNextFrame(board.nextFrame + Int64((seconds * Self.rate).rounded()))
  }

  /// The time tag so many seconds from now.
  func tag(_ seconds: Double) -> TimeTag {
    TimeTag(wallNanoseconds: wall + Int64((seconds * 1e9).rounded()))
  }

  func perform(_ batch: MessageBatch, from source: Source = .client(1)) {
    hub.perform(batch, at: .now(arrival), from: source)
  }

  /// Sends one message.
  func send(_ address: String, _ arguments: Argument..., from source: Source = .client(1)) {
    var batch = MessageBatch()
    batch.append(address: address, arguments: arguments)
    perform(batch, from: source)
  }

  /// Sends one message whose address is given in bytes.
  func send(bytes: [UInt8], _ arguments: Argument...) {
    var batch = MessageBatch()
    bytes.withUnsafeBufferPointer { batch.append(address: $0) }
    for argument in arguments { batch.appendArgument(argument) }
    perform(batch)
  }

  /// Sends several messages as one bundle.
  func bundle(
    _ messages: [(String, [Argument])], time: TimeTag = .immediate, from source: Source = .client(1)
  ) {
    var batch = MessageBatch()
    for (address, arguments) in messages {
      batch.append(address: address, arguments: arguments, time: time)
    }
    perform(batch, from: source)
  }

  /// What has come up as replies since the last time.
  func replies() -> [Reply] { hub.takeReplies() }

  /// The code of the only reply, when it is an error.
  func errorCode() -> String? {
    let replies = replies()
    guard replies.count == 1, replies[0].isError, replies[0].arguments.count == 3,
      case .string(let code) = replies[0].arguments[1]
    else { return nil }
    return code
  }

  /// What a query of an address answers.
  func ask(_ address: String) -> [Argument]? {
    _ = replies()
    send(address)
    let replies = replies()
    guard replies.count == 1, replies[0].address == address else { return nil }
    return replies[0].arguments
  }

  /// The one number that a query of an address answers.
  func read(_ address: String) -> Float? {
    guard let values = ask(address), values.count == 1 else { return nil }
    switch values[0] {
    case .float(let value): return value
    case .int32(let value): return Float(value)
    default: return nil
    }
  }

  /// Ends the pass and takes what is in the ring.
  func commands() -> [GainCommand] {
    hub.tick(now: now)
    return drain()
  }

  /// Takes what is in the ring.
  func drain() -> [GainCommand] {
    var commands: [GainCommand] = []
    while let command = ring.peek() {
      commands.append(command.pointee)
      ring.advance(by: 1)
    }
    return commands
  }

  func level(_ input: Int, _ output: Int) -> Double {
    hub.level(of: shape.crosspoint(input: input, output: output))
  }

  /// The crosspoints that are not off, as [input, output].
  func sounding() -> [[Int]] {
    var pairs: [[Int]] = []
    for input in 0..<shape.inputs {
      for output in 0..<shape.outputs where level(input, output) != 0 {
        pairs.append([input, output])
      }
    }
    return pairs
  }
}

/// Scenes.
extension Rig {
  /// The text of the only reply, when it is an error, with its code: `scene: there is no …`.
  func errorText() -> String? {
    let replies = replies()
    guard replies.count == 1, replies[0].isError, replies[0].arguments.count == 3,
      case .string(let code) = replies[0].arguments[1],
      case .string(let text) = replies[0].arguments[2]
    else { return nil }
    return "\(code): \(text)"
  }

  /// Every level and what the switches multiply it by, in the flat numbering.
  func everything() -> [[Double]] {
    (0..<shape.gainCount).map {
      let gain = GainID(index: Int32($0))
      return [hub.level(of: gain), hub.factor(of: gain)]
    }
  }

  /// Gives every gain a level of its own and turns some switches, from a seed.
  func scatter(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var messages: [(String, [Argument])] = []
    for row in ParameterTable.rows where row.place != .mixer && row.place != .scene {
      guard [.crosspoint, .gain, .mute, .phase, .soloSafe].contains(row.parameter) else { continue }
      guard row.place != .crosspoint || row.parameter != .gain else { continue }
      for input in 0..<shape.inputs where row.place != .output && row.place != .master || input == 0
      {
        for output in 0..<shape.outputs
        where row.place != .input && row.place != .master || output == 0 {
          let target = Target(row.parameter, row.place, input: input, output: output)
          let value: Argument =
            row.unit == "switch"
            ? .bool(Int.random(in: 0..<3, using: &random) == 0)
            : .double(Double.random(in: 0...Level.maximum, using: &random))
          messages.append((ParameterTable.address(of: target), [value]))
        }
      }
    }
    bundle(messages)
  }
}
