import TestSupport
import Testing

@Suite("Scenes in rendered files")
struct SceneCases {
  private static let channels = 4

  /// Address lines that give every gain of a 4 x 4 matrix a level and turn some switches.
  private static func values(seed: Int) -> [(address: String, value: String, isLevel: Bool)] {
    var state = UInt64(seed)
    func next(_ limit: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % limit
    }
    var lines: [(address: String, value: String, isLevel: Bool)] = []
    func add(_ stem: String, switches: [String]) {
      let level = next(5) == 0 ? 0 : Double(next(1_000_000_007)) / 1e9
      lines.append((stem + "/gain", "\(level)", true))
      for word in switches { lines.append((stem + "/" + word, "\(next(3) / 2)", false)) }
    }
    for input in 0..<channels {
      add("/matrix/in/\(input)", switches: ["mute", "phase", "solosafe"])
      for output in 0..<channels {
        add("/matrix/in/\(input)/out/\(output)", switches: ["mute", "phase"])
      }
    }
    for output in 0..<channels { add("/matrix/out/\(output)", switches: ["mute", "phase"]) }
    add("/matrix/master", switches: ["mute"])
    return lines.filter { $0.address != "/matrix/master/mute" }
  }

  private static func lines(at seconds: String, seed: Int, motion: String = "") -> String {
    values(seed: seed).map { line in
      "\(seconds) \(line.address) \(line.value)\(line.isLevel ? " " + motion : "")\n"
    }.joined()
  }

  private static func rendered(_ events: String, period: Int = 64) -> [UInt8] {
    let folder = TemporaryFolder()
    let frames = 48_000
    let samples = (0..<frames * channels).flatMap { place -> [UInt8] in
      let value = Float(place % 97) / 200 - 0.2
      return withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
    }
    folder.write(
      RenderCases.wav(samples, channels: channels, bits: 32, isFloat: true), to: "in.wav")
    folder.write(Array(events.utf8), to: "events")
    let result = RenderCases.render(folder, ["--period", "\(period)"])
    #expect(result.code == 0, "\(result.errors)")
    return folder.read("out.wav")
  }

  @Test(
    "A recalled scene sounds, sample for sample, as the same values in one bundle do",
    arguments: ["", "150", "150 db", "150 lin", "150 s"])
  func recall(motion: String) {
    // What is recalled meets levels that stand and levels that are on their way.
    let start =
      Self.lines(at: "0", seed: 1) + "0 /scene/store 0 \"first\"\n"
      + Self.lines(at: "0.1", seed: 2) + Self.lines(at: "0.2", seed: 3, motion: "400 lin")
      + "0.25 /matrix/in/1/solo 1\n"
    let recalled = Self.rendered(start + "0.31234 /scene/recall \"first\" \(motion)\n")
    let sent = Self.rendered(start + Self.lines(at: "0.31234", seed: 1, motion: motion))
    let unchanged = Self.rendered(start)
    #expect(recalled.count > 48_000 * 16)
    #expect(recalled == sent)
    #expect(recalled != unchanged)
    let odd = Self.rendered(
      start + "0.31234 /scene/0/recall \(motion)\n", period: 1_000)
    #expect(odd == recalled)
  }

  @Test("What is taken back sounds as the values of before in one bundle do")
  func undo() {
    let before = Self.lines(at: "0", seed: 1) + "0 /scene/store 0\n" + Self.lines(at: "0", seed: 2)
    let steps = before + "0.2 /scene/recall 0 100 s\n"
    let undone = Self.rendered(steps + "0.25 /undo 200\n0.6 /redo\n")
    let sent = Self.rendered(
      steps + Self.lines(at: "0.25", seed: 2, motion: "200") + Self.lines(at: "0.6", seed: 1))
    #expect(undone == sent)
    #expect(undone != Self.rendered(steps))
  }
}
