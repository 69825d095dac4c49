import Engine
import Glibc
import MatrixCore
import TestSupport
import Testing

/// A file that is gone when the test is.
final class ScratchFile {
  static let name = "sound.wav"
  private let folder = TemporaryFolder()

  init(_ bytes: [UInt8] = []) { folder.write(bytes, to: Self.name) }

  var path: String { folder.path(of: Self.name) }

  var bytes: [UInt8] { folder.read(Self.name) }

  /// What there is in its folder, with itself.
  var names: [String] { folder.names }
}

/// The bytes of a WAV file, as right or wrong as a test wants them.
struct WAVBytes {
  var tag = 1
  var channels = 1
  var rate = 48_000
  var bits = 16
  var isExtensible = false
  var before: [UInt8] = []
  var data: [UInt8] = []
  var announced: Int?

  var all: [UInt8] {
    var format = number(isExtensible ? 0xFFFE : tag, 2) + number(channels, 2) + number(rate, 4)
    let bytesPerFrame = channels * bits / 8
    format += number(rate * bytesPerFrame, 4) + number(bytesPerFrame, 2) + number(bits, 2)
    if isExtensible {
      format += number(22, 2) + number(bits, 2) + number(0, 4) + number(tag, 2)
      format += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    let body =
      Array("WAVE".utf8) + before + Array("fmt ".utf8) + number(format.count, 4) + format
      + Array("data".utf8) + number(announced ?? data.count, 4) + data
    return Array("RIFF".utf8) + number(body.count, 4) + body
  }

  private func number(_ value: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

/// Rows of floats for tests that need no renderer.
final class TestRows {
  let table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let count: Int

  init(_ count: Int, frames: Int) {
    self.count = count
    table = .allocate(capacity: count)
    for row in 0..<count {
      (table + row).initialize(to: .allocate(capacity: frames))
      table[row].initialize(repeating: 9, count: frames)
    }
  }

  deinit {
    for row in 0..<count { table[row].deallocate() }
    table.deallocate()
  }
}

struct WAVFileTests {
  @Test(
    "PCM of 16, 24 and 32 bits and floats are read, plain and extensible",
    arguments: [false, true],
    [
      (1, 16, [0x00, 0xC0]), (1, 24, [0x00, 0x00, 0xC0]), (1, 32, [0x00, 0x00, 0x00, 0xC0]),
      (3, 32, [0x00, 0x00, 0x00, 0xBF]),
    ] as [(Int, Int, [UInt8])])
  func reads(isExtensible: Bool, kind: (tag: Int, bits: Int, sample: [UInt8])) throws {
    // An odd chunk that nobody knows, with its byte of padding, lies before the format.
    let odd = Array("note".utf8) + [3, 0, 0, 0, 1, 2, 3, 0]
    let silence = [UInt8](repeating: 0, count: kind.sample.count)
    let file = ScratchFile(
      WAVBytes(
        tag: kind.tag, channels: 2, rate: 44_100, bits: kind.bits, isExtensible: isExtensible,
        before: odd, data: kind.sample + silence + silence + kind.sample
      ).all)
    let reader = try WAVReader(path: file.path)
    #expect(reader.channels == 2)
    #expect(reader.rate == 44_100)
    #expect(reader.frameCount == 2)
    let rows = TestRows(3, frames: 4)
    var counts = SampleCounts()
    let got = try reader.read(frames: 4, into: rows.table, rowCount: 3, counts: &counts)
    #expect(got == 2)
    #expect((0..<4).map { rows.table[0][$0] } == [-0.5, 0, 0, 0])
    #expect((0..<4).map { rows.table[1][$0] } == [0, -0.5, 0, 0])
    #expect((0..<4).map { rows.table[2][$0] } == [0, 0, 0, 0])
  }

  @Test("Every way in which a file can be wrong gets a sentence of its own that names the file")
  func refusesBrokenFiles() {
    var swapped = WAVBytes(data: [0, 0]).all
    swapped.replaceSubrange(12..<16, with: Array("data".utf8))
    let whole = WAVBytes(data: [1, 2, 3, 4]).all
    let cases: [([UInt8], String)] = [
      ([], "too short"),
      (Array("RIFF".utf8), "too short"),
      (Array("RIFX\0\0\0\0WAVE".utf8), "no WAV file"),
      (Array("RIFF\0\0\0\0AVI ".utf8), "no WAV file"),
      (Array("RF64\0\0\0\0WAVE".utf8), "4 GiB"),
      (Array(whole[0..<12]), "no samples"),
      (Array(whole[0..<30]), "damaged format chunk"),
      (Array(whole[0..<36]), "no samples"),
      (swapped, "samples before their format"),
      (Array(whole.dropLast()), "cut off"),
      (WAVBytes(data: [1, 2], announced: 1_000_000).all, "cut off"),
      (WAVBytes(bits: 8, data: [1, 2]).all, "8 bits"),
      (WAVBytes(tag: 3, bits: 64, data: []).all, "64-bit float"),
      (WAVBytes(tag: 85, data: [1, 2]).all, "compressed (format 85)"),
      (WAVBytes(tag: 85, isExtensible: true, data: [1, 2]).all, "compressed (format 85)"),
      (WAVBytes(channels: 0, data: []).all, "no channels"),
      (WAVBytes(rate: 0, data: []).all, "rate of 0"),
    ]
    for (bytes, words) in cases {
      let file = ScratchFile(bytes)
      do throws(WAVError) {
        _ = try WAVReader(path: file.path)
        Issue.record("\(words): read")
      } catch {
        #expect(error.sentence.contains(words), "\(error.sentence)")
        #expect(error.sentence.hasPrefix(file.path))
        #expect(error.sentence.hasSuffix("."))
      }
    }
    #expect(throws: WAVError("/nowhere/a.wav cannot be read: No such file or directory.")) {
      try WAVReader(path: "/nowhere/a.wav")
    }
    #expect(throws: WAVError("/nowhere/a.wav cannot be written: No such file or directory.")) {
      try WAVWriter(path: "/nowhere/a.wav", channels: 1, rate: 48_000)
    }
  }

  @Test("A cut of any length through a good file is read or refused, never worse")
  func survivesEveryCut() {
    let whole = WAVBytes(channels: 2, isExtensible: true, data: [UInt8](repeating: 1, count: 16))
      .all
    var refused = 0
    for length in 0...whole.count {
      let file = ScratchFile(Array(whole[0..<length]))
      if (try? WAVReader(path: file.path)) == nil { refused += 1 }
    }
    #expect(refused == whole.count)
  }

  @Test("A file of unknown length, as a pipe leaves it, is read to its end")
  func readsStreams() throws {
    let file = ScratchFile(WAVBytes(data: [0, 1, 2, 3, 4, 5], announced: 0xFFFF_FFFF).all)
    #expect(try WAVReader(path: file.path).frameCount == 3)
  }

  @Test("What is written is read back bit for bit", arguments: [1, 2, 3, 8])
  func roundTrips(channels: Int) throws {
    let frames = 3000
    let rows = TestRows(channels, frames: frames)
    var loud = 0
    for row in 0..<channels {
      for frame in 0..<frames {
        let value = Float(frame - 1500) / 1500 + Float(row)
        rows.table[row][frame] = value
        if value > 1 { loud += 1 }
      }
    }
    let file = ScratchFile()
    let writer = try WAVWriter(path: file.path, channels: channels, rate: 96_000)
    var counts = SampleCounts()
    try writer.write(frames: frames, from: rows.table, rowCount: channels, counts: &counts)
    try writer.finish()
    #expect(counts.clipped == loud)
    let reader = try WAVReader(path: file.path)
    #expect(reader.channels == channels)
    #expect(reader.rate == 96_000)
    #expect(reader.format == .float32)
    #expect(reader.frameCount == Int64(frames))
    let back = TestRows(channels, frames: frames)
    var none = SampleCounts()
    #expect(
      try reader.read(frames: frames, into: back.table, rowCount: channels, counts: &none)
        == frames)
    for row in 0..<channels {
      for frame in 0..<frames {
        let expected = min(1, max(-1, rows.table[row][frame]))
        if back.table[row][frame] != expected { Issue.record("row \(row) frame \(frame)") }
      }
    }
    // The size of everything is the one that the file says.
    let bytes = file.bytes
    let said = Int(bytes[4]) | Int(bytes[5]) << 8 | Int(bytes[6]) << 16 | Int(bytes[7]) << 24
    #expect(said == bytes.count - 8)
  }

  @Test("More than 4 GiB are refused before anything is written")
  func refusesWhatDoesNotFit() {
    let file = ScratchFile([7])
    #expect(throws: WAVError.self) {
      try WAVWriter(path: file.path, channels: 512, rate: 48_000, frameCount: 2_097_152)
    }
    #expect(file.bytes == [7])
  }
}
