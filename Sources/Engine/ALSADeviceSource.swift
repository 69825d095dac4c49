import ALSA
import Glibc

/// Opens sound cards by their ALSA names, capture and playback as one device.
///
/// Either direction may be absent: without capture all inputs are silent, without playback the
/// outputs are heard by nobody, and the clock is that of the direction that is there. Two
/// different cards have two clocks and are refused.
public struct ALSADeviceSource: AudioDeviceSource {
  /// The name of the capture device, for example `hw:CARD=X18`; nothing for none.
  public let captureName: String?
  /// The name of the playback device; nothing for none.
  public let playbackName: String?

  /// Makes a source for at least one direction.
  public init(capture: String?, playback: String?) {
    precondition(capture != nil || playback != nil, "at least one direction")
    captureName = capture
    playbackName = playback
  }

  /// What messages call it: the one name, or both.
  public var name: String {
    switch (captureName, playbackName) {
    case (let capture?, let playback?) where capture != playback: "\(capture) to \(playback)"
    case (let capture?, nil): capture
    case (_, let playback): playback ?? ""
    }
  }

  /// Opens what the names stand for, as `AudioDeviceSource` wants it.
  ///
  /// Waiting can help with a device that is missing or in use, and cannot with one that lacks the
  /// rate, the outputs or a format, or with two cards.
  public func open(_ request: DeviceRequest) throws(DeviceError) -> any AudioDevice {
    switch (captureName, playbackName) {
    case (let captureName?, let playbackName?):
      try openBoth(captureName, playbackName, request)
    case (let captureName?, nil):
      try openCapture(captureName, request)
    case (nil, let playbackName):
      try openPlayback(playbackName ?? "", request)
    }
  }

  private func openBoth(
    _ captureName: String, _ playbackName: String, _ request: DeviceRequest
  ) throws(DeviceError) -> ALSADevice {
    var playback = try Self.stream(playbackName, .playback, request)
    try Self.checkOutputs(playback, request)
    var capture = try Self.stream(captureName, .capture, request)
    if let first = capture.pcm.card, let second = playback.pcm.card, first != second {
      throw DeviceError(
        "\(captureName) and \(playbackName) are two cards with two clocks; capture and playback"
          + " need to be on one card.",
        isPermanent: true)
    }
    // A direction that granted a shorter period is asked for the other's, and for room for as many.
    let periodFrames = max(capture.grant.periodFrames, playback.grant.periodFrames)
    if capture.grant.periodFrames < periodFrames {
      try Self.configure(&capture, request, periodFrames: periodFrames)
    }
    if playback.grant.periodFrames < periodFrames {
      try Self.configure(&playback, request, periodFrames: periodFrames)
    }

    var description = Self.describe(name, request, periodFrames: periodFrames)
    description.captureChannels = capture.grant.channels
    description.playbackChannels = playback.grant.channels
    description.outputLatencyFrames = playback.grant.bufferFrames
    description.warnings =
      Self.nameWarnings(captureName == playbackName ? [captureName] : [captureName, playbackName])
    do throws(ALSAError) {
      try capture.pcm.link(to: playback.pcm)
    } catch {
      description.warnings.append(
        "\(name) cannot start capture and playback as one (\(error.reason)), so the time between"
          + " them may differ a little from start to start.")
    }
    return try Self.device(description, capture: capture, playback: playback, request)
  }

  private func openCapture(
    _ captureName: String, _ request: DeviceRequest
  ) throws(DeviceError) -> ALSADevice {
    let capture = try Self.stream(captureName, .capture, request)
    var description = Self.describe(name, request, periodFrames: capture.grant.periodFrames)
    description.captureChannels = capture.grant.channels
    description.warnings = Self.nameWarnings([captureName])
    return try Self.device(description, capture: capture, playback: nil, request)
  }

  private func openPlayback(
    _ playbackName: String, _ request: DeviceRequest
  ) throws(DeviceError) -> ALSADevice {
    let playback = try Self.stream(playbackName, .playback, request)
    try Self.checkOutputs(playback, request)
    var description = Self.describe(name, request, periodFrames: playback.grant.periodFrames)
    description.playbackChannels = playback.grant.channels
    description.outputLatencyFrames = playback.grant.bufferFrames
    description.warnings = Self.nameWarnings([playbackName])
    return try Self.device(description, capture: nil, playback: playback, request)
  }
}
