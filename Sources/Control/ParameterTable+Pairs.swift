extension ParameterTable {
  /// The addresses of pairs of channels.
  static let pairRows: [ParameterRow] = [
    ParameterRow(
      .pair, .input, "/matrix/in/{i}/pair", "i", .readWrite, unit: "switch", range: 0...1,
      initial: "0",
      "Links the input with its right neighbour: level, mute, solo and solosafe move together, and "
        + "so do both inputs' levels to an output."),
    ParameterRow(
      .pair, .output, "/matrix/out/{o}/pair", "i", .readWrite, unit: "switch", range: 0...1,
      initial: "0",
      "Links the output with its right neighbour: level, mute and dim move together, and a level "
        + "to either is one level to both, with a pan."),
    ParameterRow(
      .pan, .crosspoint, "/matrix/in/{i}/out/{o}/pan", "f", .readWrite, unit: "(left to right)",
      range: -1...1, initial: "0",
      "Where between the outputs of a pair the input is heard, at constant power."),
  ]
}
