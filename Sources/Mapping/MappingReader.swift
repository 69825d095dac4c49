import TextLines

extension Mapping {
  /// The most bytes of a mapping file.
  public static let maximumBytes = 1 << 20
  /// The most addresses of a mapping, every step of a line counted.
  public static let maximumAddresses = 16_384
  /// The most bytes of all addresses that are patterns, every step counted: they take their time.
  public static let maximumPatternBytes = 262_144

  /// Reads a mapping file.
  ///
  /// Lines of one device may stand in several places of the file: they become one section.
  ///
  /// - Parameters:
  ///   - bytes: the file, in the language of all texts.
  ///   - file: its name, for errors.
  /// - Throws: a `TextError` at the first mistake.
  public init(_ bytes: [UInt8], file: String) throws(TextError) {
    var reader = MappingReader(file: file)
    self = Mapping(file: file, sections: try reader.sections(of: bytes))
  }
}

/// Reads a mapping file line by line.
struct MappingReader {
  private let file: String
  private var sections: [Mapping.Section] = []
  private var numbers: [DeviceSelector: Int] = [:]
  private var current: Int?
  // The last device line, as long as no line of its own has followed.
  private var childless: TextLine?
  private var heard = HeardSources()
  private var book = AddressBook()
  private var addressCount = 0
  private var patternBytes = 0

  init(file: String) {
    self.file = file
  }

  mutating func sections(of bytes: [UInt8]) throws(TextError) -> [Mapping.Section] {
    guard bytes.count <= Mapping.maximumBytes else {
      throw TextError(
        file: file, position: TextPosition(line: 1, column: 1), found: "\(bytes.count) bytes",
        expected: "a mapping of at most \(Mapping.maximumBytes)")
    }
    var reader = LineReader(bytes, file: file)
    while let line = try reader.next() { try read(line) }
    try refuseChildless()
    guard !sections.isEmpty else {
      throw TextError(
        file: file, position: TextPosition(line: 1, column: 1), found: "a mapping without lines",
        expected: Self.deviceExample)
    }
    return sections
  }

  /// The most addresses of one line; a pattern moves more.
  private static let mostAddresses = 64

  private static let deviceExample =
    "device and the name of a device, such as device \"nanoKONTROL2*\""

  private mutating func read(_ line: TextLine) throws(TextError) {
    var cursor = WordCursor(line)
    if cursor.nextBare == "device" {
      try refuseChildless()
      cursor.skip()
      let device = try DeviceSelector(&cursor)
      let key = device.folded
      if numbers[key] == nil {
        numbers[key] = sections.count
        sections.append(Mapping.Section(device: device, lines: []))
      }
      current = numbers[key]
      childless = line
      return
    }
    guard let current else {
      throw line.unexpected(
        line.words[0], expected: Self.deviceExample + perhaps(line.words[0], ["device"]))
    }
    try readControl(&cursor, section: current)
    childless = nil
  }

  private func refuseChildless() throws(TextError) {
    guard let childless else { return }
    throw TextError(
      file: file, position: childless.words[0].position, found: "a device without lines",
      expected: "lines for it below, such as cc 7 /matrix/in/0/fader")
  }

  // MARK: A control

  private mutating func readControl(
    _ cursor: inout WordCursor, section: Int
  ) throws(TextError) {
    let line = cursor.line
    var steps = StepCount()
    let channel = try Self.channel(&cursor, &steps)
    let source = try SourceTemplate(
      &cursor, &steps, others: channel == nil ? ["ch", "device"] : [])
    let sourceSteps = steps.count
    let addresses = try Self.addresses(&cursor, &steps)
    if sourceSteps == nil, let range = addresses.lazy.compactMap(\.firstRange).first {
      throw TextError(
        file: file, position: range.position,
        found: "<\(range.steps.first)-\(range.steps.last)> in an address alone",
        expected: "steps behind \(source.word.text) or ch too, or one pattern such as [0-7]")
    }
    let options = try OptionsTemplate(&cursor, &steps, highest: source.source(at: 0).highest)
    let count = steps.count ?? 1
    try bound(addresses, steps: count, at: source.word.position)
    let rules = MappingRules(line: line, source: source, options: options)
    try rules.checkAlone()
    try check(addresses, steps: count, rules)
    for step in 0..<count {
      let made = MappingLine(
        file: file, position: source.word.position,
        channel: channel.map { UInt8(truncatingIfNeeded: $0.number(at: step)) },
        source: source.source(at: step),
        addresses: addresses.map {
          MappingLine.Address(text: $0.address(at: step), position: $0.position)
        }, options: options.options(at: step))
      try refuseTaken(made, section: section)
      sections[section].lines.append(made)
    }
  }

  /// Refuses what would take too much memory or time.
  private mutating func bound(
    _ addresses: [AddressTemplate], steps: Int, at position: TextPosition
  ) throws(TextError) {
    addressCount += steps * addresses.count
    guard addressCount <= Mapping.maximumAddresses else {
      throw TextError(
        file: file, position: position, found: "\(addressCount) addresses so far",
        expected: "at most \(Mapping.maximumAddresses) in a mapping")
    }
    patternBytes += addresses.filter(\.isPattern).reduce(0) { $0 + steps * $1.text.utf8.count }
    guard patternBytes <= Mapping.maximumPatternBytes else {
      throw TextError(
        file: file, position: position, found: "\(patternBytes) bytes of patterns so far",
        expected: "at most \(Mapping.maximumPatternBytes) in a mapping")
    }
  }

  private static func channel(
    _ cursor: inout WordCursor, _ steps: inout StepCount
  ) throws(TextError) -> Steps? {
    guard cursor.nextBare == "ch" else { return nil }
    cursor.skip()
    return try cursor.takeSteps(1...16, "a channel", &steps)
  }

  private static func addresses(
    _ cursor: inout WordCursor, _ steps: inout StepCount
  ) throws(TextError) -> [AddressTemplate] {
    var addresses: [AddressTemplate] = []
    var hasMore = true
    while hasMore {
      let expected =
        addresses.isEmpty
        ? "an address such as /matrix/in/0/fader" : "another address behind the comma"
      let word = try cursor.take(expected)
      guard !word.isQuoted, word.text.utf8.first == UInt8(ascii: "/") else {
        throw cursor.line.unexpected(word, expected: expected + unquoted(word))
      }
      hasMore = word.text.utf8.last == UInt8(ascii: ",")
      let text = hasMore ? String(word.text.dropLast()) : word.text
      guard !addresses.contains(where: { $0.text == text }) else {
        throw cursor.line.unexpected(word, expected: "each address once in a line")
      }
      guard addresses.count < mostAddresses else {
        throw cursor.line.unexpected(
          word, expected: "at most \(mostAddresses) addresses in a line")
      }
      addresses.append(try AddressTemplate(text, of: word, in: cursor.line, &steps))
    }
    return addresses
  }

  /// Checks every address at every step, and each kind of thing among them once.
  private mutating func check(
    _ addresses: [AddressTemplate], steps: Int, _ rules: MappingRules
  ) throws(TextError) {
    for address in addresses {
      var known: Set<UInt8> = []
      for step in 0..<(address.firstRange == nil ? 1 : steps) {
        let meaning: AddressBook.Meaning
        do throws(AddressBook.Fault) {
          meaning = try book.meaning(of: address.address(at: step))
        } catch {
          throw address.error(error, at: step)
        }
        guard known.insert(meaning.row.parameter.rawValue).inserted else { continue }
        try rules.check(meaning, of: address, book: &book)
      }
    }
  }

  private mutating func refuseTaken(
    _ line: MappingLine, section: Int
  ) throws(TextError) {
    let number = line.position.line
    guard
      let earlier = heard.take(
        line.source, channel: line.channel, section: section, line: number)
    else { return }
    let channel = line.channel.map { "ch \($0) " } ?? ""
    throw TextError(
      file: file, position: line.position, found: "\"\(channel)\(line.source)\" a second time",
      expected: "each source once for a device; line \(earlier) has it")
  }
}
