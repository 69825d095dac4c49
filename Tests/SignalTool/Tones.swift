import Glibc

/// A tone of its own for each channel, at half of full scale.
struct Tones {
  let channels: Int
  let seconds: Double

  /// Writes them to stdout.
  func write() {
    let frames = Int(seconds * 48000)
    var block: [Int32] = []
    for frame in 0..<frames {
      for channel in 0..<channels {
        let cycles = Double(frame) * (997 + 100 * Double(channel)) / 48000
        block.append(Int32(sin(2 * .pi * cycles) * 0x4000_0000))
      }
      if block.count > 65536 || frame == frames - 1 {
        Self.write(block)
        block.removeAll(keepingCapacity: true)
      }
    }
  }

  private static func write(_ block: [Int32]) {
    block.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let written = Glibc.write(
          STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if written <= 0 { exit(1) }
        rest = rest.dropFirst(written)
      }
    }
  }
}
