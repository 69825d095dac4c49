import Messages

/// How a message says which scene it means.
enum SceneReference: Equatable {
  /// The one with a number.
  case number(Int)
  /// The one with a name.
  case name(String)

  /// Reads what `Draft` has checked: a number, or a name; nothing when it is neither.
  init?(_ argument: Argument) {
    if case .string(let name) = argument {
      self = .name(name)
    } else if let number = argument.number {
      self = .number(Int(number))
    } else {
      return nil
    }
  }
}
