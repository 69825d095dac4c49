/// A matcher that first reads the whole pattern and then fills a table, from the ends backwards.
enum ReferenceMatcher {
  private enum Token {
    case byte(UInt8)
    case any
    case star
    case set(Set<UInt8>, isNegated: Bool)
    case words([[UInt8]])
  }

  static func matches(pattern: [UInt8], text: [UInt8]) -> Bool {
    guard let tokens = tokens(of: pattern) else { return false }
    // Whether the tokens behind one, which is the next to be looked at, match from each place on.
    var rest = (0...text.count).map { $0 == text.count }
    for token in tokens.reversed() {
      rest = (0...text.count).map { place in
        switch token {
        case .byte(let byte): place < text.count && text[place] == byte && rest[place + 1]
        case .any: place < text.count && rest[place + 1]
        case .star: rest[place...].contains(true)
        case .set(let set, let isNegated):
          place < text.count && set.contains(text[place]) != isNegated && rest[place + 1]
        case .words(let words):
          words.contains { text[place...].starts(with: $0) && rest[place + $0.count] }
        }
      }
    }
    return rest[0]
  }

  private static func tokens(of pattern: [UInt8]) -> [Token]? {
    var tokens: [Token] = []
    var rest = pattern[...]
    while let byte = rest.popFirst() {
      switch Character(Unicode.Scalar(byte)) {
      case "*": tokens.append(.star)
      case "?": tokens.append(.any)
      case "]", "}": return nil
      case "[":
        guard let end = rest.firstIndex(of: UInt8(ascii: "]")),
          let set = set(of: Array(rest[..<end]))
        else { return nil }
        tokens.append(set)
        rest = rest[(end + 1)...]
      case "{":
        guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { return nil }
        let inside = rest[..<end]
        guard !inside.contains(UInt8(ascii: "{")) else { return nil }
        let words = inside.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        tokens.append(.words(words.map(Array.init)))
        rest = rest[(end + 1)...]
      default: tokens.append(.byte(byte))
      }
    }
    return tokens
  }

  private static func set(of inside: [UInt8]) -> Token? {
    let isNegated = inside.first == UInt8(ascii: "!")
    let members = Array(inside.dropFirst(isNegated ? 1 : 0))
    guard !members.isEmpty, !members.contains(UInt8(ascii: "[")) else { return nil }
    var set: Set<UInt8> = []
    var index = 0
    while index < members.count {
      if index + 2 < members.count, members[index + 1] == UInt8(ascii: "-") {
        if members[index] <= members[index + 2] {
          set.formUnion(members[index]...members[index + 2])
        }
        index += 3
      } else {
        set.insert(members[index])
        index += 1
      }
    }
    return .set(set, isNegated: isNegated)
  }
}
