import Surfaces
import TextLines

/// The value of one option, read and within its range.
package enum OptionValue: Equatable, Sendable {
  /// The option was given; it takes no value.
  case flag
  /// A text.
  case text(String)
  /// A whole number.
  case whole(Int)
  /// A number.
  case decimal(Double)
  /// A client that cannot subscribe by itself.
  case client(FixedClient)
  /// An address line.
  case message(TextMessage)
  /// A mapping as it was asked for.
  case mapping(MappingChoice)
}
