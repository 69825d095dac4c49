import CALSA

/// The name of a PCM device, taken apart as far as it names a card: `hw:CARD=X18,DEV=0`, `hw:1,0`.
public struct PCMName: Sendable {
  /// The whole name.
  public let name: String
  /// What stands before the colon, for example `hw` or `plughw`.
  public let plugin: String
  /// The card, by name or by number, as it was written; nothing where there is none.
  public let card: String?
  /// The device on the card; 0 unless it says otherwise.
  public let device: Int

  /// Takes a name apart; one that names no card is kept as it is.
  public init(_ name: String) {
    self.name = name
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    plugin = String(parts.first ?? "")
    var card: String?
    var device = 0
    let arguments = parts.count > 1 ? parts[1].split(separator: ",") : []
    for (position, argument) in arguments.enumerated() {
      let pair = argument.split(separator: "=", maxSplits: 1)
      let key = pair.count == 2 ? pair[0] : ["CARD", "DEV", "SUBDEV"][min(position, 2)]
      let value = String(pair.last ?? "")
      if key == "CARD" { card = value }
      if key == "DEV", let number = Int(value) { device = number }
    }
    self.card = card
    self.device = device
  }

  /// The number of the card now; nothing where there is none of that name.
  public var cardNumber: Int? {
    guard let card else { return nil }
    let number = snd_card_get_index(card)
    return number >= 0 ? Int(number) : nil
  }

  /// For a name that counts cards, one that stays with the card: `hw:1,3` is `hw:CARD=X18,DEV=3`.
  ///
  /// Nothing where the name is stable already, or there is no such card.
  public var stableSpelling: String? {
    guard let card, let number = Int(card),
      let identifier = ProcText.lines(of: "/proc/asound/card\(number)/id").first
    else { return nil }
    return device == 0
      ? "\(plugin):CARD=\(identifier)" : "\(plugin):CARD=\(identifier),DEV=\(device)"
  }

  /// The programs that have the device open now, as `aplay (process 4711)`.
  ///
  /// Empty where the kernel does not tell: for devices made of software, and for those that other
  /// users' programs have taken behind a namespace.
  public func holders(_ direction: PCMDirection) -> [String] {
    guard let number = cardNumber else { return [] }
    let letter = direction == .capture ? "c" : "p"
    let folder = "/proc/asound/card\(number)/pcm\(device)\(letter)"
    var holders: [String] = []
    for substream in 0..<128 {
      let lines = ProcText.lines(of: "\(folder)/sub\(substream)/status")
      if lines.isEmpty { break }
      guard
        let owner = lines.first(where: { $0.hasPrefix("owner_pid") })?.split(separator: ":").last,
        let process = Int(owner.drop { $0 == " " })
      else { continue }
      let name = ProcText.lines(of: "/proc/\(process)/comm").first ?? "a program"
      let holder = "\(name) (process \(process))"
      if !holders.contains(holder) { holders.append(holder) }
    }
    return holders
  }
}
