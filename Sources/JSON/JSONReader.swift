import TextLines

/// Reads JSON (RFC 8259) strictly: any bytes at all are either read or refused with a place.
///
/// What the standard leaves open is closed: a name may stand only once in an object, arrays and
/// objects are nested at most `maximumDepth` deep, and a number must fit a `Double`, to which it is
/// rounded as every reader of decimal numbers does, whatever the locale. NaN and infinities are no
/// JSON. A byte order mark at the start does no harm.
public struct JSONReader: ~Copyable {
  /// How deep arrays and objects may be nested.
  public static let maximumDepth = 64

  let file: String
  let bytes: [UInt8]
  var offset: Int

  init(_ bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
    offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Reads a text that is one value; `file` is its name in errors.
  ///
  /// - Throws: a `TextError` at the first thing that is not JSON.
  public static func read(_ bytes: [UInt8], file: String) throws(TextError) -> JSONValue {
    var reader = JSONReader(bytes, file: file)
    let value = try reader.value(depth: 0)
    reader.skipBlanks()
    guard reader.offset == bytes.count else { throw reader.unexpected("the end of the text") }
    return value
  }

  private mutating func value(depth: Int) throws(TextError) -> JSONValue {
    skipBlanks()
    switch byte {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default:
      guard isDigit || byte == UInt8(ascii: "-") else { throw unexpected("a value of JSON") }
      return .number(try number())
    }
  }

  private mutating func array(depth: Int) throws(TextError) -> JSONValue {
    try enter(depth: depth)
    var values: [JSONValue] = []
    if take("]") { return .array(values) }
    repeat { values.append(try value(depth: depth + 1)) } while take(",")
    guard take("]") else { throw unexpected("a comma or ]") }
    return .array(values)
  }

  private mutating func object(depth: Int) throws(TextError) -> JSONValue {
    try enter(depth: depth)
    var members: [JSONValue.Member] = []
    var names: Set<String> = []
    if take("}") { return .object(members) }
    repeat {
      skipBlanks()
      guard byte == UInt8(ascii: "\"") else { throw unexpected("a name in quotes") }
      let start = offset
      let name = try string()
      guard names.insert(name).inserted else {
        throw error(at: start, found: Word.shown(name), expected: "each name only once")
      }
      guard take(":") else { throw unexpected("a colon behind the name") }
      members.append(JSONValue.Member(name, try value(depth: depth + 1)))
    } while take(",")
    guard take("}") else { throw unexpected("a comma or }") }
    return .object(members)
  }

  /// Passes the bracket or brace that the reader stands on.
  private mutating func enter(depth: Int) throws(TextError) {
    guard depth < Self.maximumDepth else {
      throw error(
        at: offset, found: "arrays and objects inside each other",
        expected: "at most \(Self.maximumDepth) of them")
    }
    offset += 1
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(TextError) -> JSONValue {
    guard bytes[offset...].starts(with: word.utf8) else { throw unexpected("a value of JSON") }
    offset += word.utf8.count
    return value
  }

  private mutating func number() throws(TextError) -> Double {
    let start = offset
    if byte == UInt8(ascii: "-") { offset += 1 }
    // A zero at the front stands alone.
    if byte == UInt8(ascii: "0") { offset += 1 } else { try digits() }
    if byte == UInt8(ascii: ".") {
      offset += 1
      try digits()
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      offset += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { offset += 1 }
      try digits()
    }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    guard let number = Double(text), number.isFinite else {
      throw error(at: start, found: Word.shown(text), expected: "a number of at most 1.8e308")
    }
    return number
  }

  private mutating func digits() throws(TextError) {
    guard isDigit else { throw unexpected("a digit") }
    while isDigit { offset += 1 }
  }

  private var isDigit: Bool {
    byte.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
  }

  // MARK: Bytes

  /// The byte that the reader stands on, or nothing at the end.
  var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// Passes a sign, and blanks before it, if it comes next.
  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard byte == UInt8(ascii: sign) else { return false }
    offset += 1
    return true
  }

  private mutating func skipBlanks() {
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
  }
}
