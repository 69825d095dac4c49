import Messages

/// One word of a line, with its place.
public struct Word: Equatable, Sendable {
  /// What the word says; of a quoted word, what stands between the quotes.
  public var text: String
  /// Whether it stood in quotes, which makes it a string whatever it says.
  public var isQuoted: Bool
  /// Where it begins; of a quoted word, its opening quote.
  public var position: TextPosition

  /// Makes a word.
  public init(text: String, isQuoted: Bool, position: TextPosition) {
    self.text = text
    self.isQuoted = isQuoted
    self.position = position
  }

  /// The number that a bare word spells, if it does.
  public var number: Double? { isQuoted ? nil : TextNumber(text)?.value }

  /// The word as an argument of a message.
  ///
  /// A bare number is an `int32` or, when that is too small, an `int64` if it is spelled without a
  /// dot and an exponent, else a `double`. Every other word is a `string`.
  public var argument: Argument {
    guard !isQuoted, let number = TextNumber(text) else { return .string(text) }
    return number.argument
  }

  /// The byte that a bare word of exactly two hex digits spells, if it does.
  public var hexByte: UInt8? {
    guard !isQuoted else { return nil }
    let digits = text.utf8
    guard digits.count == 2, digits.allSatisfy(Self.isHexDigit) else { return nil }
    return UInt8(text, radix: 16)
  }

  /// Whether a bare word looks like a number written with a decimal comma, as in `0,8`.
  ///
  /// Such a word is a string, but hardly ever meant as one.
  public var looksLikeDecimalComma: Bool {
    guard !isQuoted, text.utf8.count(where: { $0 == UInt8(ascii: ",") }) == 1 else { return false }
    let dotted = String(
      decoding: text.utf8.map { $0 == UInt8(ascii: ",") ? 0x2E : $0 }, as: UTF8.self)
    return !text.utf8.contains(UInt8(ascii: ".")) && text.utf8.last != UInt8(ascii: ",")
      && TextNumber(dotted) != nil
  }

  /// The word as an error shows it: in quotes and, when it is long, cut.
  public var shown: String { Self.shown(text) }

  /// A text as an error shows it: in quotes, without control characters and, when it is long, cut.
  public static func shown(_ text: String) -> String {
    let limit = 40
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(limit) {
      scalars.append(isControl(scalar) ? "\u{FFFD}" : scalar)
    }
    let isCut = text.unicodeScalars.dropFirst(limit).isEmpty == false
    return "\"\(String(scalars))\(isCut ? "…" : "")\""
  }

  /// Whether a scalar is one of Unicode's control characters.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default:
      false
    }
  }
}
