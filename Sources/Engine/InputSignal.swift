/// What comes in where there is no card.
public enum InputSignal: Equatable, Sendable {
  /// A sine of its own for each input: input i has 110 Hz x (1 + i mod 64), at -20 dBFS.
  case tones
  /// Nothing.
  case silence
  /// The same value on every input, in linear gain of full scale.
  case constant(Float)
  /// A WAV file of the engine's rate, held in memory: again and again, or once, and then the stream
  /// ends.
  case file(path: String, isRepeated: Bool)
}
