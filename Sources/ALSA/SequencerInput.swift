import MIDI

/// Something that the sequencer tells.
public enum SequencerInput: Equatable, Sendable {
  /// A hand moved something on a port.
  case midi(MIDIEvent, from: SequencerAddress)
  /// A client has another name, or other ports, than before.
  case clientChange(UInt8)
  /// A client is gone, and its ports with it.
  case clientExit(UInt8)
  /// A port has appeared.
  case portStart(SequencerAddress)
  /// A port has another name or other capabilities than before.
  case portChange(SequencerAddress)
  /// A port is gone.
  case portExit(SequencerAddress)
  /// A port sends to ours from now on, whoever connected it.
  case connected(SequencerAddress)
  /// A port does not send to ours any more.
  case disconnected(SequencerAddress)
  /// Events were lost here: of hands, or about ports.
  case overrun
}
