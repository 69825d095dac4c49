import CALSA

/// A PCM device that can be opened by name.
public struct PCMListing: Equatable, Sendable {
  /// The name to open it by, with the card's own name in it: `hw:CARD=X18,DEV=0`.
  public var name: String
  /// What people call it, for example `X18, USB Audio`.
  public var title: String
  /// Whether it has inputs.
  public var canCapture: Bool
  /// Whether it has outputs.
  public var canPlay: Bool

  /// Every device that the library knows now; any thread that may block.
  public static func all() -> [PCMListing] {
    calsa_silence()
    // Read anew, because cards come and go.
    snd_config_update_free_global()
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    guard snd_device_name_hint(-1, "pcm", &hints) >= 0, let hints else { return [] }
    defer { snd_device_name_free_hint(hints) }
    var listings: [PCMListing] = []
    var next = hints
    while let hint = next.pointee {
      next += 1
      guard let name = text(hint, "NAME"), name != "null" else { continue }
      let direction = text(hint, "IOID")
      let title = text(hint, "DESC")?.split(separator: "\n").first.map(String.init)
      listings.append(
        PCMListing(
          name: name, title: title ?? "", canCapture: direction != "Output",
          canPlay: direction != "Input"))
    }
    return listings
  }

  /// The devices of sound cards without anything in between, which are those to mix on.
  public static func cards() -> [PCMListing] {
    all().filter { $0.name.hasPrefix("hw:") }
  }

  private static func text(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
    guard let value = snd_device_name_get_hint(hint, key) else { return nil }
    defer { free(value) }
    return String(cString: value)
  }
}
