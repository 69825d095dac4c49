import Control
import MatrixCore
import Memory
import Testing

@Suite("The text of a state")
struct StateTextTests {
  /// A crosspoint, an input, an output and the master, and then the groups.
  private static let sceneLevels = [0.25, 1, 1, 0.1] + [Double](repeating: 1, count: 64)

  private static var scene: Scene? {
    guard let shape = MatrixShape(inputs: 1, outputs: 1) else { return nil }
    return Scene(
      name: "verse", shape: shape, levels: sceneLevels,
      switches: [1] + [UInt8](repeating: 0, count: sceneLevels.count - 1))
  }

  static func example() -> MixerSnapshot {
    var snapshot = MixerSnapshot(inputs: 2, outputs: 3)
    snapshot[0, 1].level = 0.8
    snapshot[1, 2].level = 1.0 / 3.0
    snapshot[1, 0].isMuted = true
    snapshot[0, 2].isInverted = true
    snapshot[input: 0].name = "lead \"vox\""
    snapshot[input: 1].isSoloSafe = true
    snapshot[output: 2].level = Level.maximum
    snapshot.master.level = 0.1
    snapshot.dimDB = -12.5
    snapshot.groups.groups = [
      GroupContents.Group(
        number: 3, level: 0.5, isMuted: true, name: "band", members: ["/matrix/in/*"])
    ]
    snapshot.groups.inputPairs = [0]
    snapshot.scenes.scenes = [nil, scene]
    snapshot.scenes.current = 1
    snapshot.scenes.safe = [SafeGain(input: 1, parts: 128)]
    return snapshot
  }

  @Test("It is JSON with a row of crosspoints for each input")
  func layout() {
    let levels = ["0.25", "1", "1", "0.1"] + Array(repeating: "1", count: 64)
    let list = levels.joined(separator: ", ")
    #expect(
      String(decoding: StateText.bytes(of: Self.example()), as: UTF8.self) == """
        {
          "format": "crosspoint state",
          "version": 1,
          "master": {"level": 0.1, "mute": false},
          "dim": -12.5,
          "inputs": [
            {"name": "lead \\"vox\\"", "level": 1, "mute": false, "phase": false, "solosafe": false},
            {"name": "", "level": 1, "mute": false, "phase": false, "solosafe": true}
          ],
          "outputs": [
            {"name": "", "level": 1, "mute": false, "phase": false},
            {"name": "", "level": 1, "mute": false, "phase": false},
            {"name": "", "level": 3.1622776601683795, "mute": false, "phase": false}
          ],
          "crosspoints": [
            [0, 0.8, 0],
            [0, 0, 0.3333333333333333]
          ],
          "mutedCrosspoints": [
            [1, 0]
          ],
          "invertedCrosspoints": [
            [0, 2]
          ],
          "groups": [
            {
              "number": 3,
              "name": "band",
              "level": 0.5,
              "mute": true,
              "members": ["/matrix/in/*"]
            }
          ],
          "inputPairs": [0],
          "outputPairs": [],
          "pans": [],
          "scenes": [
            {
              "number": 1,
              "name": "verse",
              "inputs": 1,
              "outputs": 1,
              "levels": [\(list)],
              "switches": [
                [0, 1]
              ]
            }
          ],
          "currentScene": 1,
          "safe": [
            {"input": 1, "output": null, "group": null, "parts": 128}
          ]
        }

        """)
  }

  @Test("What is written is read as it was, the largest matrix too")
  func roundTrip() throws {
    var large = MixerSnapshot(inputs: 256, outputs: 256)
    for input in 0..<256 {
      for output in 0..<256 {
        large[input, output].level = Double(input * 256 + output) / 20_724.3
        large[input, output].isMuted = (input + output) % 3 == 0
      }
    }
    for snapshot in [Self.example(), MixerSnapshot(inputs: 1, outputs: 1), large] {
      #expect(try StateText.snapshot(StateText.bytes(of: snapshot), file: "s") == snapshot)
    }
  }

  @Test(
    "What no mixer can have is refused, in a sentence that says where",
    arguments: [
      ("\"version\": 1", "\"version\": 2", "s was written by a newer Crosspoint than this one."),
      ("crosspoint state", "scene", "s is not a state of Crosspoint."),
      ("[0, 0.8, 0]", "[0, 0.8]", "s has not 3 levels in crosspoints[0], one for each output."),
      (
        "0.8", "3.2",
        "s has no level from 0 to 3.1622776601683795 in crosspoints[0][1]."
      ),
      ("0.8", "-0.1", "s has no level from 0 to 3.1622776601683795 in crosspoints[0][1]."),
      ("0.8", "\"loud\"", "s has no level from 0 to 3.1622776601683795 in crosspoints[0][1]."),
      ("0.8", "NaN", "s:16:9: found \"N\", expected a value of JSON."),
      ("[1, 0]", "[2, 0]", "s names a crosspoint that it does not have."),
      ("-12.5", "6", "s has a dim that is not -60 to 0 dB."),
      (
        "\"mute\": false}", "\"mute\": 0}",
        "s has a switch in the mute of master that is not true or false."
      ),
      ("lead", "a\\u0007", "s has a name in inputs[0] that is no text of at most 64 bytes."),
    ])
  func refusals(old: String, new: String, sentence: String) throws {
    let text = String(decoding: StateText.bytes(of: Self.example()), as: UTF8.self)
    let place = try #require(text.ranges(of: old).first)
    let changed = text.replacingCharacters(in: place, with: new)
    #expect(throws: StateError(sentence)) {
      try StateText.snapshot(Array(changed.utf8), file: "s")
    }
  }
}

extension String {
  /// The text with one range of it replaced.
  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
