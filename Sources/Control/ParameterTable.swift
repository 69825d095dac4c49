/// Everything that can be controlled or asked, one row per kind of address.
///
/// The tree that finds addresses, the help and the documents come from these rows. A row stands
/// for all channels at once, so the table is as long for 2 x 2 as for 256 x 256. Any thread.
public enum ParameterTable {
  /// The rows, in the order of the documents.
  public static let rows: [ParameterRow] =
    levelRows(.crosspoint, "/matrix/in/{i}/out/{o}", initialGain: "0")
    + switchRows(.crosspoint, "/matrix/in/{i}/out/{o}", [.mute, .phase])
    + motionRows(.crosspoint, "/matrix/in/{i}/out/{o}")
    + levelRows(.input, "/matrix/in/{i}", initialGain: "1")
    + switchRows(.input, "/matrix/in/{i}", [.mute, .solo, .soloSafe, .phase])
    + nameRows(.input, "/matrix/in/{i}")
    + motionRows(.input, "/matrix/in/{i}")
    + levelRows(.output, "/matrix/out/{o}", initialGain: "1")
    + switchRows(.output, "/matrix/out/{o}", [.mute, .dim, .phase])
    + nameRows(.output, "/matrix/out/{o}")
    + motionRows(.output, "/matrix/out/{o}")
    + identifyRows
    + levelRows(.master, "/matrix/master", initialGain: "1")
    + switchRows(.master, "/matrix/master", [.mute, .dim])
    + motionRows(.master, "/matrix/master")
    + pairRows
    + groupRows
    + matrixRows
    + sceneRows
    + clientRows
    + meterRows
    + engineRows

  /// The row of a parameter at a place; asking for one that the table lacks is an error of ours.
  public static func row(_ parameter: Parameter, _ place: Place) -> ParameterRow {
    let index = rowNumbers[Int(parameter.rawValue) * Place.allCases.count + Int(place.rawValue)]
    precondition(index >= 0, "a parameter that the table has at that place")
    return rows[index]
  }

  /// Whether there is a row of a parameter at a place.
  static func has(_ parameter: Parameter, _ place: Place) -> Bool {
    rowNumbers[Int(parameter.rawValue) * Place.allCases.count + Int(place.rawValue)] >= 0
  }

  /// The concrete address of a target.
  public static func address(of target: Target) -> String {
    var text = ""
    for piece in row(target.parameter, target.place).pieces {
      switch piece {
      case .text(let words): text += words
      case .input: text += String(target.input)
      case .output: text += String(target.output)
      case .group, .scene: text += String(target.input)
      }
    }
    return text
  }

  /// Every word that an address has, which no channel may have for a name.
  package static let words: Set<String> = {
    var words: Set<String> = []
    for row in rows { words.formUnion(row.address.split(separator: "/").map(String.init)) }
    return words.filter { $0.first != "{" }
  }()

  private static let rowNumbers: [Int] = {
    var numbers = [Int](repeating: -1, count: Parameter.allCases.count * Place.allCases.count)
    for (number, row) in rows.enumerated() {
      let cell = Int(row.parameter.rawValue) * Place.allCases.count + Int(row.place.rawValue)
      precondition(numbers[cell] < 0, "one row for a parameter at a place")
      numbers[cell] = number
    }
    return numbers
  }()

  // MARK: Rows of a stage

  static func levelRows(
    _ place: Place, _ stem: String, initialGain: String
  ) -> [ParameterRow] {
    let isOff = initialGain == "0"
    let bare =
      place == .crosspoint
      ? [
        ParameterRow(
          .crosspoint, place, stem, "f [f s]", .readWrite, unit: "linear gain",
          range: 0...Level.maximum, initial: initialGain,
          "The gain from an input to an output, over a duration in ms along a curve "
            + "(`db`, `lin` or `s`) if they follow.")
      ] : []
    return bare + [
      ParameterRow(
        .gain, place, stem + "/gain", "f [f s]", .readWrite, unit: "linear gain",
        range: 0...Level.maximum, initial: initialGain,
        "The level as linear gain: 1 is unity, 0 is off."),
      ParameterRow(
        .decibels, place, stem + "/db", "f [f s]", .readWrite, unit: "dB",
        range: Level.offDB...Level.maximumDB, initial: isOff ? "-120" : "0",
        "The level in decibels; -120, anything below and -inf are off."),
      ParameterRow(
        .fader, place, stem + "/fader", "f [f s]", .readWrite, unit: "position", range: 0...1,
        initial: isOff ? "0" : "0.75",
        "The level as the position of a fader; the taper says how positions become decibels."),
      ParameterRow(
        .nudge, place, stem + "/nudge", "f [f]", .write, unit: "dB",
        range: Level.offDB...Level.maximumDB * Level.wrongUnitFactor,
        "Changes the level by decibels, from where it is now; up from off it starts at -60 dB."),
    ]
  }

  static func switchRows(
    _ place: Place, _ stem: String, _ switches: [Parameter]
  ) -> [ParameterRow] {
    switches.map { parameter in
      let (word, help) =
        switch parameter {
        case .mute: ("mute", "Silences it and keeps its level; a fade goes on underneath.")
        case .solo: ("solo", "Silences every input that has neither solo nor solosafe.")
        case .soloSafe: ("solosafe", "Keeps the input sounding while others have solo.")
        case .dim: ("dim", "Turns it down by the amount of `/config/dim`.")
        case .phase: ("phase", "Turns its polarity over.")
        default: preconditionFailure("a switch")
        }
      return ParameterRow(
        parameter, place, stem + "/" + word, "i", .readWrite, unit: "switch", range: 0...1,
        initial: "0", help)
    }
  }

  static func nameRows(_ place: Place, _ stem: String) -> [ParameterRow] {
    [
      ParameterRow(
        .name, place, stem + "/name", "s", .readWrite, initial: "\"\"",
        "What people call it, up to \(Level.longestNameBytes) bytes of UTF-8; a lower-case word "
          + "also stands for the number in addresses.")
    ]
  }

  static func motionRows(_ place: Place, _ stem: String) -> [ParameterRow] {
    [
      ParameterRow(
        .now, place, stem + "/now", "", .read, unit: "linear gain", range: 0...Level.maximum,
        "Where a fade has brought the level so far."),
      ParameterRow(
        .stop, place, stem + "/stop", "[i]", .write, "Ends a fade where it is now."),
      ParameterRow(
        .touch, place, stem + "/touch", "i", .readWrite, unit: "switch", range: 0...1,
        initial: "0", "Says that a hand is on it, which ends a fade, or that it has let go."),
    ]
  }
}
