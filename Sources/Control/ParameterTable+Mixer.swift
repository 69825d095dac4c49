extension ParameterTable {
  /// The addresses of the matrix as a whole.
  static let matrixRows: [ParameterRow] = [
    ParameterRow(
      .set, .mixer, "/matrix/set", "(i i f)…", .write, unit: "linear gain",
      range: 0...Level.maximum, "Sets crosspoints, each as input, output, gain."),
    ParameterRow(
      .row, .mixer, "/matrix/row/{i}", "f…", .readWrite, unit: "linear gain",
      range: 0...Level.maximum, initial: "0…",
      "The crosspoints of an input, from output 0 on; fewer values leave the rest alone."),
    ParameterRow(
      .column, .mixer, "/matrix/col/{o}", "f…", .readWrite, unit: "linear gain",
      range: 0...Level.maximum, initial: "0…",
      "The crosspoints of an output, from input 0 on; fewer values leave the rest alone."),
    ParameterRow(
      .all, .mixer, "/matrix/all", "f…", .readWrite, unit: "linear gain",
      range: 0...Level.maximum, initial: "0…",
      "All crosspoints, row after row; fewer values leave the rest alone."),
    ParameterRow(
      .clear, .mixer, "/matrix/clear", "[f]", .write, unit: "ms",
      range: 0...Level.longestMilliseconds,
      "Takes all crosspoints to off, over a duration if one is given; mutes stay."),
    ParameterRow(
      .identity, .mixer, "/matrix/identity", "[f]", .write, unit: "ms",
      range: 0...Level.longestMilliseconds,
      "Takes input n to output n alone at unity, over a duration if one is given."),
    ParameterRow(
      .clearSolo, .mixer, "/matrix/solo/clear", "[f]", .write,
      "Ends every solo; a number below 0.5 is a button's release and does nothing."),
    ParameterRow(
      .dimensions, .mixer, "/matrix/dimensions", "", .read,
      "Answers the number of inputs and the number of outputs."),
    ParameterRow(
      .levels, .mixer, "/matrix/levels", "", .read, unit: "linear gain",
      range: 0...Level.maximum,
      "Answers the table of volumes, (inputs + 1) rows of (outputs + 1): each row ends in its "
        + "input's gain, the last row holds the outputs' gains and ends in the master's."),
  ]

  /// The addresses of the program.
  static let engineRows: [ParameterRow] = [
    ParameterRow(
      .ping, .mixer, "/ping", "…", .write,
      "Answers `/pong` with the same arguments, numbers and texts."),
    ParameterRow(
      .info, .mixer, "/info", "", .read,
      "Answers the program's name, its version, the name of this router, inputs, outputs, rate."),
    ParameterRow(
      .status, .mixer, "/engine/status", "", .read,
      "Answers the state of the engine and every counter, each as a name and a value."),
    ParameterRow(
      .panic, .mixer, "/engine/panic", "[i]", .write,
      "Takes everything to silence until `/engine/resume`."),
    ParameterRow(
      .resume, .mixer, "/engine/resume", "[i]", .write, "Lets everything sound again."),
    ParameterRow(
      .dimLevel, .mixer, "/config/dim", "f", .readWrite, unit: "dB", range: -60...0,
      initial: "-20", "What dim changes a level by."),
    ParameterRow(
      .taper, .mixer, "/config/taper", "", .read, initial: "x32",
      "Answers the law between fader positions and decibels: x32, linear, ardour or db."),
    ParameterRow(
      .glide, .mixer, "/config/glide", "", .read, unit: "ms", range: 1...40, initial: "5",
      "Answers the time constant of the default smoothing."),
    ParameterRow(
      .reload, .mixer, "/config/reload", "[i]", .write,
      "Reads the configuration again, as a whole or not at all; gains and mutes stay."),
  ]
}
