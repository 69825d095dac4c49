/// The bytes of OSC packets, put together by hand so that nothing of the library is trusted.
enum Bytes {
  /// The message `/matrix/in/0/out/1 ,f 0.5`.
  static let base = message("/matrix/in/0/out/1", ",f", [0x3F, 0, 0, 0])

  /// A text, its terminator and its padding.
  static func text(_ text: String) -> [UInt8] {
    var bytes = Array(text.utf8) + [0]
    while bytes.count % 4 != 0 { bytes.append(0) }
    return bytes
  }

  /// A message of an address, tags and the bytes of the arguments.
  static func message(_ address: String, _ tags: String, _ data: [UInt8] = []) -> [UInt8] {
    text(address) + text(tags) + data
  }

  /// A number in network order.
  static func number(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// A float in network order.
  static func float(_ value: Float) -> [UInt8] { number(value.bitPattern) }

  /// A bundle of elements.
  static func bundle(time: UInt64 = 1, _ elements: [UInt8]...) -> [UInt8] {
    bundle(time: time, elements)
  }

  /// A bundle of elements.
  static func bundle(time: UInt64 = 1, _ elements: [[UInt8]]) -> [UInt8] {
    elements.reduce(text("#bundle") + number(time)) {
      $0 + number(UInt32($1.count)) + $1
    }
  }
}
