import Glibc
import MatrixCore

/// Writes 32-bit float frames to a WAV file.
///
/// Any one thread; it blocks and allocates, so never the audio thread. The file is whole only
/// after `finish`.
public final class WAVWriter {
  /// The most bytes of samples that the format can say.
  static let maximumDataBytes: Int64 = 0xFFFF_FFFF - 128

  /// Channels of a frame.
  public let channels: Int

  private let path: String
  private var file: UnsafeMutablePointer<FILE>?
  private let rate: Int
  private let converter: SampleConverter
  private var buffer: [UInt8]
  private var dataBytes: Int64 = 0
  private static let bufferFrames = 1024

  /// Creates a file, or replaces what is there.
  ///
  /// `frameCount` is how many frames are to come, or nil when nobody knows; throws when they would
  /// not fit the format's 4 GiB, or the file cannot be written.
  public init(path: String, channels: Int, rate: Int, frameCount: Int64? = nil) throws(WAVError) {
    precondition(channels > 0 && channels <= 0xFFFF && rate > 0, "a frame and a rate")
    self.path = path
    self.channels = channels
    self.rate = rate
    converter = SampleConverter(format: .float32, channels: channels)
    buffer = [UInt8](repeating: 0, count: Self.bufferFrames * converter.bytesPerFrame)
    if let frameCount, frameCount > Self.maximumDataBytes / Int64(converter.bytesPerFrame) {
      throw Self.tooLong(path)
    }
    guard let file = fopen(path, "wbe") else {
      throw WAVError("\(path) cannot be written: \(String(cString: strerror(errno))).")
    }
    self.file = file
    try write(header())
  }

  deinit {
    if let file { fclose(file) }
  }

  /// Appends frames from rows, one row for each channel, saturated at full scale; adds to `counts`
  /// what had to be mended.
  public func write(
    frames: Int, from rows: UnsafePointer<UnsafeMutablePointer<Float>>, rowCount: Int,
    counts: inout SampleCounts
  ) throws(WAVError) {
    var done = 0
    while done < frames {
      let length = min(frames - done, Self.bufferFrames)
      let bytes = length * converter.bytesPerFrame
      guard dataBytes + Int64(bytes) <= Self.maximumDataBytes else { throw Self.tooLong(path) }
      let mended = buffer.withUnsafeMutableBytes { (bytes) -> SampleCounts in
        guard let base = bytes.baseAddress else { return SampleCounts() }
        return converter.write(base, count: length, from: rows, rowCount: rowCount, at: done)
      }
      counts.clipped += mended.clipped
      counts.nonFinite += mended.nonFinite
      try write(buffer[0..<bytes])
      dataBytes += Int64(bytes)
      done += length
    }
  }

  /// Writes the final sizes and closes the file; nothing is written after it.
  public func finish() throws(WAVError) {
    guard let file else { return }
    let isWritten = fseeko(file, 0, SEEK_SET) == 0
    if isWritten { try write(header()) }
    self.file = nil
    guard fclose(file) == 0, isWritten else { throw failure() }
  }

  private func write(_ bytes: some Collection<UInt8>) throws(WAVError) {
    guard let file else { throw WAVError("\(path) is closed already.") }
    let written = bytes.withContiguousStorageIfAvailable {
      fwrite($0.baseAddress, 1, $0.count, file)
    }
    guard written == bytes.count else { throw failure() }
  }

  private func failure() -> WAVError {
    WAVError("\(path) cannot be written: \(String(cString: strerror(errno))).")
  }

  private static func tooLong(_ path: String) -> WAVError {
    WAVError("\(path) would be longer than the 4 GiB that a WAV file can have; render less.")
  }

  /// Everything before the samples; the sizes are those of what has been written so far.
  private func header() -> [UInt8] {
    // More than two channels need the extensible form, with no speakers named.
    let isExtensible = channels > 2
    var format: [UInt8] = []
    format.append(uint16: isExtensible ? 0xFFFE : 3)
    format.append(uint16: channels)
    format.append(uint32: rate)
    format.append(uint32: rate * converter.bytesPerFrame)
    format.append(uint16: converter.bytesPerFrame)
    format.append(uint16: 32)
    format.append(uint16: isExtensible ? 22 : 0)
    if isExtensible {
      format.append(uint16: 32)
      format.append(uint32: 0)
      format.append(uint16: 3)
      format += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    var header = Array("RIFF".utf8)
    header.append(uint32: 4 + 8 + format.count + 12 + 8 + Int(dataBytes))
    header += Array("WAVEfmt ".utf8)
    header.append(uint32: format.count)
    header += format
    header += Array("fact".utf8)
    header.append(uint32: 4)
    header.append(uint32: Int(dataBytes) / converter.bytesPerFrame)
    header += Array("data".utf8)
    header.append(uint32: Int(dataBytes))
    return header
  }
}

extension [UInt8] {
  fileprivate mutating func append(uint16 value: Int) {
    append(UInt8(truncatingIfNeeded: value))
    append(UInt8(truncatingIfNeeded: value >> 8))
  }

  fileprivate mutating func append(uint32 value: Int) {
    append(uint16: value)
    append(uint16: value >> 16)
  }
}
