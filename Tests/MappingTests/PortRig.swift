import Control
import Handoff
import MIDI
import Mapping
import MatrixCore
import Messages
import Testing
import TextLines

/// A device on a mixer whose clocks stand still until a test moves them, from bytes to the ring.
final class PortRig {
  static let rate = 48_000.0

  let shape: MatrixShape
  let ring: CommandRing
  let board: EngineBoard
  let hub: ControlHub
  private(set) var ports: [MappedPort]
  private var reader = MIDIByteReader()
  private var batch = MessageBatch()
  /// Monotonic time, in nanoseconds; the clock of frames starts there.
  private(set) var now: Int64 = 5_000_000_000
  /// Events that no line listened to.
  private(set) var unheard = 0

  init(
    _ lines: [MappingLine], inputs: Int = 16, outputs: Int = 16, taper: Taper = .x32
  ) throws {
    shape = try #require(MatrixShape(inputs: inputs, outputs: outputs))
    ring = CommandRing(shape: shape)
    board = EngineBoard(rate: Self.rate)
    hub = ControlHub(
      HubConfiguration(shape: shape, rate: Self.rate, taper: taper), ring: ring, board: board)
    ports = [
      MappedPort(Mapping.Section(device: DeviceSelector(client: "*"), lines: lines), hub: hub)
    ]
    board.setClock(
      ClockReading(frame: 0, nanoseconds: now, nanosecondsPerFrame: 1e9 / Self.rate))
    board.setRunning(true)
  }

  /// The device, when there is one.
  var port: MappedPort { ports[0] }

  /// Connects the sections of a mapping instead, all to one device.
  func connect(_ mapping: Mapping) {
    ports = mapping.sections.map { MappedPort($0, hub: hub) }
  }

  /// Plugs every device out and in again.
  func connectAgain() {
    ports = ports.map { MappedPort(again: $0) }
  }

  /// Takes bytes from the device's wire, as a surface does, one event after the other.
  func send(_ bytes: [UInt8]) {
    for byte in bytes {
      if let event = reader.take(byte) { take(event) }
    }
  }

  /// Takes the three bytes of an event, without an array for them.
  func send3(_ status: UInt8, _ first: UInt8, _ second: UInt8) {
    _ = reader.take(status)
    _ = reader.take(first)
    if let event = reader.take(second) { take(event) }
  }

  /// Takes an event.
  func take(_ event: MIDIEvent) {
    var isHeard = false
    for (number, port) in ports.enumerated() {
      batch.removeAll()
      if port.take(event, now: now, into: &batch) { isHeard = true }
      guard !batch.isEmpty else { continue }
      hub.perform(
        batch, at: .now(Arrival(monotonicNanoseconds: now, realtimeNanoseconds: 0)),
        from: .device(number))
    }
    if !isHeard { unheard += 1 }
  }

  /// Moves controller 7 of channel 1 through positions.
  func slide(_ positions: Int...) {
    for position in positions { send([0xB0, 7, UInt8(position)]) }
  }

  /// A message of somebody else.
  func osc(_ address: String, _ arguments: Argument...) { osc(address, arguments: arguments) }

  /// A message of somebody else.
  func osc(_ address: String, arguments: [Argument]) {
    var batch = MessageBatch()
    batch.append(address: address, arguments: arguments)
    hub.perform(
      batch, at: .now(Arrival(monotonicNanoseconds: now, realtimeNanoseconds: 0)),
      from: .client(1))
  }

  /// The one number that a query of an address answers.
  func read(_ address: String) -> Float? {
    _ = hub.takeReplies()
    osc(address)
    let replies = hub.takeReplies()
    guard replies.count == 1, replies[0].address == address else { return nil }
    switch replies[0].arguments.first {
    case .float(let value): return value
    case .int32(let value): return Float(value)
    default: return nil
    }
  }

  /// The codes of the errors that have come back since the last time.
  func refusals() -> [Argument] {
    hub.takeReplies().filter(\.isError).map { $0.arguments[1] }
  }

  /// Lets time pass, with the audio thread's place in it.
  func advance(seconds: Double) {
    now += Int64((seconds * 1e9).rounded())
    board.setNextFrame(board.nextFrame + Int64((seconds * Self.rate).rounded()))
  }

  /// Ends the pass and takes what is in the ring.
  func commands() -> [GainCommand] {
    hub.tick(now: now)
    var commands: [GainCommand] = []
    while let command = ring.peek() {
      commands.append(command.pointee)
      ring.advance(by: 1)
    }
    return commands
  }

  /// Commands that `tickAndDrain` has taken from the ring.
  private(set) var drained = 0

  /// Ends the pass and empties the ring, as the audio thread would.
  func tickAndDrain() {
    hub.tick(now: now)
    while ring.peek() != nil {
      drained += 1
      ring.advance(by: 1)
    }
  }

  /// The level of an input's own gain.
  func input(_ input: Int) -> Double { hub.level(of: shape.input(input)) }

  /// The level of a crosspoint.
  func crosspoint(_ input: Int, _ output: Int) -> Double {
    hub.level(of: shape.crosspoint(input: input, output: output))
  }

  func isOn(_ address: String) -> Bool { read(address) == 1 }
}

/// A line as the reader of mappings would make it.
func line(
  _ source: MappingSource, _ addresses: String..., channel: UInt8? = nil,
  _ change: (inout MappingOptions) -> Void = { _ in }
) -> MappingLine {
  var options = MappingOptions()
  change(&options)
  let position = TextPosition(line: 1, column: 1)
  return MappingLine(
    file: "test.map", position: position, channel: channel, source: source,
    addresses: addresses.map { MappingLine.Address(text: $0, position: position) },
    options: options)
}

/// The level of a bare crosspoint's gain at a position of 7 bits.
func at(_ position: Int) -> Double { Double(position) / 127 }
