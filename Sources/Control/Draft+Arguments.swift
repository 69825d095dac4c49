import MatrixCore
import Messages

/// What single arguments may be.
extension Draft {
  /// A finite number, or -inf where that means off.
  func number(_ argument: Argument, mayBeOff: Bool = false) throws(Refusal) -> Double {
    guard let number = argument.number else {
      throw Refusal(.type, "a number is expected, not '\(Character(Unicode.Scalar(argument.tag)))'")
    }
    guard number.isFinite || (mayBeOff && number == -.infinity) else {
      throw Refusal(.nan, "a number must be finite")
    }
    return number
  }

  /// A duration in milliseconds as frames.
  func duration(_ argument: Argument) throws(Refusal) -> Double {
    if case .impulse = argument { return 0 }
    if case .string = argument {
      throw Refusal(.type, "a duration in ms is expected here, and a curve behind it")
    }
    let milliseconds = try number(argument)
    return min(max(0, milliseconds), Level.longestMilliseconds) * rate / 1_000
  }

  func curve(_ argument: Argument) throws(Refusal) -> FadeCurve {
    guard case .string(let name) = argument else {
      throw Refusal(.type, "a curve is one of the words db, lin and s")
    }
    switch name {
    case "db": return .decibels
    case "lin": return .linear
    case "s": return .smooth
    default: throw Refusal(.value, "a curve is one of the words db, lin and s")
    }
  }

  /// Whether something that acts without arguments is to act: a button's release is not.
  mutating func acts(_ arguments: UnsafeBufferPointer<Argument>) throws(Refusal) -> Bool {
    guard arguments.count <= 1 else { throw Refusal(.count, "this takes one number at most") }
    guard let first = arguments.first, first != .impulse else { return true }
    if try number(first) >= 0.5 { return true }
    ignoredReleases += 1
    return false
  }

  /// Passes over what clients are told and cannot set, when somebody sends it back as it was told:
  /// like an answer it is ignored, so that the rest of its datagram counts.
  mutating func passOver(
    _ arguments: UnsafeBufferPointer<Argument>, toldOf parameter: Parameter
  ) throws(Refusal) {
    let tags: StaticString =
      switch parameter {
      case .sceneInfo: "si"
      case .sceneCurrent: "isi"
      default: "s"
      }
    let isTold = tags.withUTF8Buffer { $0.elementsEqual(arguments.lazy.map(\.tag)) }
    guard isTold else { throw Refusal(.count, "this can only be asked: no arguments") }
    ignoredAnswers += 1
  }
}
