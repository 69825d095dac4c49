import Glibc
import TestSupport
import Testing

@Suite("What rendering does to files, and says of events")
struct RenderPlaceCases {
  private let folder = TemporaryFolder()

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  private func render(
    _ input: String, _ output: String, _ more: [String] = []
  ) -> (code: Int32, output: String, errors: String) {
    RunningRouter.run(["render", input, output] + more)
  }

  @Test("Nothing that is read is written over, by whatever name it is called")
  func sameFile() {
    let wav = RenderCases.constant(0.5, frames: 100, channels: 1)
    let texts = [
      "events": "0 /matrix/in/0/out/0 1\n", "c": "period 64\n",
      "m.map": "device x\ncc 7 /matrix/in/0/fader\n",
    ]
    folder.write(wav, to: "in.wav")
    for (name, text) in texts { folder.write(Array(text.utf8), to: name) }
    #expect(symlink("in.wav", path("soft.wav")) == 0)
    #expect(link(path("in.wav"), path("hard.wav")) == 0)
    let names = folder.names
    for output in ["in.wav", "./in.wav", "soft.wav", "hard.wav", "events", "c", "m.map"] {
      let result = render(
        path("in.wav"), path(output),
        ["--events", path("events"), "--config", path("c"), "--map", path("m.map")])
      #expect(result.code == 2 && result.output == "")
      #expect(result.errors.hasSuffix("cannot be written at the same time; name another OUT.\n"))
      #expect(result.errors.filter { $0 == "\n" }.count == 1)
    }
    #expect(folder.read("in.wav") == wav)
    for (name, text) in texts { #expect(folder.read(name) == Array(text.utf8)) }
    #expect(folder.names == names)
  }

  @Test("A rendering that fails or is killed leaves the file of before, and nothing beside it")
  func unfinished() {
    let old = Array("an older recording".utf8)
    folder.write(old, to: "out.wav")
    folder.write(RenderCases.constant(0.5, frames: 9_600, channels: 1), to: "in.wav")
    folder.write(Array("0.1 /matrix/in/7/out/0 1\n".utf8), to: "events")
    #expect(RenderCases.render(folder, []).code == 2)
    #expect(folder.read("out.wav") == old)
    // A file so long that it cannot be done before it is killed.
    let header = Array(RenderCases.wav([], channels: 2, bits: 16, isFloat: false).dropLast(4))
    folder.write(header + [0xFF, 0xFF, 0xFF, 0xFF], to: "long.wav")
    #expect(truncate(path("long.wav"), 1 << 30) == 0)
    let process = RunningRouter.start([
      RunningRouter.binary, "render", path("long.wav"), path("out.wav"),
    ])
    var written = 0
    for _ in 0..<20_000 where written < 1 << 20 {
      poll(nil, 0, 1)
      let text = String(decoding: Self.bytes("/proc/\(process.process)/io"), as: UTF8.self)
      let line = text.split(separator: "\n").first { $0.hasPrefix("wchar:") }
      written = line.flatMap { Int($0.dropFirst(7)) } ?? 0
    }
    #expect(written >= 1 << 20)
    #expect(process.stop(SIGKILL) == -SIGKILL)
    #expect(folder.read("out.wav") == old)
    #expect(folder.names == ["events", "in.wav", "long.wav", "out.wav"])
  }

  private static func bytes(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    return Array(buffer[..<fread(&buffer, 1, buffer.count, file)])
  }

  @Test("To the standard output goes the sound alone")
  func standardOutput() {
    folder.write(RenderCases.constant(0.5, frames: 100, channels: 1), to: "in.wav")
    let sound = [
      "\"$0\" render \"$1\" /dev/stdout > \"$2\"",
      "\"$0\" render \"$1\" /dev/stdout | cat > \"$2\"",
    ]
    for command in sound {
      let shell = RunningRouter.start([
        "sh", "-c", command, RunningRouter.binary, path("in.wav"), path("out.wav"),
      ])
      #expect(shell.exitCode(milliseconds: 5_000) == 0)
      #expect(folder.read("out.wav").count == 58 + 400)
      #expect(RenderCases.samples(folder.read("out.wav")).count == 100)
      #expect(shell.errorText().contains("100 frames"))
    }
  }

  @Test("Events behind the end, and values out of range, are counted and told with their place")
  func summary() {
    folder.write(RenderCases.constant(0.5, frames: 4_800, channels: 1), to: "in.wav")
    folder.write(Array("/matrix/in/0/gain 4\n".utf8), to: "c")
    func words(_ events: String, _ more: [String] = []) -> String {
      folder.write(Array(events.utf8), to: "events")
      let result = render(path("in.wav"), path("out.wav"), ["--events", path("events")] + more)
      #expect(result.code == 0 && result.errors == "")
      return result.output
    }
    let inRange = "0 /matrix/in/0/out/0/db 10\n0 /matrix/in/0/gain 0\n0.0999 /matrix/clear\n"
    #expect(words(inRange).hasSuffix("were not finite.\n"))
    #expect(
      words("0 /matrix/clear\n0.1 /matrix/clear\n").contains(
        "1 event lies behind the end of \(path("in.wav")) and was not applied"))
    #expect(words("9 /matrix/clear\n8 /matrix/clear\n").contains("2 events lie behind the end"))
    #expect(
      words("0 /matrix/clear\n0 /matrix/in/0/gain 5 # loud\n").contains(
        "1 value was out of range and was clamped, at \(path("events")):2:3."))
    #expect(words("0 /matrix/row/0 4\n").contains("1 value was out of range and was clamped, at "))
    let both = words("0 /matrix/in/0/out/0/db 12\n", ["--config", path("c")])
    #expect(
      both.contains("2 values were out of range and were clamped, the first at \(path("c")):1:1."))
  }

  @Test("A question and a client's request mean nothing in a text and are refused with their place")
  func questions() {
    folder.write(RenderCases.constant(0.5, frames: 4_800, channels: 1), to: "in.wav")
    for line in ["/matrix/in/0/gain", "/engine/status", "/ping 1", "/hello me", "/subscribe"] {
      folder.write(Array("0 /matrix/clear\n0 \(line)\n".utf8), to: "events")
      let result = RenderCases.render(folder, [])
      #expect(result.code == 2, "\(line)")
      #expect(result.errors.contains("was refused"), "\(line): \(result.errors)")
      if !["/hello me", "/subscribe"].contains(line) {
        let words = "events:2:3: \(line.split(separator: " ")[0]) was refused: "
        #expect(result.errors.contains(words), "\(line): \(result.errors)")
      }
      let start = render(path("in.wav"), path("out.wav"), ["--set", line])
      #expect(start.code == 2 && start.errors.contains("--set"), "\(line): \(start.errors)")
    }
  }
}
