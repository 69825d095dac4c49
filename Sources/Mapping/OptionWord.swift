/// The words that options of a mapping line begin with.
enum OptionWord: String, CaseIterable {
  case range
  case taper
  case max
  case jump
  case pickup
  case scale
  case gate
  case toggle
  case push
  case relative
  case step
  case bank
  case feedback
  case set

  /// The words as texts.
  static let words = allCases.map(\.rawValue)

  /// The words of which a line has only one: this one and those that exclude it.
  var rivals: [OptionWord] {
    switch self {
    case .jump, .pickup, .scale: [.jump, .pickup, .scale]
    case .gate, .toggle, .push: [.gate, .toggle, .push]
    default: [self]
    }
  }

  /// The options that may stand beside `set`, which sends at a press.
  static let besideSet: [OptionWord] = [.push, .max, .bank, .feedback]
  /// The options that may stand beside `relative`.
  static let besideRelative: [OptionWord] = [.range, .taper, .step, .bank, .feedback]
}
