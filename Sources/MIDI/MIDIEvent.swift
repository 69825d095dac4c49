/// One thing that a hand did, as MIDI tells it.
///
/// Channels count from 1, as people and mappings do. What carries it (bytes of a wire, events of
/// ALSA's sequencer) is left behind.
public struct MIDIEvent: Hashable, Sendable {
  /// What was moved.
  public enum Kind: UInt8, CaseIterable, Sendable {
    /// A controller moved: `number` is the controller, `value` its position.
    case controller
    /// A key or pad was struck: `number` is the note, `value` its velocity, 1...127.
    ///
    /// A note-on of velocity 0 is a `noteOff`.
    case noteOn
    /// A key or pad was let go: `number` is the note, `value` its release velocity.
    case noteOff
    /// The pitch wheel, or a fader that pretends to be one: `value` is 0...16383, at rest 8192.
    case bend
    /// The pressure on a whole channel.
    case pressure
    /// A program was chosen: `number` is the program, `value` 0.
    case program
  }

  /// What was moved.
  public var kind: Kind
  /// The channel, 1...16.
  public var channel: UInt8
  /// Which controller, note or program, 0...127; 0 for what a channel has only one of.
  public var number: UInt8
  /// The position: 0...127, and 0...16383 for `bend`.
  public var value: UInt16

  /// Makes an event.
  public init(_ kind: Kind, channel: UInt8, number: UInt8 = 0, value: UInt16 = 0) {
    self.kind = kind
    self.channel = channel
    self.number = number
    self.value = value
  }
}
