import MatrixCore

/// A WAV file in memory, played into rows.
///
/// Opened by the keeper; then used by one thread at a time, which neither locks nor allocates.
final class FilePlayer {
  /// The most memory that a file may take, in bytes: about 45 minutes of stereo at 48 kHz.
  private static let maximumBytes: Int64 = 1 << 30

  private let samples: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let channels: Int
  private let frameCount: Int
  private let isRepeated: Bool
  private let position: UnsafeMutablePointer<Int>

  /// Reads a whole file; throws when it cannot be read, is empty or too long, or has another rate.
  init(path: String, rate: Int, channels: Int, isRepeated: Bool) throws(DeviceError) {
    do throws(WAVError) {
      let reader = try WAVReader(path: path)
      guard reader.rate == rate else {
        throw WAVError("\(path) has \(reader.rate) Hz, not \(rate); start with --rate.")
      }
      let used = min(channels, reader.channels)
      guard reader.frameCount > 0 else { throw WAVError("\(path) has no frames.") }
      guard reader.frameCount * Int64(used) * 4 <= Self.maximumBytes else {
        throw WAVError("\(path) does not fit the 1 GiB of memory that a file may take; cut it.")
      }
      let frames = Int(reader.frameCount)
      self.channels = used
      frameCount = frames
      samples = .allocate(capacity: used)
      for channel in 0..<used {
        (samples + channel).initialize(to: .allocate(capacity: frames))
        samples[channel].initialize(repeating: 0, count: frames)
      }
      position = .allocate(capacity: 1)
      position.initialize(to: 0)
      self.isRepeated = isRepeated
      var counts = SampleCounts()
      _ = try reader.read(frames: frames, into: samples, rowCount: used, counts: &counts)
    } catch {
      throw DeviceError(error.sentence, isPermanent: true)
    }
  }

  deinit {
    for channel in 0..<channels { samples[channel].deallocate() }
    samples.deallocate()
    position.deallocate()
  }

  /// Writes the next frames, silence where the file has no channel or no more; answers whether
  /// there was anything left to play.
  @_noLocks @_noAllocation
  func read(frames: Int, into rows: UnsafePointer<UnsafeMutablePointer<Float>>, rowCount: Int)
    -> Bool
  {
    if position.pointee == frameCount { return false }
    var done = 0
    while done < frames {
      let left = frameCount &- position.pointee
      // A file that is over fills up with silence, which has no end.
      let length = left == 0 ? frames &- done : min(frames &- done, left)
      var row = 0
      while row < rowCount {
        let target = rows[row] + done
        if left > 0, row < channels {
          // A loop that becomes a copy: `update(from:)` is not proved to leave the heap alone.
          let source = samples[row] + position.pointee
          for frame in 0..<length { target[frame] = source[frame] }
        } else {
          target.update(repeating: 0, count: length)
        }
        row &+= 1
      }
      if left > 0 { position.pointee &+= length }
      if isRepeated, position.pointee == frameCount { position.pointee = 0 }
      done &+= length
    }
    return true
  }
}
