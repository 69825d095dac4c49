import ALSA
import Control
import FaultCard
import Handoff
import Mapping
import MatrixCore
import Messages
import Surfaces
import Testing

/// A MIDI surface on a sequencer made of software, with a hub of 8 x 8 behind it.
final class DeviceRig {
  let device: String
  let hub: ControlHub
  let surface: MIDISurface
  private let shape: MatrixShape
  private let notebook: Notebook
  private var now: Int64 = 5_000_000_000

  private final class Notebook {
    var notes: [SurfaceNote] = []
  }

  /// Makes the surface; `plugging` happens before, as with a device that is there at the start.
  ///
  /// `hub` is the hub of somebody else, which the device joins.
  init(
    _ mappings: String..., hub given: ControlHub? = nil, plugging: (String) -> Void = { _ in }
  ) throws {
    device = "fault:surface-\(UInt64.random(in: 0 ... .max))"
    faultsequencer_make(device)
    plugging(device)
    let shape = try #require(given?.shape ?? MatrixShape(inputs: 8, outputs: 8))
    let hub =
      given
      ?? ControlHub(
        HubConfiguration(shape: shape), ring: CommandRing(shape: shape),
        board: EngineBoard(rate: 48_000))
    let notebook = Notebook()
    self.shape = shape
    self.hub = hub
    self.notebook = notebook
    surface = MIDISurface(
      sequencer: try Sequencer(name: "Crosspoint", device: device),
      mappings: try mappings.map { try Mapping(Array($0.utf8), file: "box.map") }, hub: hub,
      note: { notebook.notes.append($0) })
  }

  /// The passes of the control thread until nothing waits.
  func pass() {
    repeat { passOnce() } while surface.hasWaiting
  }

  /// One pass of the control thread.
  func passOnce() {
    now += 1_000_000
    surface.receive(now: Arrival(monotonicNanoseconds: now, realtimeNanoseconds: now))
    hub.tick(now: now)
    for reply in hub.takeReplies() { surface.take(reply) }
    surface.tick(now: now)
  }

  /// Lets time go by, in passes of a millisecond.
  func wait(milliseconds: Int) {
    for _ in 0..<milliseconds { passOnce() }
  }

  /// A message of somebody else, who is no device.
  func osc(_ address: String, _ arguments: Argument..., from client: Int = 1) {
    var batch = MessageBatch()
    batch.append(address: address, arguments: arguments)
    hub.perform(
      batch, at: .now(Arrival(monotonicNanoseconds: now, realtimeNanoseconds: now)),
      from: .client(client))
  }

  func plug(
    _ client: Int32, _ port: Int32 = 0, _ name: String = "box", card: Int32 = 1
  ) {
    faultsequencer_plug(device, client, port, name, "\(name) MIDI \(port + 1)", card)
    pass()
  }

  /// Plugs in a port that can be read and written, as most devices have.
  func plugDuplex(_ client: Int32, _ port: Int32 = 0, _ name: String = "box", card: Int32 = 1) {
    Self.plugDuplex(into: device, client, port, name, card: card)
    pass()
  }

  /// Plugs in a port that can be read and written.
  static func plugDuplex(
    into device: String, _ client: Int32 = 24, _ port: Int32 = 0, _ name: String = "box",
    card: Int32 = 1
  ) {
    faultsequencer_plug_as(
      device, client, port, name, "\(name) MIDI \(port + 1)", card, Capability.duplex)
  }

  /// What others may do with a port: SND_SEQ_PORT_CAP_… of the header.
  enum Capability {
    static let reading: UInt32 = 1 << 0 | 1 << 5
    static let writing: UInt32 = 1 << 1 | 1 << 6
    static let duplex = reading | writing
  }

  /// What a port was sent since the last time: the bytes of each event.
  func heard(_ client: Int32 = 24, _ port: Int32 = 0) -> [[UInt8]] {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = Int(faultsequencer_heard(device, client, port, &bytes, UInt32(bytes.count)))
    var events: [[UInt8]] = []
    for byte in bytes[..<count] {
      if byte >= 0x80 { events.append([]) }
      events[events.count - 1].append(byte)
    }
    return events
  }

  func isOpen(_ client: Int32 = 24, _ port: Int32 = 0) -> Bool {
    faultsequencer_is_open(device, client, port)
  }

  /// How many events a port still takes; -1 is without end.
  func giveRoom(_ events: Int32, _ client: Int32 = 24, _ port: Int32 = 0) {
    faultsequencer_give_room(device, client, port, events)
  }

  func pull(_ client: Int32) {
    faultsequencer_pull(device, client)
    pass()
  }

  /// A hand; says whether anybody listens.
  @discardableResult
  func play(_ client: Int32, _ port: Int32 = 0, _ bytes: UInt8...) -> Bool {
    let isHeard = faultsequencer_play(device, client, port, bytes, UInt32(bytes.count))
    pass()
    return isHeard
  }

  func isConnected(_ client: Int32, _ port: Int32 = 0) -> Bool {
    faultsequencer_is_connected(device, client, port)
  }

  /// The level of an input, as linear gain.
  func level(_ input: Int) -> Double { hub.level(of: shape.input(input)) }

  /// What the switches of an input multiply its level by.
  func factor(_ input: Int) -> Double { hub.factor(of: shape.input(input)) }

  /// Whether a hand is on an input.
  func isTouched(_ input: Int) -> Bool { hub.isTouched(shape.input(input)) }

  /// What was said since the last time.
  func said() -> [String] {
    defer { notebook.notes = [] }
    return notebook.notes.map(\.text)
  }

  func counter(_ name: String) -> UInt64? {
    surface.counters.first { $0.name == name }?.value
  }
}
