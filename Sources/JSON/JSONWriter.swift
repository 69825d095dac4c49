/// Writes JSON that people can read: what holds only single values stands on one line.
///
/// The same value always gives the same bytes. Numbers are written as short as a reader gets the
/// very same `Double` back, with a dot in every locale.
public struct JSONWriter: ~Copyable {
  private var bytes: [UInt8] = []

  private init() {}

  /// The text of a value in UTF-8, with a line feed at its end.
  ///
  /// Every number must be finite.
  public static func bytes(of value: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(value, indent: 0)
    writer.write("\n")
    return writer.bytes
  }

  private mutating func write(_ value: JSONValue, indent: Int) {
    switch value {
    case .null: write("null")
    case .bool(let bool): write(bool ? "true" : "false")
    case .number(let number): write(Self.text(of: number))
    case .string(let string): write(quoted: string)
    case .array(let values):
      write(
        "[", values, "]", onOneLine: values.allSatisfy(\.isScalar), indent: indent
      ) { writer, value in
        writer.write(value, indent: indent + 1)
      }
    case .object(let members):
      write(
        "{", members, "}", onOneLine: members.allSatisfy(\.value.isScalar), indent: indent
      ) { writer, member in
        writer.write(quoted: member.name)
        writer.write(": ")
        writer.write(member.value, indent: indent + 1)
      }
    }
  }

  private mutating func write<Element>(
    _ opening: String, _ elements: [Element], _ closing: String, onOneLine isFlat: Bool,
    indent: Int, _ writeElement: (inout JSONWriter, Element) -> Void
  ) {
    write(opening)
    for (number, element) in elements.enumerated() {
      if number > 0 { write(isFlat ? ", " : ",") }
      if !isFlat { startLine(indent: indent + 1) }
      writeElement(&self, element)
    }
    if !isFlat { startLine(indent: indent) }
    write(closing)
  }

  private mutating func startLine(indent: Int) {
    write("\n")
    for _ in 0..<indent { write("  ") }
  }

  private mutating func write(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func write(quoted text: String) {
    write("\"")
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): write("\\\"")
      case UInt8(ascii: "\\"): write("\\\\")
      case 0x0A: write("\\n")
      case 0x09: write("\\t")
      case 0..<0x20, 0x7F:
        write("\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))")
      default: bytes.append(byte)
      }
    }
    write("\"")
  }

  private static func text(of number: Double) -> String {
    precondition(number.isFinite, "a number that JSON has")
    // Whole numbers look better without ".0"; minus zero keeps it, to stay minus zero.
    guard let whole = Int64(exactly: number), whole.magnitude < 1 << 53,
      whole != 0 || number.sign == .plus
    else { return number.description }
    return String(whole)
  }
}
