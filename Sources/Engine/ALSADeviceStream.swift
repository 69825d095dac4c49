import ALSA
import Glibc
import MatrixCore

/// One direction of an ALSA device, with the memory that its samples pass through.
///
/// Lives behind a pointer, so that the audio thread counts no references.
struct ALSADeviceStream: ~Copyable {
  let pcm: PCM
  var grant: PCMGrant
  /// What to poll for, in an array that the device owns.
  private(set) var descriptors: UnsafeMutablePointer<pollfd>?
  private(set) var descriptorCount = 0
  /// Memory for so many interleaved frames.
  private(set) var frames: UnsafeMutableRawPointer
  private var capacityFrames = 0
  private var frameBytes = 0

  /// Takes a device that has been opened and configured.
  init(_ pcm: consuming PCM, grant: PCMGrant) {
    self.pcm = pcm
    self.grant = grant
    frames = .allocate(byteCount: 1, alignment: 64)
  }

  deinit {
    frames.deallocate()
  }

  // MARK: Keeper thread

  /// Makes room for so many frames, the most that are moved at once, and for a whole buffer.
  mutating func makeRoom(frames count: Int) {
    let count = max(count, grant.bufferFrames)
    capacityFrames = count
    frameBytes = grant.frameBytes
    frames.deallocate()
    frames = .allocate(byteCount: count * frameBytes, alignment: 64)
    frames.initializeMemory(as: UInt8.self, repeating: 0, count: count * frameBytes)
  }

  /// Finds out what to poll for; the buffer is kept, and outlives the stream.
  mutating func poll(with buffer: UnsafeMutableBufferPointer<pollfd>) throws(ALSAError) {
    descriptorCount = try pcm.fillPollDescriptors(buffer)
    descriptors = buffer.baseAddress
  }

  /// Makes the converter for this stream's frames.
  func makeConverter() -> SampleConverter {
    SampleConverter(format: SampleFormat(grant.format), channels: grant.channels)
  }

  // MARK: Audio thread

  /// How many frames can be moved, at most what the buffer holds, or a negative error number.
  var availableFrames: Int {
    @_noLocks @_noAllocation get {
      let available = pcm.availableFrames
      // A device that says that it cannot tell right now is a device that is not ready.
      return available == Int(-EAGAIN) ? 0 : min(available, grant.bufferFrames)
    }
  }

  /// How many frames can be moved after a poll, or a negative error number.
  @_noLocks @_noAllocation
  func framesAfterPoll() -> Int {
    guard let descriptors else { return availableFrames }
    var hasEvents = false
    var index = 0
    while index < descriptorCount {
      if descriptors[index].revents != 0 { hasEvents = true }
      index &+= 1
    }
    if hasEvents {
      let events = pcm.events(descriptors, count: descriptorCount)
      if events & (POLLERR | POLLHUP | POLLNVAL) != 0 {
        switch pcm.state {
        case .disconnected: return Int(-ENODEV)
        case .suspended: return Int(-ESTRPIPE)
        case .xrun: return Int(-EPIPE)
        default: if events & POLLNVAL != 0 { return Int(-ENODEV) }
        }
      }
    }
    return availableFrames
  }

  /// Reads so many frames into memory; 0, or a negative error number.
  @_noLocks @_noAllocation
  func readFrames(_ count: Int) -> Int32 {
    var done = 0
    var fruitless = 0
    while done < count {
      let moved = pcm.read(into: frames + done &* frameBytes, frames: count &- done)
      let code = settle(moved, fruitless: &fruitless)
      guard code == 0 else { return code }
      done &+= max(moved, 0)
    }
    return 0
  }

  /// Writes so many frames from memory; 0, or a negative error number.
  @_noLocks @_noAllocation
  func writeFrames(_ count: Int) -> Int32 {
    var done = 0
    var fruitless = 0
    while done < count {
      let moved = pcm.write(from: frames + done &* frameBytes, frames: count &- done)
      let code = settle(moved, fruitless: &fruitless)
      guard code == 0 else { return code }
      done &+= max(moved, 0)
    }
    return 0
  }

  /// Fills the device's buffer with silence; 0, or a negative error number.
  @_noLocks @_noAllocation
  func prefill() -> Int32 {
    frames.initializeMemory(as: UInt8.self, repeating: 0, count: capacityFrames &* frameBytes)
    var done = 0
    while done < grant.bufferFrames {
      let moved = pcm.write(from: frames, frames: grant.bufferFrames &- done)
      if moved <= 0 {
        // Nothing leaves a device that does not run yet: what does not go in now never will.
        guard done == 0 else { break }
        return moved == 0 ? -ETIMEDOUT : Int32(clamping: moved)
      }
      done &+= moved
    }
    return 0
  }

  /// What to do after a transfer of which `moved` frames were done: go on (0), or give up.
  @_noLocks @_noAllocation
  private func settle(_ moved: Int, fruitless: inout Int) -> Int32 {
    if moved > 0 {
      fruitless = 0
      return 0
    }
    guard moved == 0 || moved == Int(-EAGAIN) || moved == Int(-EINTR) else {
      return Int32(clamping: moved)
    }
    fruitless &+= 1
    // A transfer that was begun is waited for this often, 20 ms each, before it counts as stuck.
    guard fruitless < 10 else { return -ETIMEDOUT }
    if let descriptors {
      _ = PCM.poll(descriptors, count: descriptorCount, milliseconds: 20)
    }
    return 0
  }
}

extension SampleFormat {
  fileprivate init(_ format: PCMFormat) {
    switch format {
    case .s32: self = .signed32
    case .s24Packed: self = .signed24Packed
    case .s24: self = .signed24
    case .float: self = .float32
    case .s16: self = .signed16
    }
  }
}
