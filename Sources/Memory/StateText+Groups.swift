import Control
import JSON

/// Groups and pairs: `groups` (those that are not as they start), `inputPairs` and `outputPairs` as
/// the numbers of their left channels, `pans` as input, left output and pan.
extension StateText {
  static func members(of contents: GroupContents) -> [JSONValue.Member] {
    [
      JSONValue.Member("groups", .array(contents.groups.map(value(of:)))),
      JSONValue.Member("inputPairs", .array(contents.inputPairs.map { .number(Double($0)) })),
      JSONValue.Member("outputPairs", .array(contents.outputPairs.map { .number(Double($0)) })),
      JSONValue.Member(
        "pans",
        .array(
          contents.pans.map {
            .array([.number(Double($0.input)), .number(Double($0.output)), .number($0.pan)])
          })),
    ]
  }

  private static func value(of group: GroupContents.Group) -> JSONValue {
    .object([
      JSONValue.Member("number", .number(Double(group.number))),
      JSONValue.Member("name", .string(group.name)),
      JSONValue.Member("level", .number(group.level)),
      JSONValue.Member("mute", .bool(group.isMuted)),
      JSONValue.Member("members", .array(group.members.map { .string($0) })),
    ])
  }
}
