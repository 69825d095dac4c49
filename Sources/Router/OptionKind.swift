import OSC
import Surfaces
import TextLines

/// What values an option takes.
package enum OptionKind: Equatable, Sendable {
  /// None: the option stands alone.
  case flag
  /// Any text that is not empty; the string says what it means.
  case text(String)
  /// A whole number within a range; the string is its unit.
  case whole(ClosedRange<Int>, String)
  /// A number within a range; the string is its unit.
  case decimal(ClosedRange<Double>, String)
  /// An IPv4 or IPv6 address, or localhost; other names are not looked up, because that may block.
  case networkAddress
  /// A range of such addresses, `ADDRESS/BITS` or a single one.
  case networkRange
  /// One of some words.
  case choice([String])
  /// `NAME ADDRESS:PORT` and what such a client wants; in a configuration, words.
  case client
  /// `ADDRESS ARGS…`, in the language of all texts.
  case message
  /// A mapping, by name or as a file.
  case mapping

  /// Reads a value; nothing when it is not what `expected` says, or when it is a flag's, a message
  /// or a mapping, which are read elsewhere.
  package func value(of text: String) -> OptionValue? {
    switch self {
    case .flag, .message, .mapping:
      return nil
    case .text:
      return text.isEmpty ? nil : .text(text)
    case .whole(let range, _):
      guard let number = TextNumber(text)?.value, let whole = Int(exactly: number),
        range.contains(whole)
      else { return nil }
      return .whole(whole)
    case .decimal(let range, _):
      guard let number = TextNumber(text)?.value, range.contains(number) else { return nil }
      return .decimal(number)
    case .networkAddress:
      let address = text == "localhost" ? "127.0.0.1" : text
      return (try? Peer(address: address, port: 0)).map { _ in .text(address) }
    case .networkRange:
      return (try? AddressRange(text)).map { _ in .text(text) }
    case .choice(let words):
      return words.contains(text) ? .text(text) : nil
    case .client:
      return FixedClient(text: text).map(OptionValue.client)
    }
  }

  /// The values that are taken, for errors.
  package var expected: String {
    switch self {
    case .flag: "nothing after it"
    case .text(let meaning): meaning
    case .whole(let range, let unit):
      "a whole number from \(range.lowerBound) to \(range.upperBound)\(Self.after(unit))"
    case .decimal(let range, let unit):
      "a number from \(Self.short(range.lowerBound)) to \(Self.short(range.upperBound))"
        + Self.after(unit)
    case .networkAddress: "an IPv4 or IPv6 address, such as 192.168.1.10 or ::1, or localhost"
    case .networkRange: "a range of addresses, such as 192.168.1.0/24 or fd00::/8"
    case .choice(let words): words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    case .client: FixedClient.expectedWords
    case .mapping: "the name of a mapping, such as nanokontrol2, or a file, such as ./my.map"
    case .message: "an address and its arguments, such as \"/matrix/in/0/out/1 0.8\""
    }
  }

  private static func after(_ unit: String) -> String { unit.isEmpty ? "" : " " + unit }

  private static func short(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? String(number)
  }
}
