import Control
import OSC
import Surfaces
import TextLines

extension FixedClient {
  /// What the words of a client are, for errors.
  static let expectedWords =
    "a client as NAME ADDRESS:PORT [hz 1 to 60] [face bare, gain, db or fader] [pattern PATTERN], "
    + "such as \"tablet 192.168.1.20:9001 hz 20\""

  /// The word at which words are no client any more; nothing where one is missing at the end.
  struct Misread: Error {
    /// The word, which is one of those given.
    var word: Word?
  }

  /// Reads a client from words.
  init(words: ArraySlice<Word>) throws(Misread) {
    var rest = words
    let first = rest.popFirst()
    guard let name = first?.text, !name.isEmpty, name.utf8.count <= Level.longestNameBytes else {
      throw Misread(word: first)
    }
    let place = rest.popFirst()
    guard let peer = place.flatMap(Self.peer) else { throw Misread(word: place) }
    self.init(name: name, peer: peer)
    var given: Set<String> = []
    while let word = rest.popFirst() {
      guard Self.settings.contains(word.text), given.insert(word.text).inserted else {
        throw Misread(word: word)
      }
      let value = rest.popFirst()
      guard let value, take(word.text, value) else { throw Misread(word: value) }
    }
  }

  /// Reads a client from a text of words; nothing when it does not make one.
  init?(text: String) {
    guard let lines = try? LineReader.lines(of: Array(text.utf8), file: ""), lines.count == 1,
      let client = try? FixedClient(words: lines[0].words[...])
    else { return nil }
    self = client
  }

  private static let settings = ["hz", "face", "pattern"]

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
