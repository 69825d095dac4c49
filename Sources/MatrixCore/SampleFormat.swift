/// How a sample lies in memory between a device or a file and the matrix, always little-endian.
///
/// Full scale of an integer format of n bits is 2^(n-1), so that every 16-bit and 24-bit code
/// goes through a `Float` and back unchanged.
public enum SampleFormat: UInt8, Sendable, CaseIterable {
  /// 16 bits (`S16_LE`).
  case signed16
  /// 24 bits in three bytes (`S24_3LE`).
  case signed24Packed
  /// 24 bits in the low three of four bytes (`S24_LE`); the top byte is ignored on the way in and
  /// extends the sign on the way out.
  case signed24
  /// 32 bits (`S32_LE`), of which a `Float` keeps the upper 24.
  case signed32
  /// 32-bit floating point (`FLOAT_LE`).
  case float32

  /// The number of bytes of one sample.
  public var bytesPerSample: Int {
    @_noLocks @_noAllocation get {
      switch self {
      case .signed16: 2
      case .signed24Packed: 3
      case .signed24, .signed32, .float32: 4
      }
    }
  }

  /// The name that alsa-lib gives it.
  public var name: String {
    switch self {
    case .signed16: "S16_LE"
    case .signed24Packed: "S24_3LE"
    case .signed24: "S24_LE"
    case .signed32: "S32_LE"
    case .float32: "FLOAT_LE"
    }
  }
}
