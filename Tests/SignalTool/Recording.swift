import Glibc

/// One channel of a recording, full scale ±1.
struct Recording {
  private let samples: [Double]

  /// Reads `… FILE CHANNELS CHANNEL …`; nothing when that is not what there is.
  init?(_ arguments: ArraySlice<String>) {
    guard let channels = Int(arguments[3]), let channel = Int(arguments[4]),
      (0..<channels).contains(channel), let file = fopen(arguments[2], "rb")
    else { return nil }
    defer { fclose(file) }
    var samples: [Double] = []
    var block = [Int32](repeating: 0, count: channels * 4096)
    while true {
      let frames = fread(&block, 4 * channels, 4096, file)
      if frames == 0 { break }
      for frame in 0..<frames {
        samples.append(Double(block[frame * channels + channel]) / 0x8000_0000)
      }
    }
    self.samples = samples
  }

  /// The greatest absolute sample.
  var peak: Double { samples.reduce(0) { max($0, abs($1)) } }

  /// The amplitude of a tone: the median over windows of 20 ms in which there is nothing else.
  ///
  /// Programs under emulation lose samples now and then, and a window with a gap or a jump is none
  /// to measure; 0 when fewer than 25 windows, half a second, are good.
  func level(of frequency: Double) -> Double {
    let window = 960
    var levels: [Double] = []
    for start in stride(from: 0, to: samples.count - window, by: window) {
      let fit = ToneFit(samples[start..<start + window], frequency: frequency)
      if fit.amplitude > 1e-4, fit.residual < 1e-3 * fit.amplitude { levels.append(fit.amplitude) }
    }
    return levels.count < 25 ? 0 : levels.sorted()[levels.count / 2]
  }

  /// The stretches of sound, parted by at least 20 ms of silence.
  func stretches() -> [Stretch] {
    var stretches: [Stretch] = []
    var first: Int?
    var last = 0
    for (index, sample) in samples.enumerated() {
      if abs(sample) > 1e-6 {
        if first == nil { first = index }
        last = index
      } else if let start = first, index - last > 960 {
        stretches.append(Stretch(samples[start...last]))
        first = nil
      }
    }
    if let first { stretches.append(Stretch(samples[first...last])) }
    return stretches
  }
}
