import ALSA
import CPlatform
import Glibc

/// One way back from whatever went wrong: both directions stop and start together.
extension ALSADevice {
  func lossSentence() -> String {
    switch -trouble.code {
    case ETIMEDOUT, EAGAIN: "\(description.name) has stopped moving samples."
    case let code where isGone(-code): "\(description.name) has been unplugged."
    default:
      "\(description.name) cannot be restarted: "
        + ALSAError(call: "", code: trouble.code).reason + "."
    }
  }

  // MARK: Audio thread

  /// Decides what an error means: a restart, or the loss of the device.
  @_noLocks @_noAllocation
  func recover(from code: Int32) -> DeviceStep {
    trouble.code = code
    if isGone(code) { return .lost }
    if isDisconnected { return .lost }
    let now = crosspoint_monotonic_ns()
    if code == -ESTRPIPE {
      trouble.isSuspended = true
      trouble.since = now
      return .restarted
    }
    if trouble.attempts == 0 { trouble.since = now }
    trouble.attempts &+= 1
    let patienceNanoseconds: Int64 = 1_000_000_000
    if trouble.attempts > 3, now &- trouble.since > patienceNanoseconds { return .lost }
    trouble.needsStart = true
    // The first time at once; a device that goes on failing is left alone for a while (`mend`).
    if trouble.attempts == 1 {
      let again = begin()
      if isGone(again) {
        trouble.code = again
        return .lost
      }
      trouble.needsStart = again < 0
    }
    return .restarted
  }

  /// What `wait` has to do before it can wait; nothing when the device runs.
  @_noLocks @_noAllocation
  func mend() -> DeviceStep? {
    if trouble.isSuspended {
      if let step = waitForResume() { return step }
      trouble.isSuspended = false
      trouble.needsStart = true
    }
    guard trouble.needsStart else { return nil }
    if isWoken(withinMilliseconds: trouble.attempts > 1 ? 50 : 0) { return .woken }
    let code = begin()
    guard code >= 0 else { return recover(from: code) }
    trouble.needsStart = false
    return nil
  }

  /// Stops, prepares, fills and starts both directions; 0, or a negative error number.
  @_noLocks @_noAllocation
  func begin() -> Int32 {
    stop()
    if let capture {
      let code = capture.pointee.pcm.prepare()
      guard code >= 0 else { return code }
    }
    if let playback {
      // Linked to capture it has been prepared already.
      if playback.pointee.pcm.state != .prepared {
        let code = playback.pointee.pcm.prepare()
        guard code >= 0 else { return code }
      }
      let code = playback.pointee.prefill()
      guard code >= 0 else { return code }
    }
    if let capture {
      let code = capture.pointee.pcm.start()
      guard code >= 0 else { return code }
    }
    if let playback, playback.pointee.pcm.state != .running {
      let code = playback.pointee.pcm.start()
      guard code >= 0 else { return code }
    }
    return 0
  }

  /// Stops both directions where they are.
  @_noLocks @_noAllocation
  func stop() {
    if let playback { _ = playback.pointee.pcm.drop() }
    if let capture { _ = capture.pointee.pcm.drop() }
  }

  /// Waits for a card that slept; nothing when it may be started.
  @_noLocks @_noAllocation
  private func waitForResume() -> DeviceStep? {
    // After so long it is started by force.
    let resumeNanoseconds: Int64 = 5_000_000_000
    var round = 0
    while crosspoint_monotonic_ns() &- trouble.since < resumeNanoseconds {
      guard resume() == -EAGAIN else { return nil }
      if isWoken(withinMilliseconds: 20) { return .woken }
      round &+= 1
      if round == 10 { return .restarted }
    }
    return nil
  }

  @_noLocks @_noAllocation
  private func resume() -> Int32 {
    if let capture, capture.pointee.pcm.state == .suspended {
      let code = capture.pointee.pcm.resume()
      guard code >= 0 else { return code }
    }
    if let playback, playback.pointee.pcm.state == .suspended {
      return playback.pointee.pcm.resume()
    }
    return 0
  }

  private var isDisconnected: Bool {
    @_noLocks @_noAllocation get {
      if let capture, capture.pointee.pcm.state == .disconnected { return true }
      if let playback, playback.pointee.pcm.state == .disconnected { return true }
      return false
    }
  }
}

/// Whether an error number means that there is no device any more.
@_noLocks @_noAllocation
private func isGone(_ code: Int32) -> Bool {
  switch -code {
  case ENODEV, ENXIO, ENOENT, EBADF, ENOTTY, ESHUTDOWN: true
  default: false
  }
}
