import CPlatform

/// Text as a terminal shows it: columns and not characters, and none of the characters that are
/// orders to it.
enum TerminalText {
  /// A text without control characters and without those that turn the direction of what follows.
  static func clean(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter {
          $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
        }))
  }

  /// As much of a text as so many columns hold.
  static func prefix(_ text: String, columns: Int) -> String { cut(text, columns).text }

  /// A text that is cut, or filled with spaces, to so many columns.
  static func padded(_ text: String, columns: Int) -> String {
    let (kept, rest) = cut(text, columns)
    return kept + String(repeating: " ", count: rest)
  }

  private static func cut(_ text: String, _ columns: Int) -> (text: String, rest: Int) {
    var rest = columns
    var kept = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let width = Int(crosspoint_columns(scalar.value))
      guard width <= rest else { break }
      rest -= width
      kept.append(scalar)
    }
    return (String(kept), rest)
  }
}
