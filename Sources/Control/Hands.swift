import MatrixCore

/// Which clients have a hand on which gains.
struct Hands {
  /// The most hands of one client that are kept, so that none takes the room of others; a hand
  /// beyond them still ends a fade.
  static let most = 256

  private var clients: [GainID: Set<Int>] = [:]
  private var counts: [Int: Int] = [:]

  func isOn(_ gain: GainID) -> Bool { clients[gain] != nil }

  /// Whether nobody has a hand on anything.
  var isEmpty: Bool { counts.isEmpty }

  /// Whether a client has a hand on anything.
  func areOnAnything(of source: Source) -> Bool { counts[source.code] != nil }

  /// Whether a client has a hand on a gain.
  func isOn(_ gain: GainID, _ source: Source) -> Bool {
    areOnAnything(of: source) && clients[gain]?.contains(source.code) == true
  }

  mutating func put(_ source: Source, on gain: GainID) {
    let count = counts[source.code] ?? 0
    guard count < Self.most, clients[gain, default: []].insert(source.code).inserted else {
      return
    }
    counts[source.code] = count + 1
  }

  /// Says whether there was one.
  @discardableResult
  mutating func takeOff(_ source: Source, _ gain: GainID) -> Bool {
    guard let count = counts[source.code], clients[gain]?.remove(source.code) != nil else {
      return false
    }
    counts[source.code] = count > 1 ? count - 1 : nil
    if clients[gain]?.isEmpty == true { clients[gain] = nil }
    return true
  }

  /// Takes all hands of a client off.
  mutating func forget(_ source: Source) {
    guard areOnAnything(of: source) else { return }
    for gain in Array(clients.keys) { takeOff(source, gain) }
  }
}
