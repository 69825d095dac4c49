/// Which sources of a file are taken already, and by which line.
struct HeardSources {
  /// What can be heard twice: a controller, however it is used, a parameter, a key.
  private enum Thing: Hashable {
    case controller(UInt8)
    case other(MappingSource)
  }

  private struct Key: Hashable {
    var section: Int
    var thing: Thing
  }

  // Channel 0 stands for any.
  private var lines: [Key: [UInt8: Int]] = [:]

  /// Takes a source of a section for a line; the line that has it already, or nothing.
  mutating func take(
    _ source: MappingSource, channel: UInt8?, section: Int, line: Int
  ) -> Int? {
    for thing in Self.things(source) {
      let key = Key(section: section, thing: thing)
      let taken = lines[key] ?? [:]
      let earlier =
        channel.map { taken[0] ?? taken[$0] } ?? taken.min { $0.value < $1.value }?.value
      if let earlier { return earlier }
      lines[key, default: [:]][channel ?? 0] = line
    }
    return nil
  }

  private static func things(_ source: MappingSource) -> [Thing] {
    switch source {
    case .controller(let number): [.controller(number)]
    case .pairedController(let high, let low): [.controller(high), .controller(low)]
    default: [.other(source)]
    }
  }
}
