/// Why a WAV file could not be read or written: one sentence that names the file.
public struct WAVError: Error, Equatable, Sendable {
  /// The sentence.
  public var sentence: String

  /// Makes an error.
  public init(_ sentence: String) {
    self.sentence = sentence
  }
}
