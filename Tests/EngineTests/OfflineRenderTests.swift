import Engine
import Handoff
import MatrixCore
import Testing

struct OfflineRenderTests {
  /// Renders a file of two 24-bit channels through a 2 x 2 matrix and answers the bytes it wrote.
  private func rendered(_ data: [UInt8], bits: Int, periodFrames: Int) throws -> [UInt8] {
    let input = ScratchFile(WAVBytes(channels: 2, bits: bits, data: data).all)
    let output = ScratchFile()
    let rig = CycleRig(2, 2)
    rig.publish([(rig.shape.crosspoint(input: 0, output: 0), 1)], at: 0)
    let reader = try WAVReader(path: input.path)
    let writer = try WAVWriter(path: output.path, channels: 2, rate: reader.rate)
    let render = OfflineRender(cycle: rig.cycle, board: rig.board, periodFrames: periodFrames)
    var ranges: [Range<Int64>] = []
    try render.render(from: reader, to: writer) { frames in
      ranges.append(frames)
      if frames.contains(1000) {
        rig.publish([(rig.shape.crosspoint(input: 1, output: 1), 0.5)], at: 1000)
      }
      return frames.upperBound
    }
    #expect(ranges.first?.lowerBound == 0)
    #expect(ranges.last?.upperBound == reader.frameCount)
    #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    return output.bytes
  }

  @Test(
    "A file sounds the same, bit for bit, at every period; a gain moves on its frame",
    arguments: [1, 37, 64, 256, 1000, 4096])
  func doesNotDependOnThePeriod(periodFrames: Int) throws {
    let data = (0..<(2 * 2 * 9000)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 5) }
    let bytes = try rendered(data, bits: 16, periodFrames: periodFrames)
    #expect(bytes == (try rendered(data, bits: 16, periodFrames: 333)))
    let file = ScratchFile(bytes)
    let reader = try WAVReader(path: file.path)
    let rows = TestRows(2, frames: 9000)
    var counts = SampleCounts()
    _ = try reader.read(frames: 9000, into: rows.table, rowCount: 2, counts: &counts)
    #expect((0..<1000).allSatisfy { rows.table[1][$0] == 0 })
    #expect((1000..<1003).contains { rows.table[1][$0] != 0 })
  }

  @Test("GD-09: once settled, a unity route carries 16 and 24 bits unchanged", arguments: [16, 24])
  func carriesBitsUnchanged(bits: Int) throws {
    let bytesPerSample = bits / 8
    let data = (0..<(2 * bytesPerSample * 9000)).map { index in
      UInt8(truncatingIfNeeded: index &* index &* 7 &+ index >> 3)
    }
    let file = ScratchFile(try rendered(data, bits: bits, periodFrames: 100))
    let reader = try WAVReader(path: file.path)
    let rows = TestRows(2, frames: 9000)
    var counts = SampleCounts()
    _ = try reader.read(frames: 9000, into: rows.table, rowCount: 2, counts: &counts)
    var wrong = 0
    for frame in 5376..<9000 {
      let start = 2 * frame * bytesPerSample
      var code: Int32 = 0
      for byte in 0..<bytesPerSample { code |= Int32(data[start + byte]) << Int32(8 * byte) }
      code = (code << Int32(32 - bits)) >> Int32(32 - bits)
      if rows.table[0][frame] * Float(1 << (bits - 1)) != Float(code) { wrong += 1 }
    }
    #expect(wrong == 0)
  }
}
