extension ParameterTable {
  /// The addresses of scenes, and of what takes back.
  static let sceneRows: [ParameterRow] = [
    ParameterRow(
      .sceneStore, .mixer, "/scene/store", "[i/s s]", .write,
      "Stores everything in the scene of a number or a name, and names it if a name follows; "
        + "without arguments over the current scene, or else as a new one."),
    ParameterRow(
      .sceneRecall, .mixer, "/scene/recall", "i/s [f s s]", .write,
      "Recalls the scene of a number or a name, over a duration in ms along a curve (`db`, `lin` "
        + "or `s`), and only what a pattern of addresses meets, if they follow."),
    ParameterRow(
      .sceneRename, .mixer, "/scene/rename", "i/s s", .write,
      "Gives the scene of a number or a name another name, up to \(Level.longestNameBytes) bytes."),
    ParameterRow(
      .sceneDelete, .mixer, "/scene/delete", "i/s", .write,
      "Deletes the scene of a number or a name."),
    ParameterRow(
      .sceneList, .mixer, "/scene/list", "", .read,
      "Answers how many scenes there are, and then a `/scene/{n}` for each."),
    ParameterRow(
      .sceneCurrent, .mixer, "/scene/current", "", .read,
      "Answers number, name and 0 or 1 for changed since of the scene that was recalled or stored "
        + "last; -1 when there is none."),
    ParameterRow(
      .sceneSafe, .mixer, "/scene/safe", "(s i)…", .readWrite, unit: "switch", range: 0...1,
      "Keeps what a pattern of addresses meets from being changed by recalls (1), or no more (0)."),
    // Numbers after words: what is no word must be one.
    ParameterRow(
      .sceneInfo, .scene, "/scene/{n}", "", .read,
      "Answers the name of a scene and the sum of 1 (stored), 2 (current) and 4 (stored from "
        + "another number of channels)."),
    ParameterRow(
      .sceneRecall, .scene, "/scene/{n}/recall", "[f s s]", .write, unit: "ms",
      range: 0...Level.longestMilliseconds,
      "Recalls a scene as `/scene/recall` does; a number below 0.5 is a button's release."),
    ParameterRow(
      .sceneStore, .scene, "/scene/{n}/store", "[i]", .write,
      "Stores everything in a scene; a number below 0.5 is a button's release."),
    ParameterRow(
      .undo, .mixer, "/undo", "[f]", .write, unit: "ms", range: 0...Level.longestMilliseconds,
      "Takes back what a hand did last, over a duration if one is given."),
    ParameterRow(
      .redo, .mixer, "/redo", "[f]", .write, unit: "ms", range: 0...Level.longestMilliseconds,
      "Brings back what was taken back last, over a duration if one is given."),
  ]
}
