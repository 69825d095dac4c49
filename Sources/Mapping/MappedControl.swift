import Control
import MIDI

/// One control of a connected port, ready to be moved.
struct MappedControl: Sendable {
  /// What an address of a control does when the control moves.
  enum Action: Equatable, Sendable {
    /// The level follows the position.
    case level(LevelLaw)
    /// A number follows the position, evenly between both ends.
    case number(NumberLaw)
    /// A switch follows whether the control is down.
    case gate
    /// A press turns a switch over.
    case toggle
    /// A press turns a switch on.
    case on
    /// A press sends the bare address.
    case fire
    /// A press sends the arguments that lie here.
    case send(arguments: Range<Int>)
  }

  /// One address of a control.
  struct Address: Sendable {
    /// Where its bytes lie.
    var bytes: Range<Int>
    /// What it means; of a pattern, the first that it meets.
    var target: Target
    /// What it does.
    var action: Action
    /// Where its pickups lie, one for each channel that is heard apart; nothing where it jumps.
    var firstPickup: Int?
  }

  /// Where its addresses lie.
  var addresses: Range<Int>
  /// Whether it listens to all channels, each of which is another control.
  var hearsAnyChannel: Bool
  /// The highest position that is told apart, at least 1.
  var highest: Int
  /// Where its pressed keys lie, one for each channel that is heard apart.
  var firstHeld: Int

  /// How many channels are heard apart.
  var channels: Int { hearsAnyChannel ? 16 : 1 }

  /// The position from which on it is down: half of the highest, 64 of 127.
  private var threshold: Int { (highest + 1) / 2 }

  /// What an event says, as a device was sent it: 0 of a key that was let go.
  func said(_ event: MIDIEvent) -> Int { event.kind == .noteOff ? 0 : Int(event.value) }

  /// The position that an event means, 0...`highest`.
  func position(_ event: MIDIEvent) -> Int { min(Int(event.value), highest) }

  /// Whether an event means that it is down.
  func isDown(_ event: MIDIEvent) -> Bool {
    switch event.kind {
    case .controller, .bend, .pressure: Int(event.value) >= threshold
    case .noteOn, .program: true
    case .noteOff: false
    }
  }

  /// Whether an event is a press of something that was down before or was not.
  ///
  /// What has positions is pressed by coming up to half; every note-on and every program is a press.
  func isPress(_ event: MIDIEvent, wasDown: Bool) -> Bool {
    switch event.kind {
    case .controller, .bend, .pressure: !wasDown && isDown(event)
    case .noteOn, .program: true
    case .noteOff: false
    }
  }
}
