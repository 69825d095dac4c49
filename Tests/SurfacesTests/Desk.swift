import Control
import Handoff
import MatrixCore
import Messages
import OSC
import Surfaces
import Testing

/// A router's sockets, surface and hub, with clocks that stand still until a test moves them.
final class Desk {
  static let rate = 48_000.0

  let shape: MatrixShape
  let hub: ControlHub
  let surface: OSCSurface
  let board: EngineBoard
  let meterBoard: MeterBoard
  let reader: MeterReader
  private let server: OSCServer
  private let ring: CommandRing
  /// What the audio thread would have been told since `keepsCommands` was set.
  private(set) var commands: [GainCommand] = []
  var keepsCommands = false
  /// Monotonic time in nanoseconds.
  private(set) var now: Int64 = 5_000_000_000
  /// How far the wall's clock is from the monotonic one, in nanoseconds; a test may step it.
  var wallOffset: Int64 = 1_800_000_000_000_000_000
  /// What the user has been told.
  var notes: [String] { box.notes }
  private let box: Box

  private final class Box {
    var notes: [String] = []
  }

  init(inputs: Int = 16, outputs: Int = 16) throws {
    shape = try #require(MatrixShape(inputs: inputs, outputs: outputs))
    var options = OSCServerOptions()
    options.port = 0
    server = try OSCServer(options)
    ring = CommandRing(shape: shape)
    board = EngineBoard(rate: Self.rate)
    hub = ControlHub(
      HubConfiguration(shape: shape, rate: Self.rate, version: "1.2", name: "test"), ring: ring,
      board: board)
    let box = Box()
    self.box = box
    meterBoard = MeterBoard(shape: shape)
    reader = MeterReader(board: meterBoard)
    surface = OSCSurface(server: server, hub: hub, meters: reader) { box.notes.append($0.text) }
    board.setClock(
      ClockReading(frame: 0, nanoseconds: now, nanosecondsPerFrame: 1e9 / Self.rate))
    board.setRunning(true)
    // That audio runs is nothing new to whoever comes later.
    hub.tick(now: now)
  }

  /// The port of 127.0.0.1.
  var port: UInt16 { server.boundAddresses[0].port }

  var arrival: Arrival {
    Arrival(monotonicNanoseconds: now, realtimeNanoseconds: wallOffset + now)
  }

  /// The NTP time tag of so many seconds from now, by the wall's clock.
  func tag(_ secondsFromNow: Double) -> UInt64 {
    let wall = arrival.realtimeNanoseconds + Int64((secondsFromNow * 1e9).rounded())
    let seconds = UInt64(wall / 1_000_000_000) + 2_208_988_800
    return seconds << 32 | UInt64(wall % 1_000_000_000) << 32 / 1_000_000_000
  }

  /// A new socket that speaks to this router.
  func tablet(port: UInt16 = 0, machine: UInt32 = 1) -> Tablet {
    Tablet(to: self.port, port: port, machine: machine)
  }

  /// A new socket that has subscribed, with arguments, and has heard nothing since.
  func subscriber(_ arguments: Argument...) -> Tablet {
    let tablet = tablet()
    tablet.send(address: "/subscribe", arguments: arguments)
    pass()
    precondition(tablet.heard().isEmpty, "a subscription is not answered")
    return tablet
  }

  /// Makes these the clients of the configuration.
  func setClients(_ clients: [FixedClient]) throws(Refusal) {
    try surface.setClients(clients, nowNanoseconds: now)
  }

  /// One pass of a control thread over everything that has arrived.
  func pass() {
    while receive() { endPass() }
    endPass()
  }

  /// Takes as much of what has arrived as a pass may; says whether there may be more.
  @discardableResult
  func receive() -> Bool {
    let hasMore = surface.receive(now: arrival) > 0
    surface.serve(now: arrival)
    return hasMore || surface.hasWaiting
  }

  /// What a pass does when it has taken what has arrived.
  func endPass() {
    hub.tick(now: now)
    for reply in hub.takeReplies() { surface.send(reply, now: arrival) }
    reader.tick(now: now)
    surface.tick(now: now)
    while let command = ring.peek() {
      if keepsCommands { commands.append(command.pointee) }
      ring.advance(by: 1)
    }
  }

  /// Moves the clocks and makes a pass.
  func advance(milliseconds: Double) {
    step(milliseconds: milliseconds)
    pass()
  }

  /// Moves the clocks.
  func step(milliseconds: Double) {
    now += Int64((milliseconds * 1e6).rounded())
    board.setNextFrame(Int64(Double(now - 5_000_000_000) * Self.rate / 1e9))
  }

  /// Lets time go by in steps, as short as clients' turns are.
  func wait(milliseconds: Double) {
    var rest = milliseconds
    while rest > 0 {
      advance(milliseconds: min(rest, 4))
      rest -= 4
    }
  }

  /// Changes something from elsewhere.
  func perform(_ address: String, _ arguments: Argument..., from source: Source = .device(0)) {
    perform(address, arguments: arguments, from: source)
  }

  /// Changes something from elsewhere.
  func perform(_ address: String, arguments: [Argument], from source: Source = .device(0)) {
    var batch = MessageBatch()
    batch.append(address: address, arguments: arguments)
    hub.perform(batch, at: .now(arrival), from: source)
  }

  /// The value of a counter of the hub.
  func hubCount(_ name: String) -> Int? { hub.counters.named.first { $0.name == name }?.value }

  /// The value of a counter of the surface.
  func count(_ name: String) -> UInt64? { surface.counters.first { $0.name == name }?.value }

  /// What a question answers, asked from a socket of its own.
  func ask(_ address: String) -> [Argument] {
    let asker = tablet()
    asker.send(address)
    pass()
    return asker.heard().first { $0.address == address }?.arguments ?? []
  }
}
