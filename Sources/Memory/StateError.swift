/// What is wrong with a state file, told in one sentence.
public struct StateError: Error, Equatable, Sendable {
  /// The sentence, which names the file.
  public var sentence: String

  /// Makes an error from its sentence.
  public init(_ sentence: String) {
    self.sentence = sentence
  }
}
