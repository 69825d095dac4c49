import Control
import MatrixCore

extension RunOptions {
  /// What the mixer of a run with these options is told.
  func mixer(_ shape: MatrixShape) -> HubConfiguration {
    HubConfiguration(
      shape: shape, rate: Double(rateHz), tauSeconds: glideMilliseconds / 1_000,
      periodFrames: periodFrames, version: Version.number, name: name)
  }

  /// The matrix of these options; where they do not say how many channels there are, as many as
  /// another one has.
  ///
  /// - Throws: an `OptionError` when both together are too many crosspoints.
  func shape(orElse other: MatrixShape) throws(OptionError) -> MatrixShape {
    let shape = MatrixShape(inputs: inputs ?? other.inputs, outputs: outputs ?? other.outputs)
    guard let shape else {
      throw OptionError("The configuration's inputs and outputs are too many crosspoints together.")
    }
    return shape
  }

  /// The largest matrices that these options may turn out to have, once the card is known: with
  /// both sides given it is one.
  var largestShapes: [MatrixShape] {
    let most = MatrixShape.maximumChannels
    let crosspoints = MatrixShape.maximumCrosspoints
    let sides: [(Int, Int)] =
      switch (inputs, outputs) {
      case (let inputs?, let outputs?): [(inputs, outputs)]
      case (let inputs?, nil): [(inputs, min(most, crosspoints / inputs))]
      case (nil, let outputs?): [(min(most, crosspoints / outputs), outputs)]
      case (nil, nil): [(256, 256), (crosspoints / most, most), (most, crosspoints / most)]
      }
    return sides.compactMap { MatrixShape(inputs: $0.0, outputs: $0.1) }
  }
}
