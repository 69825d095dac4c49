import TextLines

/// The reading of texts in quotes.
extension JSONReader {
  /// Reads the text whose opening quote the reader stands on.
  mutating func string() throws(TextError) -> String {
    let start = offset
    var text: [UInt8] = []
    offset += 1
    while let byte, byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\") {
        try escape(into: &text)
      } else if byte < 0x20 {
        throw unexpected("text, in which control characters are written as \\u00XX")
      } else if byte < 0x80 {
        text.append(byte)
        offset += 1
      } else {
        guard let scalar = scalar(at: offset) else { throw unexpected("text in UTF-8") }
        let length = scalar.utf8.count
        text.append(contentsOf: bytes[offset..<offset + length])
        offset += length
      }
    }
    guard offset < bytes.count else {
      throw error(at: start, found: "a quote that is not closed", expected: "a second quote")
    }
    offset += 1
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func escape(into text: inout [UInt8]) throws(TextError) {
    let start = offset
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(bytes[offset])
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      text.append(contentsOf: try escapedScalar(from: start).utf8)
      return
    default: throw unexpected("one of \" \\ / b f n r t u behind a backslash")
    }
    offset += 1
  }

  /// Reads `uXXXX`, and a second one where the first is half of a scalar.
  private mutating func escapedScalar(from start: Int) throws(TextError) -> Unicode.Scalar {
    let first = try unit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    // Scalars beyond U+FFFF are written as two halves (RFC 8259, section 7).
    if (0xD800...0xDBFF).contains(first), byte == UInt8(ascii: "\\") {
      offset += 1
      if byte == UInt8(ascii: "u") {
        let second = try unit()
        let value = 0x10000 | UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF)
        if (0xDC00...0xDFFF).contains(second), let scalar = Unicode.Scalar(value) { return scalar }
      }
    }
    throw error(
      at: start, found: "half of a character", expected: "both halves, as in \\ud83c\\udfb9")
  }

  private mutating func unit() throws(TextError) -> UInt16 {
    offset += 1
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let byte, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw unexpected("four hex digits")
      }
      value = value << 4 | UInt16(digit)
      offset += 1
    }
    return value
  }

  // MARK: Errors

  /// The scalar that begins at a byte, unless it is not UTF-8.
  private func scalar(at offset: Int) -> Unicode.Scalar? {
    var decoder = UTF8()
    var iterator = bytes[offset..<min(offset + 4, bytes.count)].makeIterator()
    if case .scalarValue(let scalar) = decoder.decode(&iterator) { return scalar }
    return nil
  }

  /// The error that what stands here is not what was expected.
  func unexpected(_ expected: String) -> TextError {
    error(at: offset, found: found, expected: expected)
  }

  /// The error about a place.
  func error(at offset: Int, found: String, expected: String) -> TextError {
    var line = 1
    var column = 1
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    for byte in bytes[start..<max(start, min(offset, bytes.count))] {
      if byte == 0x0A {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return TextError(
      file: file, position: TextPosition(line: line, column: column), found: found,
      expected: expected)
  }

  private var found: String {
    guard let byte else { return "the end of the text" }
    if byte < 0x20 || byte == 0x7F {
      let digits = String(byte, radix: 16, uppercase: true)
      return "a control character (U+00\(byte < 0x10 ? "0" : "")\(digits))"
    }
    return scalar(at: offset).map { Word.shown(String($0)) } ?? "bytes that are not UTF-8"
  }
}
