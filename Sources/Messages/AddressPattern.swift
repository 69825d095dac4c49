/// The matching of one part of an address pattern against one part of an address.
///
/// OSC 1.0, "OSC Message Dispatching and Pattern Matching": `?` is one character, `*` any number
/// of them, `[a-z]` one of a set, `[!a-z]` one outside of it, `{in,out}` one of several words.
/// A pattern and an address match when they have equally many parts and each part matches; the
/// splitting at `/` is the caller's, so nothing here ever crosses one. Characters are bytes.
///
/// Nothing is allocated, nothing recurses, and the time is bounded by the length of the pattern
/// times the length of the text, whatever the pattern. Any thread.
public enum AddressPattern {
  /// The longest text that a pattern can match, in bytes; a longer one matches nothing.
  public static let longestText = PositionSet.capacity - 1

  /// Whether a part, or a whole address, means more than the name it spells.
  public static func isPattern(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "?"), UInt8(ascii: "*"), UInt8(ascii: "["), UInt8(ascii: "]"),
        UInt8(ascii: "{"), UInt8(ascii: "}"):
        return true
      default:
        continue
      }
    }
    return false
  }

  /// Whether a bracket or brace of a pattern is not closed within its part, so that it meets nothing.
  public static func isOpen(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var close: UInt8?
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "/"): if close != nil { return true }
      case UInt8(ascii: "[") where close == nil: close = UInt8(ascii: "]")
      case UInt8(ascii: "{") where close == nil: close = UInt8(ascii: "}")
      case let byte where byte == close: close = nil
      default: continue
      }
    }
    return close != nil
  }

  /// Whether a pattern's part matches a text whole.
  ///
  /// Brackets and braces that are empty sets, nested or not closed match nothing.
  public static func matches(
    pattern: UnsafeBufferPointer<UInt8>, text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard text.count <= longestText else { return false }
    // Where in the text a reader of the pattern so far may stand. Following all of these places
    // at once instead of going back to try the next one is what bounds the time.
    var places = PositionSet(0)
    var index = 0
    while index < pattern.count, !places.isEmpty {
      let byte = pattern[index]
      index += 1
      switch byte {
      case UInt8(ascii: "*"):
        places.extend(through: text.count)
        // Stars in a row are one star, and cheaper so.
        while index < pattern.count, pattern[index] == byte { index += 1 }
      case UInt8(ascii: "?"):
        places.advance(over: text) { _ in true }
      case UInt8(ascii: "["):
        guard let set = CharacterSet(pattern, after: &index) else { return false }
        places.advance(over: text) { set.contains($0) }
      case UInt8(ascii: "{"):
        guard let next = places.advanced(over: text, byWordsOf: pattern, after: &index) else {
          return false
        }
        places = next
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        return false
      default:
        places.advance(over: text) { $0 == byte }
      }
    }
    return index == pattern.count && places.contains(text.count)
  }

  /// Whether a pattern's part matches a number as it stands in an address: decimal, no leading zero.
  ///
  /// The number must not be negative.
  public static func matches(pattern: UnsafeBufferPointer<UInt8>, number: Int) -> Bool {
    precondition(number >= 0, "an index of an address counts from 0")
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var first = digits.count
    var rest = number
    repeat {
      first -= 1
      digits[first] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    } while rest > 0
    return digits.span.withUnsafeBufferPointer {
      matches(pattern: pattern, text: UnsafeBufferPointer(rebasing: $0[first...]))
    }
  }

  /// Whether a pattern's part matches a text whole.
  ///
  /// Brackets and braces that are empty sets, nested or not closed match nothing.
  public static func matches(pattern: Span<UInt8>, text: Span<UInt8>) -> Bool {
    pattern.withUnsafeBufferPointer { pattern in
      text.withUnsafeBufferPointer { matches(pattern: pattern, text: $0) }
    }
  }
}
