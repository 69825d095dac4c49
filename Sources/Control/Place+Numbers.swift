import MatrixCore

/// How many of each place a matrix has, and their order.
extension Place {
  /// How many there are.
  func count(in shape: MatrixShape) -> Int {
    switch self {
    case .crosspoint: shape.crosspointCount
    case .input: shape.inputs
    case .output: shape.outputs
    case .group: MixState.groupCount
    case .scene: SceneStore.most
    case .master, .mixer: 1
    }
  }

  /// The number of a target among those of its place.
  package func index(of target: Target, in shape: MatrixShape) -> Int {
    switch self {
    case .crosspoint: target.input * shape.outputs + target.output
    case .input, .group, .scene: target.input
    case .output: target.output
    case .master, .mixer: 0
    }
  }

  /// The target with a number.
  func target(_ parameter: Parameter, index: Int, in shape: MatrixShape) -> Target {
    switch self {
    case .crosspoint:
      Target(parameter, self, input: index / shape.outputs, output: index % shape.outputs)
    case .input, .group, .scene: Target(parameter, self, input: index)
    case .output: Target(parameter, self, output: index)
    case .master, .mixer: Target(parameter, self)
    }
  }
}
