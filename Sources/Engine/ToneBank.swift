import Glibc

/// A sine for each channel, made from one table without calling anything.
///
/// Made anywhere; then used by one thread at a time, which neither locks nor allocates.
final class ToneBank {
  private static let tableBits: UInt32 = 12
  private static let tableSize = 1 << Int(tableBits)
  private static let peak: Float = 0.1

  private let table: UnsafeMutablePointer<Float>
  private let phases: UnsafeMutablePointer<UInt32>
  private let steps: UnsafeMutablePointer<UInt32>
  private let channels: Int

  init(channels: Int, rate: Double) {
    self.channels = channels
    // One entry more, so that the last one has a neighbour too.
    table = .allocate(capacity: Self.tableSize + 1)
    for index in 0...Self.tableSize {
      let angle = 2 * Double.pi * Double(index) / Double(Self.tableSize)
      (table + index).initialize(to: Self.peak * Float(sin(angle)))
    }
    phases = .allocate(capacity: channels)
    phases.initialize(repeating: 0, count: channels)
    steps = .allocate(capacity: channels)
    for channel in 0..<channels {
      let turns = Self.hertz(ofChannel: channel) / rate
      (steps + channel).initialize(to: UInt32(truncatingIfNeeded: Int64(turns * 0x1p32)))
    }
  }

  deinit {
    table.deallocate()
    phases.deallocate()
    steps.deallocate()
  }

  static func hertz(ofChannel channel: Int) -> Double {
    110 * Double(1 + channel % 64)
  }

  /// Writes the next frames of every channel.
  @_noLocks @_noAllocation
  func read(frames: Int, into rows: UnsafePointer<UnsafeMutablePointer<Float>>) {
    var channel = 0
    while channel < channels {
      let row = rows[channel]
      let step = steps[channel]
      var phase = phases[channel]
      for frame in 0..<frames {
        let index = Int(phase &>> 20)
        let fraction = Float(phase & 0xF_FFFF) * 0x1p-20
        let left = table[index]
        row[frame] = left + (table[index &+ 1] - left) * fraction
        phase = phase &+ step
      }
      phases[channel] = phase
      channel &+= 1
    }
  }
}
