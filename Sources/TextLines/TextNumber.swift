import Messages

/// A number as people write it: the same in every locale, and nothing but a number.
///
/// An optional sign, digits with at most one dot among, before or after them, and optionally an
/// exponent (`e`, an optional sign, digits); or exactly `-inf`. Hex, `nan`, `inf`, grouping,
/// spaces and decimal commas are no numbers, nor is what is too large for a `Double`.
public struct TextNumber: Equatable, Sendable {
  /// The number; finite, or minus infinity.
  public let value: Double
  /// The number as an argument: whole numbers without dot and exponent stay whole.
  public let argument: Argument

  /// Reads a number, or nothing when the text is not one.
  public init?(_ text: String) {
    if text == "-inf" {
      value = -.infinity
      argument = .double(value)
      return
    }
    guard let isWhole = Self.isWhole(text), let number = Double(text), number.isFinite else {
      return nil
    }
    value = number
    if isWhole, let small = Int32(text) {
      argument = .int32(small)
    } else if isWhole, let large = Int64(text) {
      argument = .int64(large)
    } else {
      argument = .double(number)
    }
  }

  /// Whether a number is spelled without dot and exponent; nothing when the spelling is wrong.
  private static func isWhole(_ text: String) -> Bool? {
    var bytes = text.utf8[...]
    skipSign(&bytes)
    var digits = skipDigits(&bytes)
    var isWhole = true
    if bytes.first == UInt8(ascii: ".") {
      isWhole = false
      bytes.removeFirst()
      digits += skipDigits(&bytes)
    }
    guard digits > 0 else { return nil }
    if bytes.first == UInt8(ascii: "e") || bytes.first == UInt8(ascii: "E") {
      isWhole = false
      bytes.removeFirst()
      skipSign(&bytes)
      guard skipDigits(&bytes) > 0 else { return nil }
    }
    return bytes.isEmpty ? isWhole : nil
  }

  private static func skipSign(_ bytes: inout Substring.UTF8View) {
    if bytes.first == UInt8(ascii: "+") || bytes.first == UInt8(ascii: "-") {
      bytes.removeFirst()
    }
  }

  private static func skipDigits(_ bytes: inout Substring.UTF8View) -> Int {
    let before = bytes.count
    bytes = bytes.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return before - bytes.count
  }
}
