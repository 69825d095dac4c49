import ALSA

/// What `crosspoint devices` prints about sound.
enum DeviceListing {
  /// The sound cards by the names to open them by, or a sentence that there is none.
  static func text() -> String {
    let cards = PCMListing.cards()
    guard !cards.isEmpty else {
      return "No sound card was found; crosspoint run --virtual works without one.\n"
    }
    let width = cards.map(\.name.count).max() ?? 0
    return cards.map { card in
      let directions =
        card.canCapture && card.canPlay
        ? "capture and playback" : card.canCapture ? "capture" : "playback"
      let padding = String(repeating: " ", count: width + 2 - card.name.count)
      return "\(card.name)\(padding)\(directions)  \(card.title)\n"
    }.joined()
  }
}
