extension ParameterTable {
  /// The addresses by which clients say who they are and what they want to be told.
  static let clientRows: [ParameterRow] = [
    ParameterRow(
      .hello, .mixer, "/hello", "[s] [i]", .write,
      "Makes you known by a name and lets you hear at another port than the one you speak from; "
        + "answers `/welcome` with the router's name, its version, inputs, outputs, rate, revision."
    ),
    ParameterRow(
      .subscribe, .mixer, "/subscribe", "[s] [i] [i] [i]", .write,
      "Tells you of changes: of what (a pattern; an empty text means everything), how often at most "
        + "(Hz), how long after your last message (seconds; 0 until `/bye`), and at which port."),
    ParameterRow(
      .unsubscribe, .mixer, "/unsubscribe", "[s]", .write,
      "Ends the subscription of a pattern, or all of yours."),
    ParameterRow(
      .bye, .mixer, "/bye", "[i]", .write, "Forgets you and all that you subscribed to."),
    ParameterRow(
      .sync, .mixer, "/sync", "[s]", .write,
      "Tells you everything, or all that a pattern meets, between `/sync/begin revision count` and "
        + "`/sync/end revision count`."),
    ParameterRow(
      .xremote, .mixer, "/xremote", "[i]", .write,
      "Tells you of every change until 10 seconds after your last message."),
    ParameterRow(
      .clientRate, .mixer, "/client/rate", "i", .readWrite, unit: "Hz", range: 1...60,
      initial: "30", "How many times a second at most you are told of changes."),
    ParameterRow(
      .clientFace, .mixer, "/client/face", "s", .readWrite, initial: "bare",
      "The address on which you are told a level: `gain`, `db`, `fader`, or `bare`, which is `gain` "
        + "but for crosspoints, whose own address it is."),
    ParameterRow(
      .clientEcho, .mixer, "/client/echo", "i", .readWrite, range: 0...2, initial: "1",
      "What you are told about your own changes: 0 nothing, 1 what was taken differently, "
        + "2 everything."),
    ParameterRow(
      .clientList, .mixer, "/client/list", "", .read,
      "Answers how many clients there are and for each its name, where it hears, its rate, its "
        + "face, how many patterns it subscribes to, and the seconds since its last message."),
  ]
}
