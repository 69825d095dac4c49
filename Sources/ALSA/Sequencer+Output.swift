import CALSA
import MIDI

/// What becomes of an event that is to be sent.
public enum SequencerDelivery: Equatable, Sendable {
  /// The port has taken it.
  case sent
  /// The port has no room for it now.
  case full
  /// The port cannot be sent anything; the negative error number of the system.
  case failed(Int32)
}

/// Sending to devices: to each by its address, and to nobody else.
///
/// Our port stays one that nobody can read from, so nobody else can connect it to anything, and what
/// is sent reaches the device that it is for and no other.
extension Sequencer {
  /// Opens a port for what is sent to it; one that is open stays so.
  ///
  /// The kernel opens a device's wire only while somebody is connected to it. It stays open until the
  /// device or the program is gone: to close it, the kernel would wait for as long as ten seconds until a
  /// device has taken what was sent.
  ///
  /// - Throws: a `SequencerError` when the port is gone or does not allow it.
  public func open(_ destination: SequencerAddress) throws(SequencerError) {
    let code = snd_seq_connect_to(
      handle.pointer, Int32(port), Int32(destination.client), Int32(destination.port))
    guard code >= 0 || code == -EBUSY else {
      throw SequencerError(ALSAError(call: "snd_seq_connect_to", code: code), port: destination)
    }
  }

  /// Sends an event to a port, at once and without waiting for it.
  ///
  /// The numbers of the event must be within their ranges.
  public func send(_ event: MIDIEvent, to destination: SequencerAddress) -> SequencerDelivery {
    var sent = snd_seq_event_t()
    sent.source.port = port
    sent.dest.client = destination.client
    sent.dest.port = destination.port
    sent.queue = UInt8(SND_SEQ_QUEUE_DIRECT)
    let channel = event.channel - 1
    switch event.kind {
    case .noteOn, .noteOff:
      sent.type = Self.type(event.kind == .noteOn ? SND_SEQ_EVENT_NOTEON : SND_SEQ_EVENT_NOTEOFF)
      sent.data.note.channel = channel
      sent.data.note.note = event.number
      sent.data.note.velocity = UInt8(event.value)
    case .controller:
      sent.type = Self.type(SND_SEQ_EVENT_CONTROLLER)
      sent.data.control.channel = channel
      sent.data.control.param = UInt32(event.number)
      sent.data.control.value = Int32(event.value)
    case .program:
      sent.type = Self.type(SND_SEQ_EVENT_PGMCHANGE)
      sent.data.control.channel = channel
      sent.data.control.value = Int32(event.number)
    case .pressure:
      sent.type = Self.type(SND_SEQ_EVENT_CHANPRESS)
      sent.data.control.channel = channel
      sent.data.control.value = Int32(event.value)
    case .bend:
      // The sequencer has 0 in the middle of a bend, the wire has 8192.
      sent.type = Self.type(SND_SEQ_EVENT_PITCHBEND)
      sent.data.control.channel = channel
      sent.data.control.value = Int32(event.value) - 8_192
    }
    let code = snd_seq_event_output_direct(handle.pointer, &sent)
    switch -code {
    case ..<1: return .sent
    case EAGAIN, ENOMEM, EINTR: return .full
    default: return .failed(code)
    }
  }

  private static func type(_ type: snd_seq_event_type) -> UInt8 {
    UInt8(truncatingIfNeeded: type.rawValue)
  }
}
