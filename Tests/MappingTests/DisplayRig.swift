import Control
import MIDI
import Mapping
import MatrixCore
import Messages
import Testing

/// A device on a mixer, with what it is sent.
final class DisplayRig {
  let rig: PortRig
  private let teller: Teller

  /// Passes on what the hub tells, as a surface does.
  private final class Teller: HubObserver {
    var display: PortDisplay

    init(_ display: PortDisplay) { self.display = display }

    func hubChanged(_ target: Target, by source: Source) { display.changed(target) }

    func hubReleased(_ gain: GainID, by source: Source) {
      if display.hands.contains(source) { display.released(gain) }
    }
  }

  init(_ lines: [MappingLine], taper: Taper = .x32) throws {
    rig = try PortRig(lines, taper: taper)
    teller = Teller(rig.port.display)
    rig.hub.addObserver(teller)
    begin()
  }

  /// A device with the lines of a mapping.
  convenience init(_ text: String) throws { try self.init(controls(text)) }

  private func begin() {
    teller.display = rig.port.display
    teller.display.hands = [.device(0)]
  }

  /// Plugs the device out and in again: nobody knows what it shows.
  func connectAgain() {
    rig.connectAgain()
    begin()
    rig.port.display.refresh()
  }

  /// A turn of the device: the events that it is sent.
  func turn() -> [MIDIEvent] {
    let display = rig.port.display
    var events: [MIDIEvent] = []
    display.beginTurn()
    while display.next(now: rig.now) {
      events += display.message
      display.confirm()
    }
    return events
  }

  /// The values that a turn sends.
  func values() -> [Int] { turn().map { Int($0.value) } }

  /// Lets a hand rest until the device is told again.
  func rest() { rig.advance(seconds: 0.11) }
}
