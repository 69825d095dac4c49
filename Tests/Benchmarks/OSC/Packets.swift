/// The bytes of what is sent.
enum Packets {
  /// A message with one float.
  static func message(_ address: String, gain: Float) -> [UInt8] {
    text(address) + text(",f") + number(gain.bitPattern)
  }

  /// A message with a text, and with an integer behind it if there is one.
  static func message(_ address: String, text word: String, number: Int32? = nil) -> [UInt8] {
    text(address) + text(number == nil ? ",s" : ",si") + text(word)
      + (number.map { Self.number($0) } ?? [])
  }

  /// A bundle that means at once.
  static func bundle(_ elements: [[UInt8]]) -> [UInt8] {
    elements.reduce(text("#bundle") + number(UInt64(1))) {
      $0 + number(UInt32($1.count)) + $1
    }
  }

  /// A bundle of gains, one for each of as many crosspoints of a matrix 64 wide.
  static func bundle(count: Int, gain: Float) -> [UInt8] {
    (0..<count).reduce(text("#bundle") + number(UInt64(1))) { bytes, index in
      let element = message("/matrix/in/\(index / 64)/out/\(index % 64)", gain: gain)
      return bytes + number(UInt32(element.count)) + element
    }
  }

  private static func text(_ text: String) -> [UInt8] {
    var bytes = Array(text.utf8) + [0]
    while bytes.count % 4 != 0 { bytes.append(0) }
    return bytes
  }

  private static func number(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }
}
