import CALSA

/// How a sample is laid out; all are little-endian.
public enum PCMFormat: CaseIterable, Sendable {
  /// 32 bits.
  case s32
  /// 24 bits in 3 bytes.
  case s24Packed
  /// 24 bits in the low 3 of 4 bytes.
  case s24
  /// 32-bit floating point, full scale ±1.
  case float
  /// 16 bits.
  case s16

  /// The order in which a card is asked, best first.
  ///
  /// Cards count in integers, and 32 bits carry all 24 that a converter has; so floating point,
  /// which only software offers, comes behind every format of at least 24 bits.
  public static let preference: [PCMFormat] = [.s32, .s24Packed, .s24, .float, .s16]

  /// The name that ALSA's tools use.
  public var name: String {
    switch self {
    case .s32: "S32_LE"
    case .s24Packed: "S24_3LE"
    case .s24: "S24_LE"
    case .float: "FLOAT_LE"
    case .s16: "S16_LE"
    }
  }

  /// The size of a sample in bytes.
  public var bytes: Int {
    switch self {
    case .s32, .s24, .float: 4
    case .s24Packed: 3
    case .s16: 2
    }
  }

  var code: snd_pcm_format_t {
    switch self {
    case .s32: SND_PCM_FORMAT_S32_LE
    case .s24Packed: SND_PCM_FORMAT_S24_3LE
    case .s24: SND_PCM_FORMAT_S24_LE
    case .float: SND_PCM_FORMAT_FLOAT_LE
    case .s16: SND_PCM_FORMAT_S16_LE
    }
  }
}
