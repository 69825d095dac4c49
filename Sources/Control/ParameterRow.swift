/// One line of the table of everything that can be controlled.
public struct ParameterRow: Sendable {
  /// What is meant.
  public let parameter: Parameter
  /// Where it lives.
  public let place: Place
  /// The address, with `{i}` for an input's number, `{o}` for an output's, `{g}` for a group's
  /// and `{n}` for a scene's.
  public let address: String
  /// The arguments that it takes, as OSC type tags; optional ones in brackets, `…` repeats, and
  /// a slash stands between two of which either will do.
  public let arguments: String
  /// What it allows.
  public let access: Access
  /// The unit of its number, or nothing.
  public let unit: String
  /// The range of its number, if it has one; outside of it is clamped.
  public let range: ClosedRange<Double>?
  /// What it is before anybody moves it, as it would be written, or nothing.
  public let initial: String
  /// What it does, in a sentence.
  public let help: String

  /// The address cut where channel numbers go.
  let pieces: [Piece]

  enum Piece: Sendable {
    case text(String)
    case input
    case output
    case group
    case scene
  }

  init(
    _ parameter: Parameter, _ place: Place, _ address: String, _ arguments: String,
    _ access: Access, unit: String = "", range: ClosedRange<Double>? = nil, initial: String = "",
    _ help: String
  ) {
    self.parameter = parameter
    self.place = place
    self.address = address
    self.arguments = arguments
    self.access = access
    self.unit = unit
    self.range = range
    self.initial = initial
    self.help = help
    var pieces: [Piece] = []
    var text = ""
    for part in address.split(separator: "/") {
      text += "/"
      let piece: Piece
      switch part {
      case "{i}": piece = .input
      case "{o}": piece = .output
      case "{g}": piece = .group
      case "{n}": piece = .scene
      default:
        text += part
        continue
      }
      pieces += [.text(text), piece]
      text = ""
    }
    pieces.append(.text(text))
    self.pieces = pieces
  }
}
