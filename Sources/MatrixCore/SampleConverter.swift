/// Carries samples between interleaved frames of one format and planar rows of floats.
///
/// One converter serves one direction of one stream. Made anywhere; then used by one thread at a
/// time, which neither locks nor allocates. The number of channels in a frame and the number of
/// rows are independent of each other: channels without a row are skipped on the way in and 0 on
/// the way out, rows without a channel are 0 on the way in and ignored on the way out.
public final class SampleConverter {
  /// How samples lie in the frames.
  public let format: SampleFormat
  /// Samples in a frame.
  public let channels: Int
  /// Whether 16-bit output is dithered; never true for other formats.
  public let dithers: Bool

  // A tile of frames, converted and still interleaved, that stays in the first-level cache.
  private let tileFrames = 16
  private let tile: UnsafeMutablePointer<Float>
  private let codes: UnsafeMutablePointer<Int32>
  private let noise: UnsafeMutablePointer<Float>
  private let randomState: UnsafeMutablePointer<UInt32>

  /// Makes a converter for frames of so many channels.
  ///
  /// `dither` asks for triangular noise of ±1 code before 16-bit output is rounded; other formats
  /// do not need it and ignore the wish.
  public init(format: SampleFormat, channels: Int, dither: Bool = false) {
    precondition(channels > 0, "a frame has a channel")
    self.format = format
    self.channels = channels
    dithers = dither && format == .signed16
    let samples = channels * tileFrames
    tile = .allocate(capacity: samples)
    tile.initialize(repeating: 0, count: samples)
    codes = .allocate(capacity: samples)
    codes.initialize(repeating: 0, count: samples)
    noise = .allocate(capacity: samples)
    noise.initialize(repeating: 0, count: samples)
    randomState = .allocate(capacity: 1)
    randomState.initialize(to: 0x9E37_79B9)
  }

  deinit {
    tile.deallocate()
    codes.deallocate()
    noise.deallocate()
    randomState.deallocate()
  }

  /// The number of bytes of one frame.
  public var bytesPerFrame: Int {
    @_noLocks @_noAllocation get { channels &* format.bytesPerSample }
  }

  /// Converts frames to rows, from the place `at` of each row on.
  ///
  /// Values beyond full scale (floats only) are kept; the counts say how many were not finite, and
  /// `faults`, if there are any, of which rows.
  @_noLocks @_noAllocation
  public func read(
    _ frames: UnsafeRawPointer, count: Int, into rows: UnsafePointer<UnsafeMutablePointer<Float>>,
    rowCount: Int, at offset: Int = 0, faults: FaultCounters? = nil
  ) -> SampleCounts {
    let used = min(channels, rowCount)
    var nonFinite = 0
    var frame = 0
    while frame < count {
      let length = min(tileFrames, count &- frame)
      let source = frames + frame &* bytesPerFrame
      let found = format.decode(source, count: length &* channels, to: tile)
      nonFinite &+= found
      if found > 0, let faults { note(source, frames: length, used: used, in: faults) }
      scatter(frames: length, rows: rows, used: used, at: offset &+ frame)
      frame &+= length
    }
    var row = used
    while row < rowCount {
      (rows[row] + offset).update(repeating: 0, count: count)
      row &+= 1
    }
    return SampleCounts(nonFinite: nonFinite)
  }

  /// Converts rows, from the place `at` of each row on, to frames.
  @_noLocks @_noAllocation
  public func write(
    _ frames: UnsafeMutableRawPointer, count: Int,
    from rows: UnsafePointer<UnsafeMutablePointer<Float>>, rowCount: Int, at offset: Int = 0
  ) -> SampleCounts {
    let used = min(channels, rowCount)
    var counts = SampleCounts()
    var frame = 0
    while frame < count {
      let length = min(tileFrames, count &- frame)
      gather(frames: length, rows: rows, used: used, at: offset &+ frame)
      if dithers { makeNoise(frames: length, used: used) }
      let tileCounts = format.encode(
        tile, count: length &* channels, noise: dithers ? UnsafePointer(noise) : nil,
        codes: codes, to: frames + frame &* bytesPerFrame)
      counts.clipped &+= tileCounts.clipped
      counts.nonFinite &+= tileCounts.nonFinite
      frame &+= length
    }
    return counts
  }

  /// Looks for the rows of samples that are not finite, which only floats can be.
  @_noLocks @_noAllocation
  private func note(
    _ source: UnsafeRawPointer, frames: Int, used: Int, in faults: FaultCounters
  ) {
    for frame in 0..<frames {
      for channel in 0..<used {
        let place = 4 &* (frame &* channels &+ channel)
        let bits = source.loadUnaligned(fromByteOffset: place, as: UInt32.self)
        faults.note(Float(bitPattern: UInt32(littleEndian: bits)), of: channel)
      }
    }
  }

  /// From the tile to rows: blocks of 4 x 4 turned in registers, the rest one by one.
  @_noLocks @_noAllocation
  private func scatter(
    frames: Int, rows: UnsafePointer<UnsafeMutablePointer<Float>>, used: Int, at offset: Int
  ) {
    let blockChannels = used & ~3
    let blockFrames = frames & ~3
    var channel = 0
    while channel < blockChannels {
      let row0 = rows[channel] + offset
      let row1 = rows[channel &+ 1] + offset
      let row2 = rows[channel &+ 2] + offset
      let row3 = rows[channel &+ 3] + offset
      var frame = 0
      while frame < blockFrames {
        let source = UnsafeRawPointer(tile + (frame &* channels &+ channel))
        let stride = channels &* 4
        let a = source.loadUnaligned(as: SIMD4<Float>.self)
        let b = source.loadUnaligned(fromByteOffset: stride, as: SIMD4<Float>.self)
        let c = source.loadUnaligned(fromByteOffset: stride &* 2, as: SIMD4<Float>.self)
        let d = source.loadUnaligned(fromByteOffset: stride &* 3, as: SIMD4<Float>.self)
        store(SIMD4(a[0], b[0], c[0], d[0]), at: row0 + frame)
        store(SIMD4(a[1], b[1], c[1], d[1]), at: row1 + frame)
        store(SIMD4(a[2], b[2], c[2], d[2]), at: row2 + frame)
        store(SIMD4(a[3], b[3], c[3], d[3]), at: row3 + frame)
        frame &+= 4
      }
      channel &+= 4
    }
    channel = 0
    while channel < used {
      let row = rows[channel] + offset
      var frame = channel < blockChannels ? blockFrames : 0
      while frame < frames {
        row[frame] = tile[frame &* channels &+ channel]
        frame &+= 1
      }
      channel &+= 1
    }
  }

  /// From rows to the tile, whose unused channels stay 0.
  @_noLocks @_noAllocation
  private func gather(
    frames: Int, rows: UnsafePointer<UnsafeMutablePointer<Float>>, used: Int, at offset: Int
  ) {
    let blockChannels = used & ~3
    let blockFrames = frames & ~3
    var channel = 0
    while channel < blockChannels {
      let row0 = rows[channel] + offset
      let row1 = rows[channel &+ 1] + offset
      let row2 = rows[channel &+ 2] + offset
      let row3 = rows[channel &+ 3] + offset
      var frame = 0
      while frame < blockFrames {
        let target = tile + (frame &* channels &+ channel)
        let a = UnsafeRawPointer(row0 + frame).loadUnaligned(as: SIMD4<Float>.self)
        let b = UnsafeRawPointer(row1 + frame).loadUnaligned(as: SIMD4<Float>.self)
        let c = UnsafeRawPointer(row2 + frame).loadUnaligned(as: SIMD4<Float>.self)
        let d = UnsafeRawPointer(row3 + frame).loadUnaligned(as: SIMD4<Float>.self)
        store(SIMD4(a[0], b[0], c[0], d[0]), at: target)
        store(SIMD4(a[1], b[1], c[1], d[1]), at: target + channels)
        store(SIMD4(a[2], b[2], c[2], d[2]), at: target + channels &* 2)
        store(SIMD4(a[3], b[3], c[3], d[3]), at: target + channels &* 3)
        frame &+= 4
      }
      channel &+= 4
    }
    channel = 0
    while channel < used {
      let row = rows[channel] + offset
      var frame = channel < blockChannels ? blockFrames : 0
      while frame < frames {
        tile[frame &* channels &+ channel] = row[frame]
        frame &+= 1
      }
      channel &+= 1
    }
  }

  @inline(__always) @_noLocks @_noAllocation
  private func store(_ vector: SIMD4<Float>, at target: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(target).storeBytes(of: vector, as: SIMD4<Float>.self)
  }

  /// Triangular noise between -1 and 1 code: the difference of two even distributions.
  ///
  /// Channels without a row have none: they stay exactly 0.
  @_noLocks @_noAllocation
  private func makeNoise(frames: Int, used: Int) {
    var state = randomState.pointee
    var frame = 0
    while frame < frames {
      let target = noise + frame &* channels
      for channel in 0..<used {
        // Marsaglia's xorshift, 32 bits.
        state ^= state &<< 13
        state ^= state &>> 17
        state ^= state &<< 5
        let difference = Int32(state & 0xFFFF) &- Int32(state &>> 16)
        target[channel] = Float(difference) * 0x1p-16
      }
      frame &+= 1
    }
    randomState.pointee = state
  }
}
