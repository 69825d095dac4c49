import Control
import OSC
import Surfaces
import TextLines

extension FixedClient {
  /// What the words of a client are, for errors.
  static let expectedWords =
    "a client as NAME ADDRESS:PORT [hz 1 to 60] [face bare, gain, db or fader] [pattern PATTERN], "
    + "such as \"tablet 192.168.1.20:9001 hz 20\""

  /// Reads a client from words; nothing when they do not make one.
  init?(words: ArraySlice<Word>) {
    var rest = words
    guard let name = rest.popFirst()?.text, !name.isEmpty,
      name.utf8.count <= Level.longestNameBytes, let peer = rest.popFirst().flatMap(Self.peer)
    else { return nil }
    self.init(name: name, peer: peer)
    var given: Set<String> = []
    while let word = rest.popFirst() {
      guard given.insert(word.text).inserted, let value = rest.popFirst(), take(word.text, value)
      else { return nil }
    }
  }

  /// Reads a client from a text of words; nothing when it does not make one.
  init?(text: String) {
    guard let lines = try? LineReader.lines(of: Array(text.utf8), file: ""), lines.count == 1 else {
      return nil
    }
    self.init(words: lines[0].words[...])
  }

  private mutating func take(_ name: String, _ value: Word) -> Bool {
    switch name {
    case "hz":
      guard let number = value.number, let whole = Int(exactly: number),
        ClientRequest.rates.contains(whole)
      else { return false }
      hz = whole
    case "face":
      guard let face = ClientFace(rawValue: value.text) else { return false }
      self.face = face
    case "pattern":
      guard value.text.utf8.first == UInt8(ascii: "/"),
        value.text.utf8.count <= ClientRequest.longestPatternBytes
      else { return false }
      pattern = value.text
    default:
      return false
    }
    return true
  }

  /// Reads `ADDRESS:PORT`, an IPv6 address in brackets.
  private static func peer(_ word: Word) -> Peer? {
    guard let colon = word.text.lastIndex(of: ":") else { return nil }
    var address = word.text[..<colon]
    let isBracketed = address.first == "[" && address.last == "]"
    if isBracketed { address = address.dropFirst().dropLast() }
    let digits = word.text[word.text.index(after: colon)...]
    guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let port = UInt16(digits), port > 0,
      let peer = try? Peer(address: String(address), port: port), peer.isIPv6 == isBracketed,
      !peer.isUnspecified
    else { return nil }
    return peer
  }
}
