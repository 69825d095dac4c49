extension ParameterTable {
  /// The address by which an output says which loudspeaker it is.
  static let identifyRows: [ParameterRow] = [
    ParameterRow(
      .identify, .output, "/matrix/out/{o}/identify", "[i]", .write,
      "Plays a second of soft noise on this output alone, whatever its level; not while it or the "
        + "master is muted, or in a panic.")
  ]

  /// The addresses of meters.
  static let meterRows: [ParameterRow] = [
    ParameterRow(
      .meterPre, .input, "/matrix/in/{i}/meter/pre", "", .read, unit: "dB",
      "The input as it comes in: peak, average, held peak, and how many samples were clipped, NaN, "
        + "infinite. Only who has subscribed may ask."),
    ParameterRow(
      .meterPost, .input, "/matrix/in/{i}/meter/post", "", .read, unit: "dB",
      "The same behind the input's own gain."),
    ParameterRow(
      .meterPre, .output, "/matrix/out/{o}/meter/pre", "", .read, unit: "dB",
      "The output before its own gain and the master: as of an input."),
    ParameterRow(
      .meterPost, .output, "/matrix/out/{o}/meter/post", "", .read, unit: "dB",
      "The output as it goes out."),
    ParameterRow(
      .meter, .crosspoint, "/matrix/in/{i}/out/{o}/meter", "", .read, unit: "dB",
      "What goes from an input to an output: peak, average, held peak. Only who has subscribed may "
        + "ask."),
    ParameterRow(
      .meterSubscribe, .mixer, "/meter/subscribe", "[s] [i] [i]", .write,
      "Tells you what meters read: which (a pattern of channels or crosspoints; an empty text means "
        + "all inputs and outputs), how often (1 to 50 Hz; 20), how long after your last message "
        + "(seconds; 60, and 0 until `/bye`)."),
    ParameterRow(
      .meterUnsubscribe, .mixer, "/meter/unsubscribe", "[s]", .write,
      "Ends your meters of a pattern, or all of yours."),
    ParameterRow(
      .meterFormat, .mixer, "/meter/format", "s", .readWrite, initial: "floats",
      "How you are told what meters read: `floats`, a message each, or `blob`, all in `/meter/blob`."
    ),
    ParameterRow(
      .meterHold, .mixer, "/meter/hold", "f", .readWrite, unit: "s", range: 0...60,
      initial: "1.5", "How long your meters hold a peak."),
    ParameterRow(
      .meterReset, .mixer, "/meter/reset", "[s]", .write,
      "Begins the counts of clipped, NaN and infinite samples anew, for everybody, and forgets held "
        + "peaks: of a pattern, or of all channels."),
  ]
}
