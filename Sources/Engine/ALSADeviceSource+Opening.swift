import ALSA
import Glibc

/// The steps of opening, and the sentences for what goes wrong in them.
extension ALSADeviceSource {
  /// Opens and configures one direction.
  static func stream(
    _ name: String, _ direction: PCMDirection, _ request: DeviceRequest
  ) throws(DeviceError) -> ALSADeviceStream {
    let pcm = try open(name, direction)
    let grant = try grant(pcm, request, periodFrames: request.periodFrames)
    var stream = ALSADeviceStream(pcm, grant: grant)
    if grant.periodFrames != request.periodFrames {
      try configure(&stream, request, periodFrames: grant.periodFrames)
    }
    return stream
  }

  /// Configures one direction anew, for a period that the device is known to have.
  static func configure(
    _ stream: inout ALSADeviceStream, _ request: DeviceRequest, periodFrames: Int
  ) throws(DeviceError) {
    stream.grant = try grant(stream.pcm, request, periodFrames: periodFrames)
  }

  /// Refuses a card that has fewer outputs than the matrix.
  static func checkOutputs(
    _ playback: borrowing ALSADeviceStream, _ request: DeviceRequest
  ) throws(DeviceError) {
    let channels = playback.grant.channels
    guard channels < request.outputs, !request.mayDropOutputs else { return }
    throw DeviceError(
      "\(playback.pcm.name) has \(channels) output\(channels == 1 ? "" : "s") and the matrix has"
        + " \(request.outputs); ask for --outputs \(channels) or fewer.",
      isPermanent: true)
  }

  /// What is known of a device before its directions are.
  static func describe(
    _ name: String, _ request: DeviceRequest, periodFrames: Int
  ) -> DeviceDescription {
    DeviceDescription(
      name: name, rate: request.rate, periodFrames: periodFrames, outputLatencyFrames: 0,
      captureChannels: 0, playbackChannels: 0)
  }

  /// A warning for each name that may mean another card tomorrow.
  static func nameWarnings(_ names: [String]) -> [String] {
    names.compactMap { name in
      guard let stable = PCMName(name).stableSpelling else { return nil }
      return "\(name) counts cards, whose numbers may change; \(stable) is always this one."
    }
  }

  /// Makes the device of streams that are ready.
  static func device(
    _ description: DeviceDescription, capture: consuming ALSADeviceStream?,
    playback: consuming ALSADeviceStream?, _ request: DeviceRequest
  ) throws(DeviceError) -> ALSADevice {
    let stepFrames = min(description.periodFrames, request.maximumFrames)
    do {
      return try ALSADevice(
        description, capture: capture, playback: playback, stepFrames: stepFrames)
    } catch {
      throw DeviceError("\(description.name) cannot be waited for: \(error.sentence).")
    }
  }

  private static func open(
    _ name: String, _ direction: PCMDirection
  ) throws(DeviceError) -> PCM {
    do {
      return try PCM(opening: name, direction: direction)
    } catch {
      throw openingError(name, direction, error)
    }
  }

  private static func grant(
    _ pcm: borrowing PCM, _ request: DeviceRequest, periodFrames: Int
  ) throws(DeviceError) -> PCMGrant {
    let wish = PCMRequest(
      rate: request.rate,
      channels: pcm.direction == .capture ? request.inputs : request.outputs,
      periodFrames: periodFrames, bufferFrames: periodFrames * request.periods)
    do {
      return try pcm.configure(wish)
    } catch .call(let error) where error.code == -EBUSY {
      throw openingError(pcm.name, pcm.direction, error)
    } catch .call(let error) {
      throw DeviceError("\(pcm.name) \(PCMSetupError.call(error).sentence).")
    } catch {
      throw DeviceError("\(pcm.name) \(error.sentence).", isPermanent: true)
    }
  }

  private static func openingError(
    _ name: String, _ direction: PCMDirection, _ error: ALSAError
  ) -> DeviceError {
    switch -error.code {
    case EBUSY:
      let holders = PCMName(name).holders(direction)
      let who = holders.isEmpty ? "another program" : holders.joined(separator: " and ")
      return DeviceError("\(name) is in use by \(who); stop it, or choose another device.")
    case ENOENT, ENODEV, ENXIO:
      return DeviceError(
        "\(name) is not there; connect it, or choose one that 'crosspoint devices' lists.")
    case EACCES, EPERM:
      return DeviceError("\(name) may not be opened; add your user to the group 'audio'.")
    default:
      return DeviceError("\(name) cannot be opened: \(error.sentence).")
    }
  }
}
