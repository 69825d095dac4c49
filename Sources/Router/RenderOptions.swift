import Mapping
import TextLines

/// Everything that `crosspoint render` was told.
package struct RenderOptions: Equatable, Sendable {
  /// The WAV file to read.
  package var inputPath: String
  /// The WAV file to write.
  package var outputPath: String
  /// The other files that are read.
  package var otherPaths: [String] = []
  /// The changes and their times; nothing without `--events`.
  package var events: EventFile?
  /// The inputs of the matrix, 1...512, from the configuration; nothing means the file's channels.
  package var inputs: Int?
  /// The outputs of the matrix, 1...512; nothing means as many as inputs.
  package var outputs: Int?
  /// The frames of a period, 1...4096; the result does not depend on it.
  package var periodFrames: Int
  /// The time constant of the glide, 1...40 ms.
  package var glideMilliseconds: Double
  /// What is applied at the start, in order: the configuration's address lines, then `--set`.
  package var startMessages: [TextMessage]
  /// What MIDI controllers do; files are read once everything else is known to be sound.
  package var mappings: [Mapping] = []

  /// Collects the options of one layer and fills in the defaults.
  ///
  /// Options of the layer that are about devices and sockets have no meaning here: one
  /// configuration serves both commands.
  ///
  /// - Throws: an `OptionError` when the matrix has too many crosspoints.
  package init(
    inputPath: String, outputPath: String, events: EventFile?, _ layer: OptionLayer
  ) throws(OptionError) {
    self.inputPath = inputPath
    self.outputPath = outputPath
    self.events = events
    inputs = layer.whole(.inputs)
    outputs = layer.whole(.outputs)
    try checkCrosspoints(inputs: inputs, outputs: outputs)
    periodFrames = layer.whole(.period) ?? 64
    glideMilliseconds = layer.decimal(.glide) ?? 5
    startMessages = layer.messages
  }
}
