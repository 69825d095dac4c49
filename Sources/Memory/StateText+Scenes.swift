import Control
import JSON

/// Scenes: `scenes` (each with `number`, `name`, `inputs`, `outputs`, `levels` as linear gains in the
/// flat order of crosspoints, inputs, outputs, master and groups, and `switches` as pairs of a place
/// in that order and a sum of 1 mute, 2 phase and 8 solosafe), `currentScene`, and `safe`.
extension StateText {
  static func members(of contents: SceneStore.Contents) -> [JSONValue.Member] {
    let scenes = contents.scenes.enumerated().compactMap { number, scene in
      scene.map { value(of: $0, number) }
    }
    return [
      JSONValue.Member("scenes", .array(scenes)),
      JSONValue.Member("currentScene", contents.current.map { .number(Double($0)) } ?? .null),
      JSONValue.Member("safe", .array(contents.safe.map(value(of:)))),
    ]
  }

  private static func value(of scene: Scene, _ number: Int) -> JSONValue {
    .object([
      JSONValue.Member("number", .number(Double(number))),
      JSONValue.Member("name", .string(scene.name)),
      JSONValue.Member("inputs", .number(Double(scene.shape.inputs))),
      JSONValue.Member("outputs", .number(Double(scene.shape.outputs))),
      JSONValue.Member("levels", .array(scene.levels.map { .number($0) })),
      JSONValue.Member(
        "switches",
        .array(
          scene.switches.enumerated().filter { $0.element != 0 }.map {
            .array([.number(Double($0.offset)), .number(Double($0.element))])
          })),
    ])
  }

  private static func value(of gain: SafeGain) -> JSONValue {
    func number(_ channel: Int?) -> JSONValue { channel.map { .number(Double($0)) } ?? .null }
    return .object([
      JSONValue.Member("input", number(gain.input)),
      JSONValue.Member("output", number(gain.output)),
      JSONValue.Member("group", number(gain.group)),
      JSONValue.Member("parts", .number(Double(gain.parts))),
    ])
  }
}
