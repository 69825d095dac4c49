import MatrixCore
import TestSupport
import Testing

/// Rows of floats and the table that converters want.
private final class Rows {
  let table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let count: Int
  let frames: Int

  init(_ count: Int, frames: Int, filledWith value: Float = .nan) {
    self.count = count
    self.frames = frames
    table = .allocate(capacity: count)
    for row in 0..<count {
      (table + row).initialize(to: .allocate(capacity: frames))
      table[row].initialize(repeating: value, count: frames)
    }
  }

  deinit {
    for row in 0..<count { table[row].deallocate() }
    table.deallocate()
  }

  func values(_ row: Int) -> [Float] {
    Array(UnsafeBufferPointer(start: table[row], count: frames))
  }
}

private func decode(_ bytes: [UInt8], _ format: SampleFormat) -> (Float, SampleCounts) {
  let rows = Rows(1, frames: 1)
  let converter = SampleConverter(format: format, channels: 1)
  let counts = bytes.withUnsafeBytes { bytes in
    bytes.baseAddress.map { converter.read($0, count: 1, into: rows.table, rowCount: 1) }
  }
  return (rows.values(0)[0], counts ?? SampleCounts(clipped: -1))
}

private func encode(_ value: Float, _ format: SampleFormat) -> ([UInt8], SampleCounts) {
  let rows = Rows(1, frames: 1, filledWith: value)
  let converter = SampleConverter(format: format, channels: 1)
  var bytes = [UInt8](repeating: 0x77, count: format.bytesPerSample)
  let counts = bytes.withUnsafeMutableBytes { bytes in
    bytes.baseAddress.map { converter.write($0, count: 1, from: rows.table, rowCount: 1) }
  }
  return (bytes, counts ?? SampleCounts(clipped: -1))
}

struct SampleConverterTests {
  @Test("PC-08: three bytes, the low three of four and the upper of four all mean the same sample")
  func namesOfTwentyFourBits() {
    let expected = Float(-1_193_046) / 8_388_608
    #expect(decode([0xAA, 0xCB, 0xED], .signed24Packed).0 == expected)
    #expect(decode([0xAA, 0xCB, 0xED, 0x55], .signed24).0 == expected)
    #expect(decode([0xAA, 0xCB, 0xED, 0x00], .signed24).0 == expected)
    #expect(decode([0xAA, 0xCB, 0xED, 0xFF], .signed24).0 == expected)
    #expect(decode([0x00, 0xAA, 0xCB, 0xED], .signed32).0 == expected)
    #expect(encode(expected, .signed24Packed).0 == [0xAA, 0xCB, 0xED])
    #expect(encode(expected, .signed24).0 == [0xAA, 0xCB, 0xED, 0xFF])
    #expect(encode(expected, .signed32).0 == [0x00, 0xAA, 0xCB, 0xED])
    #expect(encode(0.5, .signed24).0 == [0x00, 0x00, 0x40, 0x00])
  }

  @Test("GD-05: a sample that is not finite becomes 0 and is counted, coming and going")
  func mendsWhatIsNotFinite() {
    for bits: UInt32 in [0x7FC0_0000, 0x7F80_0000, 0xFF80_0000, 0xFFFF_FFFF] {
      let bytes = withUnsafeBytes(of: bits.littleEndian) { Array($0) }
      let (value, counts) = decode(bytes, .float32)
      #expect(value == 0)
      #expect(counts == SampleCounts(nonFinite: 1))
      for format in SampleFormat.allCases {
        let (written, counts) = encode(Float(bitPattern: bits), format)
        #expect(written.allSatisfy { $0 == 0 }, "\(format.name)")
        #expect(counts == SampleCounts(nonFinite: 1), "\(format.name)")
      }
    }
    // Loud is not broken.
    let loud = decode(withUnsafeBytes(of: Float(4).bitPattern.littleEndian) { Array($0) }, .float32)
    #expect(loud.0 == 4)
    #expect(loud.1 == SampleCounts())
  }

  @Test("GD-08: beyond full scale every format saturates on both sides and counts it")
  func saturates() {
    let highest: [SampleFormat: [UInt8]] = [
      .signed16: [0xFF, 0x7F], .signed24Packed: [0xFF, 0xFF, 0x7F],
      .signed24: [0xFF, 0xFF, 0x7F, 0x00], .signed32: [0xFF, 0xFF, 0xFF, 0x7F],
      .float32: [0x00, 0x00, 0x80, 0x3F],
    ]
    let lowest: [SampleFormat: [UInt8]] = [
      .signed16: [0x00, 0x80], .signed24Packed: [0x00, 0x00, 0x80],
      .signed24: [0x00, 0x00, 0x80, 0xFF], .signed32: [0x00, 0x00, 0x00, 0x80],
      .float32: [0x00, 0x00, 0x80, 0xBF],
    ]
    for format in SampleFormat.allCases {
      for loud: Float in [1.0001, 2, 1e9, 3e38] {
        let (above, aboveCounts) = encode(loud, format)
        #expect(above == highest[format], "\(format.name) \(loud)")
        #expect(aboveCounts == SampleCounts(clipped: 1), "\(format.name) \(loud)")
        let (below, belowCounts) = encode(-loud, format)
        #expect(below == lowest[format], "\(format.name) \(-loud)")
        #expect(belowCounts == SampleCounts(clipped: 1), "\(format.name) \(-loud)")
      }
      // +1 is one code too much for integers, and just right for floats; -1 is right for all.
      let (full, fullCounts) = encode(1, format)
      #expect(full == highest[format], "\(format.name)")
      #expect(fullCounts.clipped == (format == .float32 ? 0 : 1), "\(format.name)")
      let (down, downCounts) = encode(-1, format)
      #expect(down == lowest[format], "\(format.name)")
      #expect(downCounts.clipped == 0, "\(format.name)")
    }
  }

  @Test("GD-09: every one of the 65,536 codes of 16 bits comes back as it was")
  func keepsEverySixteenBitCode() {
    expectRoundTrip(of: .signed16, codes: Int32(Int16.min)...Int32(Int16.max))
  }

  @Test(
    "GD-09: every one of the 16.7 million codes of 24 bits comes back as it was",
    arguments: [SampleFormat.signed24, .signed24Packed])
  func keepsEveryTwentyFourBitCode(format: SampleFormat) {
    expectRoundTrip(of: format, codes: -8_388_608...8_388_607)
  }

  private func expectRoundTrip(of format: SampleFormat, codes: ClosedRange<Int32>) {
    let channels = 8
    let frames = 4096
    let bytesPerSample = format.bytesPerSample
    let reader = SampleConverter(format: format, channels: channels)
    let writer = SampleConverter(format: format, channels: channels)
    let rows = Rows(channels, frames: frames)
    let size = frames * channels * bytesPerSample
    let source = UnsafeMutableRawPointer.allocate(byteCount: size + 4, alignment: 4)
    let target = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 4)
    defer {
      source.deallocate()
      target.deallocate()
    }
    var wrong = 0
    var next = codes.lowerBound
    while next <= codes.upperBound {
      let first = next
      for index in 0..<(frames * channels) {
        // Packed samples overlap the next one, which is written after them.
        source.storeBytes(of: next, toByteOffset: index * bytesPerSample, as: Int32.self)
        next += 1
      }
      let read = reader.read(source, count: frames, into: rows.table, rowCount: channels)
      let written = writer.write(target, count: frames, from: rows.table, rowCount: channels)
      if read != SampleCounts() || written != SampleCounts() { wrong += 1 }
      let values = UnsafeRawBufferPointer(start: source, count: size)
      let others = UnsafeRawBufferPointer(start: target, count: size)
      if !values.elementsEqual(others) { wrong += 1 }
      if rows.table[1][0] != Float(first + 1) / Float(-codes.lowerBound) { wrong += 1 }
    }
    #expect(wrong == 0)
    #expect(next == codes.upperBound + 1)
  }

  @Test("32 bits keep the upper 24 of every sample, and full scale keeps its sign")
  func thirtyTwoBits() {
    #expect(decode([0xFF, 0xFF, 0xFF, 0x7F], .signed32).0 == 1)
    #expect(decode([0x00, 0x00, 0x00, 0x80], .signed32).0 == -1)
    for value: Float in [0x1p-31, -0x1p-31, 0.1, -0.1, 0.999_999_94, -0.999_999_94, 1e-7] {
      let (bytes, counts) = encode(value, .signed32)
      let code = bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
      #expect(Int32(bitPattern: code) == Int32((Double(value) * 0x1p31).rounded(.toNearestOrEven)))
      #expect(counts == SampleCounts())
    }
  }

  @Test("Values between two codes go to the nearer one")
  func roundsToNearest() {
    for (value, code) in [(0.4, 0), (0.6, 1), (-0.4, 0), (-0.6, -1), (99.49, 99), (-99.51, -100)] {
      let (bytes, _) = encode(Float(value / 32_768), .signed16)
      #expect(Int16(truncatingIfNeeded: Int(bytes[0]) | Int(bytes[1]) << 8) == Int16(code))
    }
  }

  @Test(
    "Frames and rows of any number find each other, at any length, in every format",
    arguments: SampleFormat.allCases)
  func carriesEveryShape(format: SampleFormat) {
    for channels in [1, 2, 3, 4, 5, 7, 8, 13, 18, 128] {
      for rowCount in [1, 2, 3, 4, 6, 8, 17, 130] {
        for (frames, offset) in [(1, 0), (3, 5), (16, 0), (37, 1), (64, 2)] {
          carry(format, channels: channels, rowCount: rowCount, frames: frames, offset: offset)
        }
      }
    }
  }

  private func carry(
    _ format: SampleFormat, channels: Int, rowCount: Int, frames: Int, offset: Int
  ) {
    let sent = Rows(rowCount, frames: frames + offset)
    for row in 0..<rowCount {
      for frame in 0..<frames {
        sent.table[row][offset + frame] = Float((row * 251 + frame * 7) % 4001 - 2000) / 32_768
      }
    }
    let size = channels * format.bytesPerSample * frames
    // Bytes behind the frames must stay as they are.
    var bytes = [UInt8](repeating: 0xA5, count: size + 8)
    let writer = SampleConverter(format: format, channels: channels)
    let reader = SampleConverter(format: format, channels: channels)
    let got = Rows(rowCount, frames: frames + offset)
    bytes.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      for _ in 0..<2 {
        let counts = writer.write(
          base, count: frames, from: sent.table, rowCount: rowCount, at: offset)
        #expect(counts == SampleCounts())
      }
      _ = reader.read(base, count: frames, into: got.table, rowCount: rowCount, at: offset)
    }
    #expect(bytes[size...].allSatisfy { $0 == 0xA5 })
    for row in 0..<rowCount {
      let expected =
        row < channels
        ? Array(sent.values(row)[offset...]) : [Float](repeating: 0, count: frames)
      #expect(Array(got.values(row)[offset...]) == expected)
      #expect(got.values(row)[..<offset].allSatisfy { $0.isNaN })
    }
    for channel in stride(from: rowCount, to: channels, by: 1) {
      let bytesPerSample = format.bytesPerSample
      let start = channel * bytesPerSample
      #expect(bytes[start..<(start + bytesPerSample)].allSatisfy { $0 == 0 })
    }
  }

  @Test("Dither is triangular, has no offset, and touches 16 bits only, only when asked")
  func dithers() {
    let frames = 65_536
    let rows = Rows(1, frames: frames, filledWith: 100.25 / 32_768)
    var codes = [Int16](repeating: 0, count: frames)
    let converter = SampleConverter(format: .signed16, channels: 1, dither: true)
    codes.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      _ = converter.write(base, count: frames, from: rows.table, rowCount: 1)
    }
    let mean = codes.reduce(0) { $0 + Double($1) } / Double(frames)
    #expect(abs(mean - 100.25) < 0.02)
    #expect(Set(codes) == [99, 100, 101])
    // Triangular noise keeps the power of the error the same wherever the value lies: 1/4 code.
    let power = codes.reduce(0) { $0 + (Double($1) - 100.25) * (Double($1) - 100.25) }
    #expect(abs(power / Double(frames) - 0.25) < 0.02)
    let wide = SampleConverter(format: .signed16, channels: 3, dither: true)
    var frame = [Int16](repeating: 7, count: 3 * 64)
    frame.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      for _ in 0..<3 { _ = wide.write(base, count: 64, from: rows.table, rowCount: 1) }
    }
    #expect(frame.indices.allSatisfy { $0 % 3 == 0 || frame[$0] == 0 })
    #expect(!SampleConverter(format: .signed24, channels: 1, dither: true).dithers)
    #expect(!SampleConverter(format: .signed16, channels: 1).dithers)
  }

  @Test("Samples that are not finite are counted at the rows that they were meant for")
  func faults() {
    let renderer = Renderer(
      shape: shape(3, 1), rate: 48_000,
      tauSeconds: 0.005, maximumFrames: 64)
    let frames = 50
    var samples = [Float](repeating: 0.5, count: 4 * frames)
    samples[4 * 3 + 1] = .nan
    samples[4 * 20 + 1] = -.nan
    samples[4 * 21 + 1] = .infinity
    samples[4 * 49 + 2] = -.infinity
    // A channel without a row.
    samples[4 * 7 + 3] = .nan
    let converter = SampleConverter(format: .float32, channels: 4)
    let rows = Rows(3, frames: frames)
    let counts = samples.withUnsafeBytes { bytes in
      bytes.baseAddress.map {
        converter.read(
          $0, count: frames, into: rows.table, rowCount: 3, faults: renderer.inputFaults)
      }
    }
    #expect(counts?.nonFinite == 5)
    #expect(renderer.inputFaults.faults(of: 0) == SampleFaults())
    #expect(renderer.inputFaults.faults(of: 1) == SampleFaults(notANumber: 2, infinite: 1))
    #expect(renderer.inputFaults.faults(of: 2) == SampleFaults(infinite: 1))
  }
}
