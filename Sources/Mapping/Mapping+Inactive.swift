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
    let told = options.feedback.filter { $0.destination != .none }
    if told.contains(where: { !isShown($0) }) { words.append("feedback") }
    if !isOfMute, told.contains(where: { isShown($0) && ($0.values?.count ?? 0) > 2 }) {
      words.append("values with BLINK")
    }
    return words
  }

  /// Whether it moves a mute, which something else may do the same as.
  private var isOfMute: Bool {
    addresses.first.map { (try? AddressBook().meaning(of: $0.text))?.row.parameter == .mute }
      ?? false
  }

  /// Whether something that the line moves is shown where a feedback says.
  ///
  /// Whether its first address has a state does not depend on a matrix.
  private func isShown(_ feedback: MappingOptions.Feedback) -> Bool {
    guard shows, let address = addresses.first,
      let kind = try? AddressBook().meaning(of: address.text).kind
    else { return false }
    var destination = source
    if case .source(let other) = feedback.destination { destination = other }
    switch kind {
    case .level:
      if feedback.ring != nil, case .controller = destination { return true }
      return feedback.ring == nil && destination.showsPositions
    case .setting: return destination.showsPositions
    case .toggle: return true
    case .touch, .nudge, .trigger, .text, .list: return false
    }
  }
}
