import CALSA

/// What a client of the sequencer has once it is set up.
struct SequencerSeat {
  let client: UInt8
  let port: UInt8
  let inputPool: Int
  let descriptor: Int32

  /// Names the client, makes its port, and subscribes it to the system's announcements.
  init(of handle: borrowing SequencerHandle, name: String) throws(ALSAError) {
    let sequencer = handle.pointer
    try Self.passOverTexts(sequencer)
    try ALSAError.check(snd_seq_set_client_name(sequencer, name), "snd_seq_set_client_name")
    client = UInt8(
      truncatingIfNeeded: try ALSAError.check(snd_seq_client_id(sequencer), "snd_seq_client_id"))
    // Refused requests leave the defaults, with which it works as well.
    snd_seq_set_input_buffer_size(sequencer, Sequencer.bufferBytes)
    snd_seq_set_client_pool_input(sequencer, Sequencer.largestPool)
    inputPool = Self.inputPool(of: sequencer)
    let port = try ALSAError.check(
      snd_seq_create_simple_port(
        sequencer, "control", UInt32(SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE),
        UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION)),
      "snd_seq_create_simple_port")
    self.port = UInt8(truncatingIfNeeded: port)
    try ALSAError.check(
      snd_seq_connect_from(
        sequencer, port, Int32(Sequencer.announcer.client), Int32(Sequencer.announcer.port)),
      "snd_seq_connect_from")
    var descriptors = pollfd()
    let count = snd_seq_poll_descriptors(sequencer, &descriptors, 1, Int16(POLLIN))
    guard count == 1 else {
      throw ALSAError(call: "snd_seq_poll_descriptors", code: count < 0 ? count : -EINVAL)
    }
    descriptor = descriptors.fd
  }

  /// Has the kernel deliver nothing of variable length, as system exclusive is.
  ///
  /// One of them could fill all that the kernel keeps for us, and one that is longer than the
  /// library's buffer would stand in the way of everything behind it for ever.
  private static func passOverTexts(_ sequencer: OpaquePointer) throws(ALSAError) {
    var information: OpaquePointer?
    try ALSAError.check(snd_seq_client_info_malloc(&information), "snd_seq_client_info_malloc")
    defer { snd_seq_client_info_free(information) }
    try ALSAError.check(
      snd_seq_get_client_info(sequencer, information), "snd_seq_get_client_info")
    let variable = Int32(SND_SEQ_EVENT_SYSEX.rawValue)...Int32(SND_SEQ_EVENT_USR_VAR4.rawValue)
    for type in Int32(0)...255 where !variable.contains(type) {
      snd_seq_client_info_event_filter_add(information, type)
    }
    try ALSAError.check(
      snd_seq_set_client_info(sequencer, information), "snd_seq_set_client_info")
  }

  private static func inputPool(of sequencer: OpaquePointer) -> Int {
    var pool: OpaquePointer?
    guard snd_seq_client_pool_malloc(&pool) >= 0, let pool else { return 0 }
    defer { snd_seq_client_pool_free(pool) }
    guard snd_seq_get_client_pool(sequencer, pool) >= 0 else { return 0 }
    return snd_seq_client_pool_get_input_pool(pool)
  }
}
