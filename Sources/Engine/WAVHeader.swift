import MatrixCore

/// What the chunks before the samples of a WAV file say.
struct WAVHeader: Equatable, Sendable {
  /// Channels of a frame.
  var channels: Int
  /// Frames per second.
  var rate: Int
  /// How a sample lies in the file.
  var format: SampleFormat

  /// Reads the body of a `fmt ` chunk, or says in words what is wrong with it.
  ///
  /// Known are PCM (tag 1) of 16, 24 and 32 bits and float (tag 3) of 32 bits, both plain and as
  /// WAVE_FORMAT_EXTENSIBLE (tag FFFEh, where the true tag begins the sub-format).
  static func parse(_ body: [UInt8]) -> Result<WAVHeader, Complaint> {
    guard body.count >= 16 else {
      return .failure(Complaint("has a format chunk that is too short"))
    }
    var tag = body.uint16(at: 0)
    let channels = body.uint16(at: 2)
    let rate = body.uint32(at: 4)
    let bytesPerFrame = body.uint16(at: 12)
    let bits = body.uint16(at: 14)
    if tag == 0xFFFE {
      guard body.count >= 40 else {
        return .failure(Complaint("has an extensible format chunk that is too short"))
      }
      tag = body.uint16(at: 24)
    }
    let format: SampleFormat
    switch (tag, bits) {
    case (1, 16): format = .signed16
    case (1, 24): format = .signed24Packed
    case (1, 32): format = .signed32
    case (3, 32): format = .float32
    case (1, _):
      return .failure(Complaint("has \(bits) bits a sample, and only 16, 24 and 32 are known"))
    case (3, _):
      return .failure(Complaint("has \(bits)-bit float samples, and only 32 bits are known"))
    default:
      return .failure(
        Complaint("is compressed (format \(tag)), and only PCM and float are known"))
    }
    guard channels > 0 else { return .failure(Complaint("has no channels")) }
    guard rate > 0 else { return .failure(Complaint("has a sample rate of 0")) }
    guard bytesPerFrame == channels * format.bytesPerSample else {
      return .failure(
        Complaint("has \(bytesPerFrame) bytes a frame, which do not fit \(channels) channels"))
    }
    return .success(WAVHeader(channels: channels, rate: rate, format: format))
  }

  /// What is wrong with a file, as the predicate of a sentence.
  struct Complaint: Error {
    var words: String

    init(_ words: String) {
      self.words = words
    }
  }
}

extension [UInt8] {
  func uint16(at index: Int) -> Int {
    Int(self[index]) | Int(self[index + 1]) << 8
  }

  func uint32(at index: Int) -> Int {
    uint16(at: index) | uint16(at: index + 2) << 16
  }
}
