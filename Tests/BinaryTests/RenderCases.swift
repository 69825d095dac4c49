import Glibc
import TestSupport
import Testing

@Suite("Rendering files")
struct RenderCases {
  /// A WAV file of 48 kHz, in float or 16 bits.
  static func wav(_ samples: [UInt8], channels: Int, bits: Int, isFloat: Bool) -> [UInt8] {
    func little<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
      withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
    let frameBytes = channels * bits / 8
    var bytes = Array("RIFF".utf8) + little(UInt32(36 + samples.count))
    bytes += Array("WAVEfmt ".utf8) + little(UInt32(16)) + little(UInt16(isFloat ? 3 : 1))
    bytes += little(UInt16(channels)) + little(UInt32(48_000))
    bytes += little(UInt32(48_000 * frameBytes)) + little(UInt16(frameBytes))
    bytes += little(UInt16(bits)) + Array("data".utf8) + little(UInt32(samples.count))
    return bytes + samples
  }

  /// The float samples of a file that was rendered.
  static func samples(_ bytes: [UInt8]) -> [Float] {
    guard let data = bytes.indices.first(where: { bytes[$0...].starts(with: Array("data".utf8)) })
    else { return [] }
    return stride(from: data + 8, to: bytes.count - 3, by: 4).map { place in
      Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * UInt32($1)) })
    }
  }

  static func constant(_ value: Float, frames: Int, channels: Int) -> [UInt8] {
    let sample = withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
    return wav(
      (0..<frames * channels).flatMap { _ in sample }, channels: channels, bits: 32, isFloat: true)
  }

  static func render(_ folder: TemporaryFolder, _ more: [String]) -> (code: Int32, errors: String) {
    let result = RunningRouter.run(
      [
        "render", "\(folder.path)/in.wav", "\(folder.path)/out.wav", "--events",
        "\(folder.path)/events",
      ] + more)
    return (result.code, result.errors)
  }

  @Test("Any period gives the same samples, however many events fall into one")
  func periods() {
    let folder = TemporaryFolder()
    folder.write(Self.constant(1, frames: 24_000, channels: 2), to: "in.wav")
    // Far more than the ring of a small matrix holds, and more cuts in a grid block than it has.
    let events = (0..<3_000).map { number in
      let frame = 1_000 + number * 5
      let gain = (number * 37) % 100
      return "\(Double(frame) / 48_000) /matrix/in/\(number % 2)/out/\(number / 2 % 2) 0.\(gain)"
    }
    folder.write(Array(events.joined(separator: "\n").utf8), to: "events")
    var first: [Float] = []
    for period in [64, 1, 7, 333, 4_096] {
      #expect(Self.render(folder, ["--period", "\(period)"]).code == 0)
      let samples = Self.samples(folder.read("out.wav"))
      #expect(samples.count == 48_000)
      if first.isEmpty { first = samples }
      #expect(samples == first, "period \(period)")
    }
    #expect(first.contains { $0 > 0.5 })
  }

  @Test("Fades of levels and their groups multiply alike at any period, by name and pair")
  func groups() {
    let folder = TemporaryFolder()
    folder.write(Self.constant(1, frames: 72_000, channels: 2), to: "in.wav")
    let events = [
      "0 /matrix/in/0/name vox", "0 /matrix/out/0/pair 1", "0 /matrix/in/vox/out/0 1",
      "0 /matrix/in/vox/out/1/pan -0.5", "0 /matrix/group/0/name band",
      "0 /matrix/group/band/members /matrix/in/vox /matrix/in/*/out/*",
      "0.11 /matrix/group/band/db -20 1000", "0.3 /matrix/in/vox/db -10 400 lin",
      "0.35001 /matrix/in/v*/out/1 0.5 500 s", "1.2 /matrix/group/band/gain 1",
    ]
    folder.write(Array(events.joined(separator: "\n").utf8), to: "events")
    var first: [Float] = []
    for period in [64, 1, 333, 4_096] {
      #expect(Self.render(folder, ["--period", "\(period)"]).errors == "")
      let samples = Self.samples(folder.read("out.wav"))
      if first.isEmpty { first = samples }
      #expect(samples.count == 144_000)
      #expect(
        samples.indices.first { samples[$0] != first[$0] } == nil, "period \(period)")
    }
    // Before anything fades: hard to the left by the law of the pan; at the end: -10 dB of 0.5.
    #expect(abs(first[2 * 5_200] - 0.923_879_5) < 1e-6)
    #expect(abs(first[2 * 5_200 + 1] - 0.382_683_4) < 1e-6)
    let end = Float(0.5 * 0.316_227_77)
    #expect(abs(first[143_998] - 0.923_879_5 * end) < 1e-6)
    #expect(abs(first[143_999] - 0.382_683_4 * end) < 1e-6)
  }

  @Test("A gain that is set at t seconds begins to move on frame round(t x rate)")
  func begins() {
    let folder = TemporaryFolder()
    folder.write(Self.constant(1, frames: 9_600, channels: 2), to: "in.wav")
    for (seconds, frame) in [("0.1", 4_800), ("0.10001", 4_800), ("0.10002", 4_801), ("0", 0)] {
      folder.write(Array("\(seconds) /matrix/in/0/out/1 1".utf8), to: "events")
      #expect(Self.render(folder, []).code == 0)
      let samples = Self.samples(folder.read("out.wav"))
      #expect(samples.firstIndex { $0 != 0 } == 2 * frame + 1)
    }
  }

  @Test("GD-09: 16 bits pass through unity unchanged, every code of them")
  func transparent() {
    let folder = TemporaryFolder()
    let codes = (0..<65_536 + 8_192).map { UInt16(truncatingIfNeeded: $0) }
    let bytes = codes.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    folder.write(Self.wav(bytes, channels: 1, bits: 16, isFloat: false), to: "in.wav")
    folder.write(Array("0 /matrix/in/0/out/0 1".utf8), to: "events")
    #expect(Self.render(folder, []).code == 0)
    let samples = Self.samples(folder.read("out.wav"))
    let wanted = codes.map { Float(Int16(bitPattern: $0)) / 32_768 }
    #expect(samples.dropFirst(8_192) == wanted.dropFirst(8_192))
  }

  @Test(
    "RT-07, RT-09: an event file from Windows reads the same, and a mistake is named with its place"
  )
  func mistakes() {
    let folder = TemporaryFolder()
    folder.write(Self.constant(1, frames: 100, channels: 1), to: "in.wav")
    let lines = "# a show\r\n0.5 /matrix/in/0/out/0 0.8 # up\r\n\r\n"
    folder.write([0xef, 0xbb, 0xbf] + Array(lines.utf8), to: "events")
    #expect(Self.render(folder, []).code == 0)
    for (line, place) in [
      ("0 /matrix/in/0/out/0 0,8", ":2:22:"), ("0 /matrix/in/0/oot/0 1", ":2:3:"),
      ("0,5 /matrix/clear", ":2:1:"), ("0 /matrix/in/7/out/0 1", ":2:3:"), ("0", ":2:2:"),
    ] {
      folder.write(Array("# a show\n\(line)\n".utf8), to: "events")
      let result = Self.render(folder, [])
      #expect(result.code == 2)
      #expect(result.errors.contains(place), "\(line): \(result.errors)")
      #expect(result.errors.filter { $0 == "\n" }.count == 1)
    }
  }
}
