import MatrixCore

/// One concrete address: a parameter and the channels that it is meant for.
public struct Target: Equatable, Sendable {
  /// What is meant.
  public var parameter: Parameter
  /// Where it lives.
  public var place: Place
  /// The input, or the group or scene where the place is one, from 0; 0 where there is none.
  public var input: Int
  /// The output, from 0; 0 where there is none.
  public var output: Int

  /// Names a parameter at a place.
  public init(_ parameter: Parameter, _ place: Place, input: Int = 0, output: Int = 0) {
    self.parameter = parameter
    self.place = place
    self.input = input
    self.output = output
  }

  /// Names a parameter of a gain.
  package init(_ parameter: Parameter, of gain: GainID, in shape: MatrixShape) {
    guard gain.index < shape.gainCount else {
      self.init(parameter, .group, input: Int(gain.index) - shape.gainCount)
      return
    }
    switch shape.stage(of: gain) {
    case .crosspoint(let input, let output):
      self.init(parameter, .crosspoint, input: input, output: output)
    case .input(let input): self.init(parameter, .input, input: input)
    case .output(let output): self.init(parameter, .output, output: output)
    case .master: self.init(parameter, .master)
    }
  }

  /// The number of the channel or group that it belongs to: an output's where it lives at one.
  package var channel: Int { place == .output ? output : input }

  /// Whether it is a level, on one of its faces.
  package var isLevel: Bool { parameter.face != nil }

  /// The gain that it belongs to, a group's being one beyond those of the matrix; a parameter of
  /// the whole mixer has none.
  package func gain(in shape: MatrixShape) -> GainID {
    switch place {
    case .crosspoint: shape.crosspoint(input: input, output: output)
    case .input: shape.input(input)
    case .output: shape.output(output)
    case .master: shape.master
    case .group: GainID(index: Int32(shape.gainCount + input))
    case .mixer: preconditionFailure("an address of the whole mixer has no gain")
    case .scene: preconditionFailure("a scene has no gain of its own")
    }
  }
}
