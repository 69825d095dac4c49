import Engine
import Glibc
import MatrixCore
import TestSupport
import Testing

/// How a file that is written takes its place, and what is no file.
struct WAVPlaceTests {
  private let old = Array("an older recording".utf8)

  private func write(_ writer: WAVWriter, frames: Int = 3) throws {
    let rows = TestRows(writer.channels, frames: frames)
    var counts = SampleCounts()
    try writer.write(
      frames: frames, from: rows.table, rowCount: writer.channels, counts: &counts)
  }

  @Test("What is there already stays until the new file is whole, and for ever if it never is")
  func older() throws {
    let file = ScratchFile(old)
    do {
      let writer = try WAVWriter(path: file.path, channels: 2, rate: 48_000)
      try write(writer)
      #expect(file.bytes == old)
    }
    #expect(file.bytes == old)
    #expect(file.names == [ScratchFile.name])
    let writer = try WAVWriter(path: file.path, channels: 2, rate: 48_000, frameCount: 3)
    try write(writer)
    try writer.finish()
    #expect(try WAVReader(path: file.path).frameCount == 3)
    #expect(file.names == [ScratchFile.name])
  }

  @Test("A link stays a link, and a file keeps its mode")
  func links() throws {
    let file = ScratchFile(old)
    let link = file.path + "-link"
    try #require(symlink(file.path, link) == 0 && chmod(file.path, 0o640) == 0)
    defer { unlink(link) }
    let writer = try WAVWriter(path: link, channels: 1, rate: 48_000)
    try write(writer)
    try writer.finish()
    var status = stat()
    #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(try WAVReader(path: file.path).frameCount == 3)
  }

  @Test("A rendering that is given up leaves what was there")
  func givesUp() throws {
    let input = ScratchFile(
      WAVBytes(channels: 1, data: [UInt8](repeating: 1, count: 2_000)).all)
    let file = ScratchFile(old)
    let rig = CycleRig(1, 1)
    let render = OfflineRender(cycle: rig.cycle, board: rig.board, periodFrames: 64)
    var calls = 0
    try render.render(
      from: try WAVReader(path: input.path),
      to: try WAVWriter(path: file.path, channels: 1, rate: 48_000)
    ) { frames in
      calls += 1
      return calls < 3 ? frames.upperBound : nil
    }
    #expect(calls == 3)
    #expect(file.bytes == old)
  }

  @Test("Into a pipe a file goes as it comes, with its length ahead where that is known")
  func pipes() throws {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path(of: "pipe")
    try #require(mkfifo(path, 0o600) == 0)
    let descriptor = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(descriptor) }
    for frameCount in [3, nil] as [Int64?] {
      let writer = try WAVWriter(path: path, channels: 1, rate: 48_000, frameCount: frameCount)
      try write(writer)
      try writer.finish()
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = read(descriptor, &bytes, bytes.count)
      let file = ScratchFile(Array(bytes[..<max(0, count)]))
      #expect(try WAVReader(path: file.path).frameCount == 3)
    }
    // More or less than was announced cannot be mended there.
    let writer = try WAVWriter(path: path, channels: 1, rate: 48_000, frameCount: 4)
    try write(writer)
    #expect(throws: WAVError.self) { try writer.finish() }
  }

  @Test("A folder and a pipe are no files to read, a folder none to write, and nothing waits")
  func noFiles() throws {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path(of: "pipe")
    try #require(mkfifo(path, 0o600) == 0)
    #expect(
      throws: WAVError("\(path) is no ordinary file; give one that can be read more than once.")
    ) { try WAVReader(path: path) }
    #expect(throws: WAVError("/tmp is a folder; give the name of a WAV file.")) {
      try WAVReader(path: "/tmp")
    }
    for folder in ["/tmp", path + "-new/"] {
      #expect(throws: WAVError("\(folder) is a folder; give the name of a WAV file.")) {
        try WAVWriter(path: folder, channels: 1, rate: 48_000)
      }
    }
  }
}
