/// OSC bytes, written out by hand so that the tests do not lean on what they test.
enum Wire {
  /// Text, its terminator, and zeros to the next multiple of four.
  static func padded(_ bytes: [UInt8]) -> [UInt8] {
    var out = bytes
    repeat { out.append(0) } while out.count % 4 != 0
    return out
  }

  static func padded(_ text: String) -> [UInt8] { padded(Array(text.utf8)) }

  static func bigEndian<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// One argument: its tag and its bytes.
  enum Item {
    case i(Int32)
    case h(Int64)
    case f(Float)
    case d(Double)
    case s(String)
    case b([UInt8])
    case t
    case u

    var tag: Character {
      switch self {
      case .i: "i"
      case .h: "h"
      case .f: "f"
      case .d: "d"
      case .s: "s"
      case .b: "b"
      case .t: "T"
      case .u: "F"
      }
    }

    var bytes: [UInt8] {
      switch self {
      case .i(let value): bigEndian(value)
      case .h(let value): bigEndian(value)
      case .f(let value): bigEndian(value.bitPattern)
      case .d(let value): bigEndian(value.bitPattern)
      case .s(let text): padded(text)
      case .b(let data):
        bigEndian(Int32(data.count)) + data
          + Array(repeating: 0, count: (4 - data.count % 4) % 4)
      case .t, .u: []
      }
    }
  }

  static func message(_ address: String, _ items: Item...) -> [UInt8] {
    message(address, items)
  }

  static func message(_ address: String, _ items: [Item]) -> [UInt8] {
    padded(address) + padded("," + String(items.map(\.tag))) + items.flatMap(\.bytes)
  }

  /// A bundle with an NTP time tag.
  static func bundle(_ tag: UInt64, _ elements: [[UInt8]]) -> [UInt8] {
    padded("#bundle") + bigEndian(tag)
      + elements.flatMap { bigEndian(Int32($0.count)) + $0 }
  }

  /// The value of an argument that came back.
  enum Value: Equatable {
    case number(Double)
    case text(String)
    case blob([UInt8])
    case none
  }

  /// A message that came back: its address, its tags and its arguments.
  struct Answer: Equatable {
    var address: String
    var tags: String
    var values: [Value]

    var numbers: [Double] {
      values.compactMap { if case .number(let number) = $0 { number } else { nil } }
    }

    var texts: [String] {
      values.compactMap { if case .text(let text) = $0 { text } else { nil } }
    }
  }

  /// Takes a message apart; nothing when it is none.
  static func answer(_ bytes: [UInt8]) -> Answer? {
    var position = 0
    func text() -> String? {
      guard let end = bytes[position...].firstIndex(of: 0) else { return nil }
      defer { position = (end / 4 + 1) * 4 }
      return String(decoding: bytes[position..<end], as: UTF8.self)
    }
    func word() -> UInt64? {
      guard position + 4 <= bytes.count else { return nil }
      defer { position += 4 }
      return bytes[position..<position + 4].reduce(0) { $0 << 8 | UInt64($1) }
    }
    guard let address = text(), let tags = text(), tags.hasPrefix(",") else { return nil }
    var values: [Value] = []
    for tag in tags.dropFirst() {
      switch tag {
      case "i":
        guard let value = word() else { return nil }
        values.append(.number(Double(Int32(bitPattern: UInt32(value)))))
      case "f":
        guard let value = word() else { return nil }
        values.append(.number(Double(Float(bitPattern: UInt32(value)))))
      case "h", "d":
        guard let high = word(), let low = word() else { return nil }
        let bits = high << 32 | low
        values.append(
          .number(tag == "d" ? Double(bitPattern: bits) : Double(Int64(bitPattern: bits))))
      case "s":
        guard let value = text() else { return nil }
        values.append(.text(value))
      case "b":
        guard let count = word(), position + Int(count) <= bytes.count else { return nil }
        values.append(.blob(Array(bytes[position..<position + Int(count)])))
        position += (Int(count) + 3) / 4 * 4
      case "T": values.append(.number(1))
      case "F": values.append(.number(0))
      default: values.append(.none)
      }
    }
    return Answer(address: address, tags: String(tags.dropFirst()), values: values)
  }
}
