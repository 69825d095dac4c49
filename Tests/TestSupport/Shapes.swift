import MatrixCore

/// A shape that is known to be allowed.
public func shape(_ inputs: Int, _ outputs: Int) -> MatrixShape {
  guard let shape = MatrixShape(inputs: inputs, outputs: outputs) else {
    preconditionFailure("\(inputs) x \(outputs) is not a shape")
  }
  return shape
}

/// 20 log10 of a magnitude.
public func decibels(_ magnitude: Double) -> Double {
  magnitude > 0 ? 20 * log10Of(magnitude) : -.infinity
}
