import CALSA

/// An open handle of the sequencer, closed when nobody has it any more.
struct SequencerHandle: ~Copyable {
  let pointer: OpaquePointer

  /// Opens the sequencer for listening and sending, without blocking.
  init(opening device: String) throws(ALSAError) {
    calsa_silence()
    var opened: OpaquePointer?
    let code = snd_seq_open(&opened, device, Int32(SND_SEQ_OPEN_DUPLEX), Int32(SND_SEQ_NONBLOCK))
    guard code >= 0, let pointer = opened else {
      throw ALSAError(call: "snd_seq_open", code: code)
    }
    self.pointer = pointer
  }

  deinit {
    snd_seq_close(pointer)
  }
}
