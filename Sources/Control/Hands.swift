import MatrixCore

/// Which clients have a hand on which gains.
struct Hands {
  /// The most hands that are kept; a hand beyond them still ends a fade.
  static let most = 4_096

  private var clients: [GainID: Set<Int>] = [:]
  private(set) var count = 0

  func isOn(_ gain: GainID) -> Bool { clients[gain] != nil }

  /// Whether a client has a hand on anything.
  func areOnAnything(of source: Source) -> Bool {
    clients.values.contains { $0.contains(source.code) }
  }

  /// Whether a client has a hand on a gain.
  func isOn(_ gain: GainID, _ source: Source) -> Bool {
    count > 0 && clients[gain]?.contains(source.code) == true
  }

  mutating func put(_ source: Source, on gain: GainID) {
    guard count < Self.most else { return }
    if clients[gain, default: []].insert(source.code).inserted { count += 1 }
  }

  /// Says whether there was one.
  @discardableResult
  mutating func takeOff(_ source: Source, _ gain: GainID) -> Bool {
    guard clients[gain]?.remove(source.code) != nil else { return false }
    count -= 1
    if clients[gain]?.isEmpty == true { clients[gain] = nil }
    return true
  }

  /// Takes all hands of a client off.
  mutating func forget(_ source: Source) {
    for gain in Array(clients.keys) { takeOff(source, gain) }
  }
}
