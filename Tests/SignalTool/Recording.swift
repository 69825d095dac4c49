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

  /// The amplitude of a tone: the median over windows of 100 ms in which it sounds throughout.
  ///
  /// The median, because programs under emulation lose samples now and then.
  func level(of frequency: Double) -> Double {
    // 100 ms hold whole cycles of every tone that `Tones` makes but for 0.7, which a fit to sine
    // and cosine, orthogonal or not, does not mind.
    let window = 4800
    var levels: [Double] = []
    for start in stride(from: 0, to: samples.count - window, by: window) {
      let slice = samples[start..<start + window]
      let quarters = stride(from: start, to: start + window, by: window / 4)
      guard
        quarters.allSatisfy({ quarter in
          samples[quarter..<quarter + window / 4].contains { abs($0) > 1e-4 }
        })
      else { continue }
      levels.append(Self.amplitude(slice, frequency))
    }
    return levels.isEmpty ? 0 : levels.sorted()[levels.count / 2]
  }

  /// The least-squares fit of a sine and a cosine.
  private static func amplitude(_ slice: ArraySlice<Double>, _ frequency: Double) -> Double {
    var ss = 0.0
    var cc = 0.0
    var sc = 0.0
    var xs = 0.0
    var xc = 0.0
    for (index, sample) in slice.enumerated() {
      let phase = 2 * .pi * frequency * Double(index) / 48000
      let (s, c) = (sin(phase), cos(phase))
      ss += s * s
      cc += c * c
      sc += s * c
      xs += sample * s
      xc += sample * c
    }
    let determinant = ss * cc - sc * sc
    let a = (xs * cc - xc * sc) / determinant
    let b = (xc * ss - xs * sc) / determinant
    return (a * a + b * b).squareRoot()
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
