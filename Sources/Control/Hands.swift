import MatrixCore

/// Which clients have a hand on which gains.
struct Hands {
  /// The most hands that are kept; a hand beyond them still ends a fade.
  static let most = 4_096

  private var sources: [GainID: Set<Source>] = [:]
  private(set) var count = 0

  func isOn(_ gain: GainID) -> Bool { sources[gain] != nil }

  mutating func put(_ source: Source, on gain: GainID) {
    guard count < Self.most else { return }
    if sources[gain, default: []].insert(source).inserted { count += 1 }
  }

  mutating func takeOff(_ source: Source, _ gain: GainID) {
    guard sources[gain]?.remove(source) != nil else { return }
    count -= 1
    if sources[gain]?.isEmpty == true { sources[gain] = nil }
  }

  /// Takes all hands of a client off.
  mutating func forget(_ source: Source) {
    for gain in Array(sources.keys) { takeOff(source, gain) }
  }
}
