import Files
import Glibc
import MatrixCore

/// Writes 32-bit float frames to a WAV file.
///
/// Any one thread; it blocks and allocates, so never the audio thread. The file takes its place,
/// and that of an older one, with `finish`; without it everything stays as it was. What is no
/// ordinary file, such as a pipe, and the standard output are written as it comes.
public final class WAVWriter {
  /// The most bytes of samples that the format can say.
  static let maximumDataBytes: Int64 = 0xFFFF_FFFF - 128

  /// Channels of a frame.
  public let channels: Int

  private let path: String
  private var file: UnsafeMutablePointer<FILE>?
  private let fresh: FreshFile?
  private let rate: Int
  private let announcedBytes: Int64
  private let converter: SampleConverter
  private var buffer: [UInt8]
  private var dataBytes: Int64 = 0
  private static let bufferFrames = 1024
  /// What programs say that write to a pipe and do not know the length.
  private static let unknownBytes: Int64 = 0xFFFF_FFFF

  /// Begins a file.
  ///
  /// `frameCount` is how many frames are to come, or nil when nobody knows; throws when they would
  /// not fit the format's 4 GiB, or the file cannot be written.
  public init(path: String, channels: Int, rate: Int, frameCount: Int64? = nil) throws(WAVError) {
    precondition(channels > 0 && channels <= 0xFFFF && rate > 0, "a frame and a rate")
    self.path = path
    self.channels = channels
    self.rate = rate
    converter = SampleConverter(format: .float32, channels: channels)
    let bytesPerFrame = converter.bytesPerFrame
    buffer = [UInt8](repeating: 0, count: Self.bufferFrames * bytesPerFrame)
    if let frameCount, frameCount > Self.maximumDataBytes / Int64(bytesPerFrame) {
      throw Self.tooLong(path)
    }
    announcedBytes = frameCount.map { $0 * Int64(bytesPerFrame) } ?? Self.unknownBytes
    do throws(FileError) {
      fresh = try Self.begin(path)
    } catch {
      throw WAVError(error.sentence)
    }
    file = fresh.map { fdopen(dup($0.descriptor), "wb") } ?? fopen(path, "wbe")
    guard file != nil else { throw failure() }
    try write(header(dataBytes: announcedBytes))
  }

  /// What is to take the place of an ordinary file; nothing where it is written as it comes.
  private static func begin(_ path: String) throws(FileError) -> FreshFile? {
    let kind = path.hasSuffix("/") ? FileKind.folder : FileKind(of: path)
    switch kind {
    case .folder:
      throw FileError("\(path) is a folder; give the name of a WAV file.")
    case .device, .pipe, .socket:
      return nil
    case .nothing, .file:
      if kind == .file, isStandardOutput(path) { return nil }
      // A folder's right is enough to replace a file that is not to be written.
      guard kind == .nothing || access(path, W_OK) == 0 else { throw .writing(path) }
      return try FreshFile(
        for: try FilePath.target(of: path), suffix: ".tmp-\(getpid())", mode: 0o666,
        isHidden: true)
    }
  }

  /// Whether a path means what the program writes its words to.
  package static func isStandardOutput(_ path: String) -> Bool {
    guard let identity = FileIdentity(of: STDOUT_FILENO) else { return false }
    return identity == FileIdentity(of: path)
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

  /// Writes the final sizes and puts the file in its place; nothing is written after it.
  public func finish() throws(WAVError) {
    guard let file else { return }
    if dataBytes != announcedBytes {
      // Who reads a pipe has got the sizes already, or that nobody knows them.
      if fseeko(file, 0, SEEK_SET) == 0 {
        try write(header(dataBytes: dataBytes))
      } else if announcedBytes != Self.unknownBytes {
        throw failure()
      }
    }
    self.file = nil
    guard fclose(file) == 0 else { throw failure() }
    do throws(FileError) {
      try fresh?.takePlace()
    } catch {
      throw WAVError(error.sentence)
    }
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

  /// Everything before so many bytes of samples.
  private func header(dataBytes: Int64) -> [UInt8] {
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
    let bytes = 4 + 8 + format.count + 12 + 8 + Int(dataBytes)
    header.append(uint32: min(bytes, Int(Self.unknownBytes)))
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
