/// Makes packets that are right, or nearly so, out of arbitrary bytes.
struct Recipe {
  private let input: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(_ input: UnsafeBufferPointer<UInt8>) {
    self.input = input
  }

  /// A packet; one in four has a byte changed or an end cut off.
  mutating func packet() -> [UInt8] {
    let damage = next()
    let place = Int(next()) << 8 | Int(next())
    var packet = element(depth: 0)
    guard !packet.isEmpty else { return packet }
    switch damage {
    case 0..<32: packet[place % packet.count] ^= 1 << (damage & 7)
    case 32..<64: packet.removeLast(place % packet.count)
    default: break
    }
    return packet
  }

  private var isExhausted: Bool { position >= input.count }

  private mutating func next() -> UInt8 {
    guard !isExhausted else { return 0 }
    defer { position += 1 }
    return input[position]
  }

  private mutating func next(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in next() }
  }

  private mutating func element(depth: Int) -> [UInt8] {
    next() & 3 == 0 && depth < 6 ? bundle(depth: depth) : message()
  }

  private mutating func bundle(depth: Int) -> [UInt8] {
    var bytes = padded(Array("#bundle".utf8))
    bytes += next() & 1 == 0 ? [0, 0, 0, 0, 0, 0, 0, next() & 3] : next(8)
    for _ in 0..<(next() & 7) where !isExhausted {
      let element = element(depth: depth + 1)
      bytes += [0, 0, UInt8(element.count >> 8 & 0xFF), UInt8(element.count & 0xFF)] + element
    }
    return bytes
  }

  private mutating func message() -> [UInt8] {
    var tags: [UInt8] = [UInt8(ascii: ",")]
    var data: [UInt8] = []
    let address = [UInt8(ascii: "/")] + next(Int(next() & 15))
    for _ in 0..<(next() & 15) where !isExhausted {
      let tag = Array("ifsbhtdScmTFNIr[".utf8)[Int(next() & 15)]
      tags.append(tag)
      switch tag {
      case UInt8(ascii: "s"), UInt8(ascii: "S"): data += padded(next(Int(next() & 7)))
      case UInt8(ascii: "b"):
        let count = next() & 7
        data += [0, 0, 0, count] + next(Int(count))
        while data.count % 4 != 0 { data.append(0) }
      case UInt8(ascii: "h"), UInt8(ascii: "t"), UInt8(ascii: "d"): data += next(8)
      case UInt8(ascii: "T"), UInt8(ascii: "F"), UInt8(ascii: "N"), UInt8(ascii: "I"): break
      default: data += next(4)
      }
    }
    return padded(address) + padded(tags) + data
  }

  private func padded(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes.map { $0 == 0 ? 1 : $0 } + [0]
    while bytes.count % 4 != 0 { bytes.append(0) }
    return bytes
  }
}
