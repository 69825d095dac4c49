import CALSA

/// Who is there, and whom to listen to.
extension Sequencer {
  /// Every port of every client but the system and this one, by address.
  public func ports() -> [SequencerPort] {
    var ports: [SequencerPort] = []
    var client: OpaquePointer?
    var port: OpaquePointer?
    guard snd_seq_client_info_malloc(&client) >= 0, let client else { return [] }
    defer { snd_seq_client_info_free(client) }
    guard snd_seq_port_info_malloc(&port) >= 0, let port else { return [] }
    defer { snd_seq_port_info_free(port) }
    snd_seq_client_info_set_client(client, -1)
    while snd_seq_query_next_client(handle.pointer, client) >= 0 {
      let number = snd_seq_client_info_get_client(client)
      guard number != Int32(Self.announcer.client), number != Int32(self.client) else { continue }
      snd_seq_port_info_set_client(port, number)
      snd_seq_port_info_set_port(port, -1)
      while snd_seq_query_next_port(handle.pointer, port) >= 0 {
        ports.append(SequencerPort(client: client, port: port))
      }
    }
    return ports
  }

  /// Has a port send to ours; one that does already goes on.
  ///
  /// - Throws: a `SequencerError` when the port is gone or does not allow it.
  public func connect(_ sender: SequencerAddress) throws(SequencerError) {
    let code = snd_seq_connect_from(
      handle.pointer, Int32(port), Int32(sender.client), Int32(sender.port))
    guard code >= 0 || code == -EBUSY else {
      throw SequencerError(ALSAError(call: "snd_seq_connect_from", code: code), port: sender)
    }
  }

  /// Whether a port sends to ours now, whoever connected it.
  public func isConnected(_ sender: SequencerAddress) -> Bool {
    var subscription: OpaquePointer?
    guard snd_seq_port_subscribe_malloc(&subscription) >= 0, let subscription else { return false }
    defer { snd_seq_port_subscribe_free(subscription) }
    var from = snd_seq_addr_t(client: sender.client, port: sender.port)
    var to = snd_seq_addr_t(client: client, port: port)
    snd_seq_port_subscribe_set_sender(subscription, &from)
    snd_seq_port_subscribe_set_dest(subscription, &to)
    return snd_seq_get_port_subscription(handle.pointer, subscription) >= 0
  }

  /// Has a port not send to ours any more; one that is gone does not anyway.
  public func disconnect(_ sender: SequencerAddress) {
    snd_seq_disconnect_from(
      handle.pointer, Int32(port), Int32(sender.client), Int32(sender.port))
  }
}

extension SequencerPort {
  fileprivate init(client: OpaquePointer, port: OpaquePointer) {
    let capabilities = Int32(truncatingIfNeeded: snd_seq_port_info_get_capability(port))
    let reading = SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ
    let writing = SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE
    let isPrivate = capabilities & SND_SEQ_PORT_CAP_NO_EXPORT != 0
    let card = snd_seq_client_info_get_card(client)
    self.init(
      address: SequencerAddress(
        client: UInt8(truncatingIfNeeded: snd_seq_port_info_get_client(port)),
        port: UInt8(truncatingIfNeeded: snd_seq_port_info_get_port(port))),
      clientName: snd_seq_client_info_get_name(client).map { String(cString: $0) } ?? "",
      name: snd_seq_port_info_get_name(port).map { String(cString: $0) } ?? "",
      card: card >= 0 ? Int(card) : nil,
      isOfKernel: snd_seq_client_info_get_type(client) == SND_SEQ_KERNEL_CLIENT,
      isReadable: !isPrivate && capabilities & reading == reading,
      isWritable: !isPrivate && capabilities & writing == writing)
  }
}
