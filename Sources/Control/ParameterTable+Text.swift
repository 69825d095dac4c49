import TextLines

/// The table as people read it.
extension ParameterTable {
  /// The table of addresses and the table of error codes, as Markdown.
  public static var markdown: String {
    var text = "| address | arguments | range | at start | meaning |\n"
    text += "| --- | --- | --- | --- | --- |\n"
    for row in rows {
      text += "| `\(row.address)` | \(code(row.arguments)) | \(rangeText(row)) "
      text += "| \(code(row.initial)) | \(row.help)\(accessText(row)) |\n"
    }
    text += "\n| error code | meaning |\n| --- | --- |\n"
    for code in Refusal.Code.allCases {
      text += "| `\(code.rawValue)` | \(code.help) |\n"
    }
    return text
  }

  /// What an address means, or what lies below it; lines that end in a line feed.
  ///
  /// A channel may be any number, a name, a pattern, or `{i}` and `{o}` as in the table.
  /// Throws a `Refusal` with the nearest known word when the table has nothing like it.
  public static func help(for address: String) throws(Refusal) -> String {
    let parts = address.split(separator: "/").map(String.init)
    let fitting = rows.filter { fits(parts, $0) }
    let exact = fitting.filter { partCount($0) == parts.count }
    // An address that is a parameter itself and has others below it is explained alone.
    if !exact.isEmpty { return exact.map(paragraph).joined(separator: "\n") }
    guard !fitting.isEmpty else { throw unknown(address, parts) }
    let width = fitting.map(\.address.count).max() ?? 0
    return fitting.map { row in
      row.address + String(repeating: " ", count: width + 2 - row.address.count)
        + row.help.filter { $0 != "`" } + "\n"
    }.joined()
  }

  private static func fits(_ parts: [String], _ row: ParameterRow) -> Bool {
    let own = row.address.split(separator: "/")
    guard parts.count <= own.count else { return false }
    return zip(parts, own).allSatisfy { part, own in
      part == own || (own.first == "{" && isChannel(part))
    }
  }

  private static func isChannel(_ part: String) -> Bool {
    part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      || part.contains { "*?[{".contains($0) }
      || (AddressNames.isWord(part) && !words.contains(part))
  }

  private static func partCount(_ row: ParameterRow) -> Int {
    row.address.split(separator: "/").count
  }

  private static func paragraph(_ row: ParameterRow) -> String {
    var text = row.address + (row.arguments.isEmpty ? "" : " " + row.arguments) + "\n"
    text += "  \(row.help.filter { $0 != "`" })\n"
    let range = rangeText(row)
    if !range.isEmpty { text += "  range: \(range)\n" }
    if !row.initial.isEmpty { text += "  at start: \(row.initial)\n" }
    switch row.access {
    case .readWrite: text += "  without arguments it answers its value\n"
    case .read: text += "  it can only be asked\n"
    case .write: text += "  it has no value to ask for\n"
    }
    return text
  }

  private static func unknown(_ address: String, _ parts: [String]) -> Refusal {
    for known in parts.indices {
      let before = Array(parts[..<known])
      let words = rows.filter { fits(before, $0) && partCount($0) > known }
        .map { String($0.address.split(separator: "/")[known]) }
      guard !words.isEmpty else { break }
      let isKnown = words.contains {
        $0 == parts[known] || ($0.first == "{" && isChannel(parts[known]))
      }
      if isKnown { continue }
      guard let word = nearest(to: parts[known], among: words) else { break }
      let meant = (before + [word] + parts[(known + 1)...]).map { "/" + $0 }.joined()
      return Refusal(.address, "there is no address \(address); did you mean \(meant)?")
    }
    return Refusal(.address, "there is no address \(address)")
  }

  private static func code(_ text: String) -> String {
    text.isEmpty ? "" : "`\(text)`"
  }

  private static func accessText(_ row: ParameterRow) -> String {
    row.access == .read && !row.help.hasPrefix("Answers") ? " Can only be asked." : ""
  }

  private static func rangeText(_ row: ParameterRow) -> String {
    guard let range = row.range else { return "" }
    return row.unit == "switch"
      ? "off 0, on 1" : "\(short(range.lowerBound)) to \(short(range.upperBound)) \(row.unit)"
  }

  /// A number with three decimals at most, and none where it has none.
  private static func short(_ number: Double) -> String {
    let thousandths = Int((abs(number) * 1_000).rounded())
    var text = (number < 0 ? "-" : "") + String(thousandths / 1_000)
    if thousandths % 1_000 != 0 {
      text += "." + String(thousandths % 1_000 + 1_000).dropFirst()
      while text.hasSuffix("0") { text.removeLast() }
    }
    return text
  }
}
