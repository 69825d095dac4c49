extension Mapping {
  /// The most line numbers that are listed for a word.
  private static let mostLines = 8

  /// One sentence with each word of the file that is accepted and does nothing yet, and its lines;
  /// nothing where there is none.
  public var inactiveOptions: String? {
    var words: [String] = []
    var numbers: [String: Set<Int>] = [:]
    for line in sections.flatMap(\.lines) {
      for word in line.inactiveWords {
        if numbers[word] == nil { words.append(word) }
        numbers[word, default: []].insert(line.position.line)
      }
    }
    guard !words.isEmpty else { return nil }
    let all = words.map { "\($0) (\(Self.lines((numbers[$0] ?? []).sorted())))" }
    return "\(file): \(listed(all, "and")) \(all.count == 1 ? "is" : "are") accepted and not "
      + "active yet."
  }

  private static func lines(_ numbers: [Int]) -> String {
    var words = numbers.prefix(mostLines).map(String.init)
    if numbers.count > mostLines { words.append("\(numbers.count - mostLines) more") }
    return (numbers.count == 1 ? "line " : "lines ") + listed(words, "and")
  }
}

extension MappingLine {
  /// The words of the line that do nothing yet, in the order of the grammar.
  fileprivate var inactiveWords: [String] {
    var words: [String] = []
    switch source {
    case .pairedController: words.append("cc14")
    case .nonRegistered: words.append("nrpn")
    case .registered: words.append("rpn")
    default: break
    }
    if options.takeover == .scale { words.append("scale") }
    if options.relative != nil { words.append("relative") }
    if options.step != nil { words.append("step") }
    if options.bank != nil { words.append("bank") }
    if !options.feedback.isEmpty { words.append("feedback") }
    if options.feedback.contains(where: { $0.values != nil }) { words.append("values") }
    if options.feedback.contains(where: { $0.ring != nil }) { words.append("ring") }
    return words
  }
}
