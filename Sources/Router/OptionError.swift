import TextLines

/// A mistake in what the user asked for, told in one sentence that names the way out.
package struct OptionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The sentence.
  package let description: String

  /// Makes an error from its sentence.
  package init(_ sentence: String) {
    description = sentence
  }

  /// Makes an error from a mistake in a text.
  package init(_ error: TextError) {
    description = error.description
  }
}

/// A text with a full stop, unless it ends in a mark of its own.
func ended(_ text: String) -> String {
  text.hasSuffix(".") || text.hasSuffix("?") ? text : text + "."
}
