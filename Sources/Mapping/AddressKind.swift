import Control

/// What an address is to a hand.
enum AddressKind: Equatable {
  /// A level, by one of its faces.
  case level(Face)
  /// A change of a level.
  case nudge
  /// A number of the mixer.
  case setting
  /// What is on or off.
  case toggle
  /// Whether a hand is on something.
  case touch
  /// What acts when it is sent alone.
  case trigger
  /// A text.
  case text
  /// Several values.
  case list

  /// What a row of the table is to a hand; nothing when it can only be asked.
  init?(_ row: ParameterRow) {
    guard row.access != .read else { return nil }
    if let face = row.parameter.face {
      self = .level(face)
    } else if row.parameter == .nudge {
      self = .nudge
    } else if row.parameter == .touch {
      self = .touch
    } else if row.parameter.isTrigger || row.parameter == .stop || row.parameter == .ping {
      self = .trigger
    } else if row.unit == "switch" {
      self = .toggle
    } else if row.arguments == "s" {
      self = .text
    } else if row.arguments == "f", row.range != nil {
      self = .setting
    } else {
      self = .list
    }
  }

  /// The kind as a sentence names it.
  var name: String {
    switch self {
    case .level: "a level"
    case .nudge: "a change of a level"
    case .setting: "a setting"
    case .toggle: "a switch"
    case .touch: "a touch"
    case .trigger: "a trigger"
    case .text: "a text"
    case .list: "a list"
    }
  }

  /// The options that make sense for it, in the order in which they are told.
  var options: [OptionWord] {
    switch self {
    case .level:
      [.range, .taper, .max, .jump, .pickup, .scale, .relative, .step, .bank, .feedback, .set]
    case .nudge: [.relative, .step, .bank, .feedback, .set]
    case .setting: [.range, .max, .relative, .step, .bank, .feedback, .set]
    case .toggle: [.gate, .toggle, .push, .max, .bank, .feedback, .set]
    case .touch: [.gate, .max, .bank, .feedback, .set]
    case .trigger: [.push, .max, .bank, .feedback, .set]
    case .text, .list: [.push, .max, .bank, .feedback, .set]
    }
  }
}
