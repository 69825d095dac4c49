import CALSA

extension PCM {
  /// Configures the device and says what was granted.
  ///
  /// Interleaved reads and writes. The rate is exact or refused. The channels are the smallest
  /// count that the device has and that is not below the wanted one, else its greatest; of the
  /// thousands that a software device claims, only as many as are wanted. The format is the
  /// first of `PCMFormat.preference` that the device has. Period and buffer are the nearest to
  /// those wanted. The device never starts by itself, wakes its reader or writer at every period,
  /// and stops when a whole buffer was missed.
  ///
  /// A converting device (`plughw:…`, often `default`) grants any rate and converts: whoever names
  /// one has chosen that. May be called again, with another request, before the device is started.
  public func configure(_ request: PCMRequest) throws(PCMSetupError) -> PCMGrant {
    precondition(request.rate > 0 && request.periodFrames > 0, "a rate and a period")
    precondition((1...Self.channelLimit).contains(request.channels), "a count of channels")
    var allocated: OpaquePointer?
    try check(snd_pcm_hw_params_malloc(&allocated), "snd_pcm_hw_params_malloc")
    guard let parameters = allocated else { throw .format }
    defer { snd_pcm_hw_params_free(parameters) }

    try check(snd_pcm_hw_params_any(handle, parameters), "snd_pcm_hw_params_any")
    try check(
      snd_pcm_hw_params_set_access(handle, parameters, SND_PCM_ACCESS_RW_INTERLEAVED),
      "snd_pcm_hw_params_set_access")
    try chooseRate(request.rate, parameters)
    let channels = try chooseChannels(request.channels, parameters)
    let format = try chooseFormat(parameters)
    try choosePeriod(request, parameters)
    try check(snd_pcm_hw_params(handle, parameters), "snd_pcm_hw_params")

    var periodFrames: snd_pcm_uframes_t = 0
    var bufferFrames: snd_pcm_uframes_t = 0
    try check(
      snd_pcm_hw_params_get_period_size(parameters, &periodFrames, nil),
      "snd_pcm_hw_params_get_period_size")
    try check(
      snd_pcm_hw_params_get_buffer_size(parameters, &bufferFrames),
      "snd_pcm_hw_params_get_buffer_size")
    let grant = PCMGrant(
      rate: request.rate, channels: channels, format: format, periodFrames: Int(periodFrames),
      bufferFrames: Int(bufferFrames))
    guard grant.periodFrames > 0, grant.bufferFrames >= 2 * grant.periodFrames else {
      throw .buffer(periodFrames: grant.periodFrames, bufferFrames: grant.bufferFrames)
    }
    try setWakeUps(grant)
    return grant
  }

  /// The least and the greatest number of channels that the device can have.
  public func channelRange() throws(PCMSetupError) -> ClosedRange<Int> {
    var allocated: OpaquePointer?
    try check(snd_pcm_hw_params_malloc(&allocated), "snd_pcm_hw_params_malloc")
    guard let parameters = allocated else { throw .format }
    defer { snd_pcm_hw_params_free(parameters) }
    try check(snd_pcm_hw_params_any(handle, parameters), "snd_pcm_hw_params_any")
    var least: UInt32 = 0
    var greatest: UInt32 = 0
    try check(
      snd_pcm_hw_params_get_channels_min(parameters, &least), "snd_pcm_hw_params_get_channels_min")
    try check(
      snd_pcm_hw_params_get_channels_max(parameters, &greatest),
      "snd_pcm_hw_params_get_channels_max")
    return Int(least)...max(Int(least), Int(greatest))
  }

  private func chooseRate(_ rate: Int, _ parameters: OpaquePointer) throws(PCMSetupError) {
    var nearest = UInt32(rate)
    var side: Int32 = 0
    try check(
      snd_pcm_hw_params_set_rate_near(handle, parameters, &nearest, &side),
      "snd_pcm_hw_params_set_rate_near")
    guard Int(nearest) == rate else { throw .rate(wanted: rate, nearest: Int(nearest)) }
  }

  private func chooseChannels(
    _ wanted: Int, _ parameters: OpaquePointer
  ) throws(PCMSetupError) -> Int {
    var least: UInt32 = 0
    try check(
      snd_pcm_hw_params_get_channels_min(parameters, &least), "snd_pcm_hw_params_get_channels_min")
    guard least <= Self.channelLimit else {
      throw .channels(least: Int(least), limit: Self.channelLimit)
    }
    var limit = UInt32(Self.channelLimit)
    try check(
      snd_pcm_hw_params_set_channels_max(handle, parameters, &limit),
      "snd_pcm_hw_params_set_channels_max")
    var channels = UInt32(wanted)
    if snd_pcm_hw_params_set_channels_min(handle, parameters, &channels) >= 0 {
      try check(
        snd_pcm_hw_params_set_channels_first(handle, parameters, &channels),
        "snd_pcm_hw_params_set_channels_first")
    } else {
      try check(
        snd_pcm_hw_params_set_channels_last(handle, parameters, &channels),
        "snd_pcm_hw_params_set_channels_last")
    }
    return Int(channels)
  }

  private func chooseFormat(_ parameters: OpaquePointer) throws(PCMSetupError) -> PCMFormat {
    for format in PCMFormat.preference
    where snd_pcm_hw_params_test_format(handle, parameters, format.code) == 0 {
      try check(
        snd_pcm_hw_params_set_format(handle, parameters, format.code),
        "snd_pcm_hw_params_set_format")
      return format
    }
    throw .format
  }

  private func choosePeriod(
    _ request: PCMRequest, _ parameters: OpaquePointer
  ) throws(PCMSetupError) {
    var periodFrames = snd_pcm_uframes_t(request.periodFrames)
    var side: Int32 = 0
    try check(
      snd_pcm_hw_params_set_period_size_near(handle, parameters, &periodFrames, &side),
      "snd_pcm_hw_params_set_period_size_near")
    var bufferFrames = snd_pcm_uframes_t(max(request.bufferFrames, 2 * Int(periodFrames)))
    try check(
      snd_pcm_hw_params_set_buffer_size_near(handle, parameters, &bufferFrames),
      "snd_pcm_hw_params_set_buffer_size_near")
  }

  private func setWakeUps(_ grant: PCMGrant) throws(PCMSetupError) {
    var allocated: OpaquePointer?
    try check(snd_pcm_sw_params_malloc(&allocated), "snd_pcm_sw_params_malloc")
    guard let parameters = allocated else { throw .format }
    defer { snd_pcm_sw_params_free(parameters) }
    try check(snd_pcm_sw_params_current(handle, parameters), "snd_pcm_sw_params_current")
    // Beyond any fill level: only an explicit start starts.
    var never: snd_pcm_uframes_t = 0
    try check(
      snd_pcm_sw_params_get_boundary(parameters, &never), "snd_pcm_sw_params_get_boundary")
    try check(
      snd_pcm_sw_params_set_start_threshold(handle, parameters, never),
      "snd_pcm_sw_params_set_start_threshold")
    try check(
      snd_pcm_sw_params_set_stop_threshold(
        handle, parameters, snd_pcm_uframes_t(grant.bufferFrames)),
      "snd_pcm_sw_params_set_stop_threshold")
    try check(
      snd_pcm_sw_params_set_avail_min(handle, parameters, snd_pcm_uframes_t(grant.periodFrames)),
      "snd_pcm_sw_params_set_avail_min")
    try check(snd_pcm_sw_params(handle, parameters), "snd_pcm_sw_params")
  }

  private func check(_ code: Int32, _ call: String) throws(PCMSetupError) {
    guard code >= 0 else { throw .call(ALSAError(call: call, code: code)) }
  }
}
