/// One argument of a message, as OSC knows it.
public enum Argument: Equatable, Sendable {
  /// `i`
  case int32(Int32)
  /// `h`
  case int64(Int64)
  /// `f`
  case float(Float)
  /// `d`
  case double(Double)
  /// `s`
  case string(String)
  /// `T` and `F`
  case bool(Bool)
  /// `N`
  case null
  /// `I`
  case impulse
  /// Anything else that the wire can carry and no parameter takes (`b`, `S`, `c`, `m`, `t`): its tag.
  case other(UInt8)

  /// The OSC type tag.
  public var tag: UInt8 {
    switch self {
    case .int32: UInt8(ascii: "i")
    case .int64: UInt8(ascii: "h")
    case .float: UInt8(ascii: "f")
    case .double: UInt8(ascii: "d")
    case .string: UInt8(ascii: "s")
    case .bool(let value): value ? UInt8(ascii: "T") : UInt8(ascii: "F")
    case .null: UInt8(ascii: "N")
    case .impulse: UInt8(ascii: "I")
    case .other(let tag): tag
    }
  }

  /// The value of a numeric argument (i, h, f, d, and T and F as 1 and 0), else nothing.
  public var number: Double? {
    switch self {
    case .int32(let value): Double(value)
    case .int64(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .bool(let value): value ? 1 : 0
    case .string, .null, .impulse, .other: nil
    }
  }
}
