import MatrixCore
import Messages

/// What an address reads that has one number: the same for a question, for whoever is told of
/// changes, and for a hand that is held against it.
extension ControlHub {
  /// One number, as the wire has it.
  enum NumberRead {
    /// An `f`.
    case float(Float)
    /// An `i`.
    case int(Int32)

    /// It as an argument.
    var argument: Argument {
      switch self {
      case .float(let value): .float(value)
      case .int(let value): .int32(value)
      }
    }
  }

  /// The number that a target reads, of a level on a face; nothing where it is not one number.
  ///
  /// A level is where it is at `frame`, or where it is going when no frame is given. Allocates
  /// nothing.
  func numberRead(at target: Target, _ face: Face, atFrame frame: Int64? = nil) -> NumberRead? {
    switch target.parameter {
    case .crosspoint, .gain, .decibels, .fader:
      let level = levelRead(at: target, atFrame: frame)
      return .float(face.reading(of: level, taper: configuration.taper))
    case .mute, .solo, .soloSafe, .dim, .phase, .pair:
      return .int(isOn(target) ? 1 : 0)
    case .pan:
      return .float(state.panReading(of: strand(of: target)))
    case .dimLevel:
      return .float(Float(state.dimDB))
    default:
      return nil
    }
  }

  /// The level that a target's address reads, as linear gain: at `frame`, or where it is going when
  /// no frame is given; of a crosspoint to a pair of outputs the level to both.
  @inline(__always)
  func levelRead(at target: Target, atFrame frame: Int64? = nil) -> Double {
    let strand = strand(of: target)
    guard let frame else { return state.level(of: strand) }
    return state.level(of: strand, at: frame)
  }

  /// The gains whose level and pan a target's address reads.
  @inline(__always)
  func strand(of target: Target) -> Strand {
    guard target.place == .crosspoint, !state.pairs.isEmpty else {
      return Strand(target.gain(in: state.shape))
    }
    return state.pairs.strand(input: target.input, output: target.output)
  }

  /// Whether two levels read the same on every face.
  func readsSame(_ one: Double, _ other: Double) -> Bool {
    one == other
      || Face.allCases.allSatisfy {
        $0.reading(of: one, taper: configuration.taper)
          == $0.reading(of: other, taper: configuration.taper)
      }
  }
}
