/// A pattern for a name: `*` is any number of characters, `?` is one, letter case does not count.
///
/// Spaces around pattern and name do not count either: names that the system has cut may end in
/// one. The time is bounded by the length of the pattern times that of the name. Any thread.
public struct Glob: Equatable, Sendable {
  private let pattern: [Character]

  /// Makes a pattern of any text.
  public init(_ pattern: String) {
    self.pattern = Self.characters(pattern)
  }

  /// Whether it matches a name whole.
  public func matches(_ name: String) -> Bool {
    let name = Self.characters(name)
    var place = 0
    var index = 0
    // Where the last star stands, and where the name went on behind it.
    var star: (index: Int, place: Int)?
    while place < name.count {
      if index < pattern.count, pattern[index] == "*" {
        star = (index, place)
        index += 1
      } else if index < pattern.count, pattern[index] == "?" || pattern[index] == name[place] {
        index += 1
        place += 1
      } else if let last = star {
        // The star takes one more.
        index = last.index + 1
        place = last.place + 1
        star = (last.index, place)
      } else {
        return false
      }
    }
    return pattern[index...].allSatisfy { $0 == "*" }
  }

  private static func characters(_ text: String) -> [Character] {
    var characters = Array(text.lowercased())[...]
    while characters.first?.isWhitespace == true { characters.removeFirst() }
    while characters.last?.isWhitespace == true { characters.removeLast() }
    return Array(characters)
  }
}
