extension ParameterTable {
  /// The addresses of groups.
  static let groupRows: [ParameterRow] =
    levelRows(.group, "/matrix/group/{g}", initialGain: "1")
    + switchRows(.group, "/matrix/group/{g}", [.mute])
    + nameRows(.group, "/matrix/group/{g}")
    + [
      ParameterRow(
        .members, .group, "/matrix/group/{g}/members", "s…", .readWrite, initial: "\"\"",
        "What the group's level and mute act on: addresses or patterns of inputs, outputs, "
          + "crosspoints and the master, up to \(GroupTable.mostWords); an empty text is none.")
    ]
    + motionRows(.group, "/matrix/group/{g}")
}
