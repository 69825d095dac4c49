/// What has been wrong with the samples of one channel.
public struct SampleFaults: Equatable, Sendable {
  /// The magnitude from which on a sample counts as clipped: the highest code of 16 bits.
  ///
  /// So a converter that has run into its upper end is seen at every width of samples.
  public static var fullScale: Float { @_noLocks @_noAllocation get { 0x1.fffcp-1 } }

  /// Samples at or above full scale.
  public var clipped: UInt64
  /// Samples that were not a number.
  public var notANumber: UInt64
  /// Samples that were infinite.
  public var infinite: UInt64

  /// Says how many there were.
  @_noLocks @_noAllocation
  public init(clipped: UInt64 = 0, notANumber: UInt64 = 0, infinite: UInt64 = 0) {
    self.clipped = clipped
    self.notANumber = notANumber
    self.infinite = infinite
  }
}

/// Counters of `SampleFaults` for a row of channels, as the audio thread keeps them.
///
/// Memory of the renderer's; whoever holds one keeps the renderer alive.
public struct FaultCounters: Sendable {
  // Three numbers a channel. `nonisolated(unsafe)`: one thread at a time has the renderer, and with
  // it these.
  nonisolated(unsafe) let counts: UnsafeMutablePointer<UInt64>

  @_noLocks @_noAllocation
  init(_ counts: UnsafeMutablePointer<UInt64>) {
    self.counts = counts
  }

  /// The counters of a channel.
  @_noLocks @_noAllocation
  public func faults(of channel: Int) -> SampleFaults {
    let own = counts + 3 &* channel
    return SampleFaults(clipped: own[0], notANumber: own[1], infinite: own[2])
  }

  /// Counts a sample that is not finite; any other is left alone.
  @_noLocks @_noAllocation
  public func note(_ sample: Float, of channel: Int) {
    if sample.isNaN {
      counts[3 &* channel &+ 1] &+= 1
    } else if sample.isInfinite {
      counts[3 &* channel &+ 2] &+= 1
    }
  }
}
