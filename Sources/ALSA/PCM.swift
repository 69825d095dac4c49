import CALSA

/// An open PCM device, one direction of a sound card.
///
/// Opened without blocking, closed when it goes out of scope. One thread at a time uses it: one
/// that may block and allocate opens, configures, links and closes it; the audio thread starts it,
/// waits for it and moves samples (see `PCM+Streaming.swift`).
public struct PCM: ~Copyable {
  /// The most channels that are ever asked for or accepted.
  public static let channelLimit = 512

  /// The name that it was opened by.
  public let name: String
  /// Which way samples go.
  public let direction: PCMDirection
  let handle: OpaquePointer

  /// Opens a device by name, for example `hw:CARD=X18`; does not wait for one that is in use.
  ///
  /// Errors: the code is `-EBUSY` for a device in use, `-ENOENT` or `-ENODEV` for one that is not
  /// there. The library's own lines on stderr are switched off, once and for the whole program.
  public init(opening name: String, direction: PCMDirection) throws(ALSAError) {
    calsa_silence()
    var opened: OpaquePointer?
    let code = snd_pcm_open(&opened, name, direction.stream, Int32(SND_PCM_NONBLOCK))
    guard code >= 0, let handle = opened else {
      // Definitions of devices are read once; one that is not there yet may come with a new card.
      snd_config_update_free_global()
      throw ALSAError(call: "snd_pcm_open", code: code)
    }
    self.name = name
    self.direction = direction
    self.handle = handle
  }

  deinit {
    snd_pcm_close(handle)
  }

  /// The number of the card behind it; nothing where there is no card, or not a single one.
  public var card: Int? {
    var information: OpaquePointer?
    guard snd_pcm_info_malloc(&information) >= 0, let information else { return nil }
    defer { snd_pcm_info_free(information) }
    guard snd_pcm_info(handle, information) >= 0 else { return nil }
    let card = snd_pcm_info_get_card(information)
    return card >= 0 ? Int(card) : nil
  }

  /// Joins two devices, so that they are prepared, started and stopped as one.
  ///
  /// Fails with `-ENOSYS` where one of them is made of software, with other codes across cards.
  public func link(to other: borrowing PCM) throws(ALSAError) {
    try ALSAError.check(snd_pcm_link(handle, other.handle), "snd_pcm_link")
  }

  /// How many descriptors `fillPollDescriptors` fills; known once the device is configured.
  public var pollDescriptorCount: Int {
    Int(max(snd_pcm_poll_descriptors_count(handle), 0))
  }

  /// Fills in what to poll for; answers how many descriptors there are.
  public func fillPollDescriptors(
    _ descriptors: UnsafeMutableBufferPointer<pollfd>
  ) throws(ALSAError) -> Int {
    guard let base = descriptors.baseAddress else { return 0 }
    let count = snd_pcm_poll_descriptors(handle, base, UInt32(descriptors.count))
    return Int(try ALSAError.check(count, "snd_pcm_poll_descriptors"))
  }
}
