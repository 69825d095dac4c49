import MatrixCore

/// Addresses that stand for many crosspoints.
extension MatrixShape {
  /// How many levels there are: one of each gain, then one of each group.
  var levelCount: Int { gainCount + GroupTable.count }

  /// How many values a row, a column or the whole has.
  func valueCount(of target: Target) -> Int {
    switch target.parameter {
    case .row: outputs
    case .column: inputs
    case .all: crosspointCount
    case .levels: (inputs + 1) * (outputs + 1)
    default: 1
    }
  }

  /// The crosspoint that a value of a row, a column or the whole belongs to.
  func crosspoint(_ number: Int, of target: Target) -> Target {
    switch target.parameter {
    case .row:
      return Target(.crosspoint, .crosspoint, input: target.input, output: number)
    case .column:
      return Target(.crosspoint, .crosspoint, input: number, output: target.output)
    default:
      return Target(
        .crosspoint, .crosspoint, input: number / outputs, output: number % outputs)
    }
  }
}
