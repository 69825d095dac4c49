import CALSA
import MIDI

/// From the sequencer's events to what they mean.
extension Sequencer {
  func take(_ event: UnsafeMutablePointer<snd_seq_event_t>) {
    let source = SequencerAddress(
      client: event.pointee.source.client, port: event.pointee.source.port)
    if source.client == Self.announcer.client {
      announce(event)
    } else {
      translate(event, from: source)
    }
  }

  /// Who comes and goes; anybody could send such events, so only the system is believed.
  private func announce(_ event: UnsafeMutablePointer<snd_seq_event_t>) {
    let address = SequencerAddress(event.pointee.data.addr)
    switch snd_seq_event_type(UInt32(event.pointee.type)) {
    case SND_SEQ_EVENT_CLIENT_CHANGE: put(.clientChange(address.client))
    case SND_SEQ_EVENT_CLIENT_EXIT: put(.clientExit(address.client))
    case SND_SEQ_EVENT_PORT_START: put(.portStart(address))
    case SND_SEQ_EVENT_PORT_CHANGE: put(.portChange(address))
    case SND_SEQ_EVENT_PORT_EXIT: put(.portExit(address))
    case SND_SEQ_EVENT_PORT_SUBSCRIBED:
      if let sender = senderToUs(event) { put(.connected(sender)) }
    case SND_SEQ_EVENT_PORT_UNSUBSCRIBED:
      if let sender = senderToUs(event) { put(.disconnected(sender)) }
    default: break
    }
  }

  private func senderToUs(
    _ event: UnsafeMutablePointer<snd_seq_event_t>
  ) -> SequencerAddress? {
    let connection = event.pointee.data.connect
    guard connection.dest.client == client, connection.dest.port == port else { return nil }
    return SequencerAddress(connection.sender)
  }

  private func translate(
    _ event: UnsafeMutablePointer<snd_seq_event_t>, from source: SequencerAddress
  ) {
    let type = snd_seq_event_type(UInt32(event.pointee.type))
    switch type {
    case SND_SEQ_EVENT_NOTE, SND_SEQ_EVENT_NOTEON, SND_SEQ_EVENT_NOTEOFF:
      note(event.pointee.data.note, type, from: source)
    case SND_SEQ_EVENT_CONTROLLER, SND_SEQ_EVENT_PGMCHANGE, SND_SEQ_EVENT_CHANPRESS,
      SND_SEQ_EVENT_PITCHBEND, SND_SEQ_EVENT_CONTROL14, SND_SEQ_EVENT_NONREGPARAM,
      SND_SEQ_EVENT_REGPARAM:
      control(event.pointee.data.control, type, from: source)
    // Clocks, system exclusive and the rest move nothing here.
    default: break
    }
  }

  private func note(
    _ note: snd_seq_ev_note_t, _ type: snd_seq_event_type, from source: SequencerAddress
  ) {
    guard note.channel < 16, note.note < 128, note.velocity < 128 else {
      malformedEvents += 1
      return
    }
    let isOn = type != SND_SEQ_EVENT_NOTEOFF && note.velocity > 0
    send(isOn ? .noteOn : .noteOff, note.channel, note.note, UInt16(note.velocity), source)
    // A note with a length comes from programs; as a press it is over at once.
    if type == SND_SEQ_EVENT_NOTE, isOn { send(.noteOff, note.channel, note.note, 0, source) }
  }

  private func control(
    _ control: snd_seq_ev_ctrl_t, _ type: snd_seq_event_type, from source: SequencerAddress
  ) {
    let channel = control.channel
    let isWide =
      type == SND_SEQ_EVENT_CONTROL14 || type == SND_SEQ_EVENT_NONREGPARAM
      || type == SND_SEQ_EVENT_REGPARAM
    // The sequencer has 0 in the middle of a bend, the wire has 8192.
    let value = type == SND_SEQ_EVENT_PITCHBEND ? control.value &+ 8_192 : control.value
    let highest: Int32 = isWide || type == SND_SEQ_EVENT_PITCHBEND ? 16_383 : 127
    let highestNumber: UInt32 =
      switch type {
      case SND_SEQ_EVENT_NONREGPARAM, SND_SEQ_EVENT_REGPARAM: 16_383
      case SND_SEQ_EVENT_CONTROLLER, SND_SEQ_EVENT_CONTROL14: 127
      // What a channel has only one of has no number; the field is whatever it is.
      default: .max
      }
    guard channel < 16, (0...highest).contains(value), control.param <= highestNumber else {
      malformedEvents += 1
      return
    }
    let position = UInt16(value)
    switch type {
    case SND_SEQ_EVENT_CONTROLLER:
      send(.controller, channel, UInt8(control.param), position, source)
    case SND_SEQ_EVENT_PGMCHANGE: send(.program, channel, UInt8(position), 0, source)
    case SND_SEQ_EVENT_CHANPRESS: send(.pressure, channel, 0, position, source)
    case SND_SEQ_EVENT_PITCHBEND: send(.bend, channel, 0, position, source)
    case SND_SEQ_EVENT_CONTROL14: pair(channel, UInt8(control.param), position, source)
    case SND_SEQ_EVENT_NONREGPARAM:
      parameter(channel, (99, 98), UInt16(control.param), position, source)
    default:
      parameter(channel, (101, 100), UInt16(control.param), position, source)
    }
  }

  // What a program sends whole becomes what a device sends for it, in the kernel's order.

  private func pair(
    _ channel: UInt8, _ number: UInt8, _ value: UInt16, _ source: SequencerAddress
  ) {
    guard number < 32 else {
      return send(.controller, channel, number, min(value, 127), source)
    }
    send(.controller, channel, number, value >> 7, source)
    send(.controller, channel, number + 32, value & 127, source)
  }

  private func parameter(
    _ channel: UInt8, _ selectors: (high: UInt8, low: UInt8), _ number: UInt16, _ value: UInt16,
    _ source: SequencerAddress
  ) {
    send(.controller, channel, selectors.high, number >> 7, source)
    send(.controller, channel, selectors.low, number & 127, source)
    send(.controller, channel, 6, value >> 7, source)
    send(.controller, channel, 38, value & 127, source)
  }

  private func send(
    _ kind: MIDIEvent.Kind, _ channel: UInt8, _ number: UInt8, _ value: UInt16,
    _ source: SequencerAddress
  ) {
    put(
      .midi(MIDIEvent(kind, channel: channel + 1, number: number, value: value), from: source))
  }
}

extension SequencerAddress {
  init(_ address: snd_seq_addr_t) {
    self.init(client: address.client, port: address.port)
  }
}
