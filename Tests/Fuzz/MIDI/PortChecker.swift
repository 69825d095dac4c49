import Control
import Handoff
import MIDI
import Mapping
import MatrixCore
import Messages

/// A hub, two ports with everything that a mapping can say, and the rules that hold for them.
///
/// It is used for many runs, because a hub and the lines of a port take far longer to make than a
/// run; `begin` takes everything back to where it was.
final class PortChecker: HubObserver {
  private static let rest: [(address: String, arguments: [Argument])] = [
    // Off first: what reads as unity already would stay the last bit beside it that it may be.
    ("/matrix/in/*/gain", [.int32(0)]), ("/matrix/out/*/gain", [.int32(0)]),
    ("/matrix/master/gain", [.int32(0)]),
    ("/matrix/clear", []), ("/matrix/in/*/out/*/mute", [.int32(0)]),
    ("/matrix/in/*/out/*/phase", [.int32(0)]), ("/matrix/in/*/gain", [.int32(1)]),
    ("/matrix/in/*/mute", [.int32(0)]), ("/matrix/in/*/solo", [.int32(0)]),
    ("/matrix/in/*/solosafe", [.int32(0)]), ("/matrix/in/*/phase", [.int32(0)]),
    ("/matrix/in/*/name", [.string("")]), ("/matrix/out/*/gain", [.int32(1)]),
    ("/matrix/out/*/mute", [.int32(0)]), ("/matrix/out/*/dim", [.int32(0)]),
    ("/matrix/out/*/phase", [.int32(0)]), ("/matrix/master/gain", [.int32(1)]),
    ("/matrix/master/mute", [.int32(0)]), ("/matrix/master/dim", [.int32(0)]),
    ("/config/dim", [.int32(-20)]), ("/engine/resume", []),
  ]

  private let shape: MatrixShape
  private let ring: CommandRing
  private let board = EngineBoard(rate: 48_000)
  private let hub: ControlHub
  private var ports: [MappedPort]
  private var readers = [MIDIByteReader](repeating: MIDIByteReader(), count: 2)
  private var taken = [0, 0]
  private var completed = [0, 0]
  private var wire = 0
  private var batch = MessageBatch()
  private var now: Int64 = 1_000_000_000
  private var lastFrame = Int64.min
  private var isInTransaction = false

  init(isLarge: Bool) {
    guard let shape = MatrixShape(inputs: isLarge ? 8 : 3, outputs: isLarge ? 4 : 1) else {
      preconditionFailure("a shape within the limits")
    }
    self.shape = shape
    ring = CommandRing(shape: shape)
    let hub = ControlHub(HubConfiguration(shape: shape), ring: ring, board: board)
    self.hub = hub
    hub.prepareStream(startFrame: 0)
    let section = Mapping.Section(device: DeviceSelector(client: "*"), lines: BroadMapping.lines)
    ports = [MappedPort(section, hub: hub), MappedPort(section, hub: hub)]
    hub.addObserver(self)
    begin()
  }

  func hubChanged(_ target: Target, by source: Source) {
    for port in ports { port.display.changed(target) }
  }

  func hubReleased(_ gain: GainID, by source: Source) {
    for port in ports where port.display.hands.contains(source) { port.display.released(gain) }
  }

  /// Plugs both devices in again and takes the mixer to rest.
  func begin() {
    board.setRunning(true)
    for message in Self.rest { send(message.address, message.arguments) }
    for source in [Source.device(0), .device(1), .client(1)] { hub.forget(source) }
    ports = ports.map { MappedPort(again: $0) }
    for (number, port) in ports.enumerated() {
      port.display.hands = [.device(number)]
      port.display.refresh()
    }
    readers = [MIDIByteReader(), MIDIByteReader()]
    taken = [0, 0]
    completed = [0, 0]
    wire = 0
    check()
    for index in 0..<shape.gainCount {
      let gain = GainID(index: Int32(index))
      precondition(hub.level(of: gain) == (index < shape.crosspointCount ? 0 : 1), "levels at rest")
      precondition(hub.factor(of: gain) == 1, "no switch on")
    }
    precondition(!board.isPanicking, "no panic")
  }

  /// Takes a byte of the wire that is being read.
  func take(_ byte: UInt8) {
    taken[wire] += byte < 0x80 ? 1 : 0
    guard let event = readers[wire].take(byte) else { return }
    precondition((1...16).contains(event.channel), "a channel that people can count")
    precondition(event.number < 128, "a number of seven bits")
    precondition(event.value <= (event.kind == .bend ? 16_383 : 127), "a value of its kind")
    precondition(event.kind != .noteOn || event.value > 0, "a key that is struck is heard")
    completed[wire] += 1
    precondition(completed[wire] <= taken[wire], "an event has data of its own")
    perform(event)
  }

  /// Something beside the wires: time goes by, somebody else moves things, events are lost.
  func step(aside what: UInt8) {
    let value = Double(what >> 4) / 15
    switch what & 0x0F {
    case 0...5:
      now += 1 << Int64(14 + (what & 0x0F))
      board.setNextFrame(board.nextFrame + 1 << Int64(what & 0x0F))
    case 6: wire = 1 - wire
    case 7: ports[wire].forgetHands()
    case 8: send("/matrix/in/0/gain", [.double(value * Level.maximum)])
    case 9: send("/matrix/in/*/db", [.double(value * -90), .int32(200)])
    case 10: send("/matrix/in/1/fader", [.double(value), .int32(1_000), .string("lin")])
    case 11: send("/matrix/in/*/mute", [.int32(Int32(what >> 4) & 1)])
    case 12: board.setRunning(what >> 4 > 3)
    case 13: send("/matrix/master/nudge", [.double(value * 20 - 10)])
    case 14: send("/matrix/clear", [])
    default: readRing()
    }
    check()
  }

  /// Takes what is left, and compares what has been counted.
  func finish() {
    board.setRunning(true)
    check()
    for wire in 0..<2 {
      let reader = readers[wire]
      precondition(reader.strayBytes + reader.waitingBytes <= taken[wire], "no byte counts twice")
    }
    precondition(hub.counters.refused.allSatisfy { $0 == 0 }, "what a mapping says is taken")
    // Every fade has ended by then, and every hand rests.
    now += 10_000_000_000
    board.setNextFrame(board.nextFrame + 480_000)
    for port in ports {
      _ = turn(port.display)
      precondition(port.display.dueNanoseconds == nil, "everything is shown in the end")
      precondition(turn(port.display) == 0, "what is shown is not sent again")
    }
  }

  /// A turn of a device, some of which does not arrive; gives how much was sent.
  private func turn(_ display: PortDisplay, losesSome: Bool = false) -> Int {
    var sent = 0
    display.beginTurn()
    while display.next(now: now) {
      precondition((1...4).contains(display.message.count), "as many events as a wire needs")
      for event in display.message {
        precondition((1...16).contains(event.channel) && event.number < 128, "numbers of the wire")
        precondition(event.value <= (event.kind == .bend ? 16_383 : 127), "a value of its kind")
      }
      sent += 1
      precondition(sent <= 1_024, "a turn ends")
      if losesSome, sent % 5 == 0 { display.giveBack() } else { display.confirm() }
    }
    return sent
  }

  private func perform(_ event: MIDIEvent) {
    batch.removeAll()
    let isHeard = ports[wire].take(event, now: now, into: &batch)
    precondition(isHeard || batch.isEmpty, "what nobody listens to does nothing")
    for argument in batch.arguments {
      if let number = argument.number { precondition(number.isFinite, "a number") }
    }
    if !batch.isEmpty { hub.perform(batch, at: .now(arrival), from: .device(wire)) }
    check()
  }

  private func send(_ address: String, _ arguments: [Argument]) {
    batch.removeAll()
    batch.append(address: address, arguments: arguments)
    hub.perform(batch, at: .now(arrival), from: .client(1))
  }

  private var arrival: Arrival {
    Arrival(monotonicNanoseconds: now, realtimeNanoseconds: 1_800_000_000_000_000_000 + now)
  }

  private func check() {
    hub.tick(now: now)
    readRing()
    for port in ports { _ = turn(port.display, losesSome: true) }
    for index in 0..<shape.gainCount {
      let gain = GainID(index: Int32(index))
      let level = hub.level(of: gain)
      precondition(level >= 0 && level <= Level.maximum, "a level within its range")
      precondition(abs(hub.factor(of: gain)) <= 1, "a factor within its range")
    }
    for reply in hub.takeReplies() {
      precondition(!reply.isError || reply.source == .client(1), "no device is refused")
    }
  }

  private func readRing() {
    while let command = ring.peek()?.pointee {
      precondition(command.frame >= lastFrame, "frames do not go back")
      precondition(!isInTransaction || command.frame == lastFrame, "one frame a transaction")
      lastFrame = command.frame
      isInTransaction = !command.endsTransaction
      ring.advance(by: 1)
    }
    precondition(!isInTransaction, "a transaction is published whole")
  }
}
