import Control
import Handoff
import MatrixCore
import OSC
import Surfaces

/// The whole way of a message to the ring of the audio thread: sockets, surface, hub.
///
/// No audio runs; the ring is emptied where the audio thread would have read it.
final class MixerReceiver: Receiver {
  let server: OSCServer
  private let surface: OSCSurface
  private let shape: MatrixShape
  private let hub: ControlHub
  private let ring: CommandRing
  private let reader: MeterReader
  private let meterBoard: MeterBoard
  private let board = EngineBoard(rate: 48_000)
  private var waiting: PollSet
  private(set) var received = 0

  init(channels: Int) throws {
    guard let shape = MatrixShape(inputs: channels, outputs: channels) else {
      throw BenchmarkError(description: "there is no matrix of \(channels) channels")
    }
    self.shape = shape
    var options = OSCServerOptions()
    options.port = 0
    server = try OSCServer(options)
    ring = CommandRing(shape: shape)
    hub = ControlHub(HubConfiguration(shape: shape), ring: ring, board: board)
    meterBoard = MeterBoard(shape: shape)
    reader = MeterReader(board: meterBoard)
    surface = OSCSurface(server: server, hub: hub, meters: reader) { _ in }
    hub.prepareStream(startFrame: 0)
    ring.empty()
    board.setRunning(true)
    waiting = PollSet(sockets: surface.descriptors)
  }

  var port: UInt16 { server.boundAddresses[0].port }

  func receiveSome() -> Bool {
    let start = Int64(Clock.monotonicSeconds * 1e9)
    let due = [surface.nextDeadline, reader.nextDeadline].compactMap { $0 }.min() ?? .max
    let next = (max(due, start) - start + 999_999) / 1_000_000
    waiting.wait(
      untilNanoseconds: surface.hasWaiting ? start : start + min(next, 100) * 1_000_000)
    let now = Arrival(
      monotonicNanoseconds: Int64(Clock.monotonicSeconds * 1e9),
      realtimeNanoseconds: Clock.realtimeNanoseconds)
    var hasRead = waiting.hasReadySocket
    if hasRead { received += surface.receive(now: now) }
    if surface.hasWaiting {
      surface.serve(now: now)
      hasRead = true
    }
    hub.tick(now: now.monotonicNanoseconds)
    for reply in hub.takeReplies() { surface.send(reply, now: now) }
    reader.tick(now: now.monotonicNanoseconds)
    surface.tick(now: now.monotonicNanoseconds)
    // The audio thread would have answered by its next period.
    if meterBoard.isRequested { meterBoard.answer(meterBoard.points(of: meterBoard.watchState)) }
    ring.empty()
    return hasRead
  }

  /// Goes on for some time, whether anything arrives or not.
  func serve(seconds: Double) {
    let end = Clock.monotonicSeconds + seconds
    while Clock.monotonicSeconds < end { _ = receiveSome() }
  }

  /// A gain as a question would answer it.
  func gain(input: Int, output: Int) -> Float {
    Float(hub.level(of: shape.crosspoint(input: input, output: output)))
  }

  /// The gain from the first input to the second output.
  var firstGain: Double { hub.level(of: shape.crosspoint(input: 0, output: 1)) }

  /// What the surface has counted.
  func counter(_ name: String) -> UInt64 {
    surface.counters.first { $0.name == name }?.value ?? 0
  }

  /// How many messages changed something or were checked and found to change nothing.
  var acceptedMessages: Int { hub.counters.acceptedMessages }
}
