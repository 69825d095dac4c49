/// Why something about a socket or an address could not be done, as one sentence for people.
public struct OSCError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The sentence: it names the thing and the way out.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
