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
  init(_ mappings: String..., plugging: (String) -> Void = { _ in }) throws {
    device = "fault:surface-\(UInt64.random(in: 0 ... .max))"
    faultsequencer_make(device)
    plugging(device)
    let shape = try #require(MatrixShape(inputs: 8, outputs: 8))
    let hub = ControlHub(
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
  }

  func plug(
    _ client: Int32, _ port: Int32 = 0, _ name: String = "box", card: Int32 = 1
  ) {
    faultsequencer_plug(device, client, port, name, "\(name) MIDI \(port + 1)", card)
    pass()
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
