import Files
import Glibc
import MatrixCore

/// Reads the frames of a WAV file one after the other.
///
/// PCM of 16, 24 and 32 bits and 32-bit float, plain or extensible, up to 4 GiB. Any one thread;
/// it blocks and allocates, so never the audio thread.
public final class WAVReader {
  /// Channels of a frame.
  public var channels: Int { header.channels }
  /// Frames per second.
  public var rate: Int { header.rate }
  /// How the samples lie in the file.
  public var format: SampleFormat { header.format }
  /// The number of frames.
  public let frameCount: Int64

  private let path: String
  private let file: UnsafeMutablePointer<FILE>
  private let header: WAVHeader
  private let converter: SampleConverter
  private var buffer: [UInt8]
  private var framesLeft: Int64
  private static let bufferFrames = 1024

  /// Opens a file and reads everything before its samples.
  ///
  /// Throws when the file cannot be read, is no WAV file, is damaged, or has samples of a kind
  /// that is not known.
  public init(path: String) throws(WAVError) {
    // To open a pipe that nobody writes to would take for ever.
    switch FileKind(of: path) {
    case .nothing, .file: break
    case .folder: throw WAVError("\(path) is a folder; give the name of a WAV file.")
    case .device, .pipe, .socket: throw Self.noFile(path)
    }
    guard let file = fopen(path, "rbe") else {
      throw WAVError("\(path) cannot be read: \(String(cString: strerror(errno))).")
    }
    do throws(WAVError) {
      let (header, dataBytes) = try Self.readChunks(of: file, path)
      let bytesPerFrame = Int64(header.channels * header.format.bytesPerSample)
      self.header = header
      frameCount = dataBytes / bytesPerFrame
      framesLeft = dataBytes / bytesPerFrame
    } catch {
      fclose(file)
      throw error
    }
    self.path = path
    self.file = file
    converter = SampleConverter(format: header.format, channels: header.channels)
    buffer = [UInt8](repeating: 0, count: Self.bufferFrames * converter.bytesPerFrame)
  }

  deinit {
    fclose(file)
  }

  /// Reads the next frames into rows, converted and finite; answers how many there were.
  ///
  /// Channels without a row are skipped; what lies beyond the end, and rows without a channel, is
  /// silent. Adds to `counts` the samples that were not finite.
  public func read(
    frames: Int, into rows: UnsafePointer<UnsafeMutablePointer<Float>>, rowCount: Int,
    counts: inout SampleCounts
  ) throws(WAVError) -> Int {
    var done = 0
    while done < frames, framesLeft > 0 {
      let length = min(frames - done, Self.bufferFrames, Int(framesLeft))
      let bytes = length * converter.bytesPerFrame
      guard fread(&buffer, 1, bytes, file) == bytes else {
        throw WAVError("\(path) cannot be read to its end.")
      }
      let mended = buffer.withUnsafeBytes { (bytes) -> SampleCounts in
        guard let base = bytes.baseAddress else { return SampleCounts() }
        return converter.read(base, count: length, into: rows, rowCount: rowCount, at: done)
      }
      counts.nonFinite += mended.nonFinite
      done += length
      framesLeft -= Int64(length)
    }
    for row in 0..<rowCount {
      (rows[row] + done).update(repeating: 0, count: frames - done)
    }
    return done
  }

  // MARK: Chunks

  private static func readChunks(
    of file: UnsafeMutablePointer<FILE>, _ path: String
  ) throws(WAVError) -> (WAVHeader, dataBytes: Int64) {
    guard let start = readBytes(12, of: file) else {
      throw WAVError("\(path) is too short for a WAV file.")
    }
    let magic = String(decoding: start[0..<4], as: UTF8.self)
    if magic == "RF64" || magic == "BW64" {
      throw WAVError("\(path) is a WAV file of more than 4 GiB (\(magic)), which is not known.")
    }
    guard magic == "RIFF", start[8..<12].elementsEqual("WAVE".utf8) else {
      throw WAVError("\(path) is no WAV file.")
    }
    var header: WAVHeader?
    while let chunk = readBytes(8, of: file) {
      let bytes = chunk.uint32(at: 4)
      if chunk[0..<4].elementsEqual("data".utf8) {
        guard let header else {
          throw WAVError("\(path) has its samples before their format.")
        }
        return (header, try dataBytes(of: file, path, announced: Int64(bytes)))
      }
      // Chunks begin at even places.
      let padded = bytes + bytes % 2
      if chunk[0..<4].elementsEqual("fmt ".utf8) {
        guard bytes <= 1 << 16, let body = readBytes(padded, of: file) else {
          throw WAVError("\(path) has a damaged format chunk.")
        }
        switch WAVHeader.parse(Array(body[0..<bytes])) {
        case .success(let parsed): header = parsed
        case .failure(let complaint): throw WAVError("\(path) \(complaint.words).")
        }
      } else if fseeko(file, off_t(padded), SEEK_CUR) != 0 {
        throw WAVError("\(path) cannot be read: \(String(cString: strerror(errno))).")
      }
    }
    throw WAVError("\(path) has no samples: it ends before its data chunk.")
  }

  /// How many bytes of samples there are, from the file's own length.
  private static func dataBytes(
    of file: UnsafeMutablePointer<FILE>, _ path: String, announced: Int64
  ) throws(WAVError) -> Int64 {
    let here = ftello(file)
    guard here >= 0, fseeko(file, 0, SEEK_END) == 0 else {
      throw noFile(path)
    }
    let there = Int64(ftello(file)) - Int64(here)
    guard fseeko(file, here, SEEK_SET) == 0 else {
      throw WAVError("\(path) cannot be read: \(String(cString: strerror(errno))).")
    }
    // Programs that write to a pipe do not know the length and say the highest.
    if announced == 0xFFFF_FFFF { return there }
    guard announced <= there else {
      throw WAVError("\(path) is cut off: it has \(there) of \(announced) bytes of samples.")
    }
    return announced
  }

  private static func noFile(_ path: String) -> WAVError {
    WAVError("\(path) is no ordinary file; give one that can be read more than once.")
  }

  private static func readBytes(_ count: Int, of file: UnsafeMutablePointer<FILE>) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return fread(&bytes, 1, count, file) == count ? bytes : nil
  }
}
