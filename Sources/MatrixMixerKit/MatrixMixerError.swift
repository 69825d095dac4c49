/// Why a mixer cannot be made, in one sentence.
public struct MatrixMixerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The sentence: what was asked for, the limit, the way out.
  public let description: String
}
