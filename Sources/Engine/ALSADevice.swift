import ALSA
import CPlatform
import Glibc
import MatrixCore

/// A sound card, or whatever else ALSA knows by a name: capture, playback, or both as one.
///
/// Both directions are started and restarted together. Playback is filled with silence before each
/// start, so a frame is heard one buffer after it was written. A cycle moves the larger of the two
/// granted periods.
final class ALSADevice: AudioDevice {
  let description: DeviceDescription

  // Behind pointers, because references that the audio thread reads would be counted.
  let capture: UnsafeMutablePointer<ALSADeviceStream>?
  let playback: UnsafeMutablePointer<ALSADeviceStream>?
  private let captureConverter: SampleConverter
  private let playbackConverter: SampleConverter
  /// What to poll for: capture's descriptors, the wake-up, playback's.
  private let descriptors: UnsafeMutablePointer<pollfd>
  private let descriptorCount: Int
  private let captureDescriptorCount: Int

  let stepFrames: Int
  private let stallNanoseconds: Int64
  private var pace: ALSADevicePace
  private var isClosed = false

  /// What the audio thread remembers of a device that does not do as it should.
  var trouble = ALSADeviceTrouble()

  /// Takes streams that are open and configured, at least one.
  ///
  /// `stepFrames` is what a cycle moves.
  init(
    _ description: DeviceDescription, capture: consuming ALSADeviceStream?,
    playback: consuming ALSADeviceStream?, stepFrames: Int
  ) throws(ALSAError) {
    self.description = description
    self.stepFrames = stepFrames
    self.capture = Self.keep(capture, stepFrames: stepFrames)
    self.playback = Self.keep(playback, stepFrames: stepFrames)
    // One for a direction that is absent is never used.
    captureConverter =
      self.capture?.pointee.makeConverter() ?? SampleConverter(format: .float32, channels: 1)
    playbackConverter =
      self.playback?.pointee.makeConverter() ?? SampleConverter(format: .float32, channels: 1)

    captureDescriptorCount = self.capture?.pointee.pcm.pollDescriptorCount ?? 0
    let playbackDescriptorCount = self.playback?.pointee.pcm.pollDescriptorCount ?? 0
    descriptorCount = captureDescriptorCount + 1 + playbackDescriptorCount
    descriptors = .allocate(capacity: descriptorCount)
    descriptors.initialize(repeating: pollfd(), count: descriptorCount)

    let bufferFrames = max(
      self.capture?.pointee.grant.bufferFrames ?? 0, self.playback?.pointee.grant.bufferFrames ?? 0)
    pace = ALSADevicePace(
      stepFrames: stepFrames, bufferFrames: bufferFrames, rate: description.rate)
    let periodNanoseconds =
      Int64(description.periodFrames) * 1_000_000_000 / Int64(description.rate)
    stallNanoseconds = max(200_000_000, 2 * periodNanoseconds)

    try self.capture?.pointee.poll(
      with: UnsafeMutableBufferPointer(start: descriptors, count: captureDescriptorCount))
    try self.playback?.pointee.poll(
      with: UnsafeMutableBufferPointer(
        start: descriptors + captureDescriptorCount + 1, count: playbackDescriptorCount))
  }

  private static func keep(
    _ stream: consuming ALSADeviceStream?, stepFrames: Int
  ) -> UnsafeMutablePointer<ALSADeviceStream>? {
    switch consume stream {
    case .none:
      return nil
    case .some(var stream):
      stream.makeRoom(frames: stepFrames)
      let kept = UnsafeMutablePointer<ALSADeviceStream>.allocate(capacity: 1)
      kept.initialize(to: stream)
      return kept
    }
  }

  deinit {
    close()
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    if let capture {
      capture.deinitialize(count: 1)
      capture.deallocate()
    }
    if let playback {
      playback.deinitialize(count: 1)
      playback.deallocate()
    }
    descriptors.deallocate()
  }

  // MARK: Audio thread

  @_noLocks @_noAllocation
  func start() -> DeviceStep {
    trouble = ALSADeviceTrouble()
    let code = begin()
    guard code < 0 else { return .ready(frames: 0) }
    // What is not lost yet is tried again by `wait`.
    if case .lost = recover(from: code) { return .lost }
    return .ready(frames: 0)
  }

  @_noLocks @_noAllocation
  func wait(wake: Int32) -> DeviceStep {
    descriptors[captureDescriptorCount] = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
    if let step = mend() { return step }
    let rest = pace.restMilliseconds(now: crosspoint_monotonic_ns())
    if rest > 0, isWoken(withinMilliseconds: rest) { return .woken }
    return waitForFrames()
  }

  @_noLocks @_noAllocation
  func read(frames: Int, into rows: AudioRows) -> DeviceStep {
    guard let capture else {
      for row in 0..<rows.inputCount {
        rows.inputs[row].update(repeating: 0, count: frames)
      }
      return .ready(frames: frames)
    }
    let code = capture.pointee.readFrames(frames)
    guard code == 0 else { return recover(from: code) }
    convert(capture.pointee.frames, count: frames, into: rows)
    return .ready(frames: frames)
  }

  @_noLocks @_noAllocation
  func write(frames: Int, from rows: AudioRows) -> DeviceStep {
    if let playback {
      convert(rows, count: frames, into: playback.pointee.frames)
      let code = playback.pointee.writeFrames(frames)
      guard code == 0 else { return recover(from: code) }
    }
    trouble.attempts = 0
    return .ready(frames: frames)
  }

  @_noLocks @_noAllocation
  func halt() {
    stop()
  }

  /// Whether the wake-up came before the time was over; the cards are not looked at.
  @_noLocks @_noAllocation
  func isWoken(withinMilliseconds milliseconds: Int32) -> Bool {
    let wake = descriptors + captureDescriptorCount
    wake.pointee.revents = 0
    return PCM.poll(wake, count: 1, milliseconds: milliseconds) > 0 && wake.pointee.revents != 0
  }

  /// Waits until both directions have a step, or the wake-up comes, or nothing moves any more.
  @_noLocks @_noAllocation
  private func waitForFrames() -> DeviceStep {
    let deadline = crosspoint_monotonic_ns() &+ stallNanoseconds
    var captureReady = capture == nil
    var playbackReady = playback == nil
    var fruitless = 0
    while true {
      // A direction that is ready is left out, or it would end every poll at once.
      let first = captureReady ? captureDescriptorCount : 0
      let last = playbackReady ? captureDescriptorCount &+ 1 : descriptorCount
      let left = deadline &- crosspoint_monotonic_ns()
      guard left > 0 else { return recover(from: -ETIMEDOUT) }
      clearEvents()
      _ = PCM.poll(
        descriptors + first, count: last &- first,
        milliseconds: Int32(clamping: left / 1_000_000 &+ 1))
      if descriptors[captureDescriptorCount].revents != 0 { return .woken }

      let before = (captureReady, playbackReady)
      if let capture, !captureReady {
        let frames = capture.pointee.framesAfterPoll()
        guard frames >= 0 else { return recover(from: Int32(clamping: frames)) }
        captureReady = frames >= stepFrames
      }
      if let playback, !playbackReady {
        let frames = playback.pointee.framesAfterPoll()
        guard frames >= 0 else { return recover(from: Int32(clamping: frames)) }
        playbackReady = frames >= stepFrames
      }
      if captureReady, playbackReady {
        pace.step(now: crosspoint_monotonic_ns())
        return .ready(frames: stepFrames)
      }
      if before == (captureReady, playbackReady) {
        // A device may wake for nothing now and then, but must not keep the processor busy.
        fruitless &+= 1
        if fruitless > 8, isWoken(withinMilliseconds: 5) { return .woken }
      }
    }
  }

  @_noLocks @_noAllocation
  private func clearEvents() {
    var index = 0
    while index < descriptorCount {
      descriptors[index].revents = 0
      index &+= 1
    }
  }

  // The next two are vouched for: converters and board outlive the audio thread, so the references
  // that are counted here free nothing. What they call is proven where it is written.

  @_semantics("no_performance_analysis") @inline(never)
  private func convert(_ frames: UnsafeRawPointer, count: Int, into rows: AudioRows) {
    let counts = captureConverter.read(
      frames, count: count, into: rows.inputs, rowCount: rows.inputCount,
      faults: rows.inputFaults)
    rows.board.count(.nonFiniteSamples, by: UInt64(counts.nonFinite))
  }

  @_semantics("no_performance_analysis") @inline(never)
  private func convert(_ rows: AudioRows, count: Int, into frames: UnsafeMutableRawPointer) {
    let counts = playbackConverter.write(
      frames, count: count, from: rows.outputs, rowCount: rows.outputCount)
    rows.board.count(.clippedSamples, by: UInt64(counts.clipped))
    rows.board.count(.nonFiniteSamples, by: UInt64(counts.nonFinite))
  }
}
