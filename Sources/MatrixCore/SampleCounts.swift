/// What had to be mended while samples were converted.
public struct SampleCounts: Equatable, Sendable {
  /// Samples beyond full scale, which were saturated.
  public var clipped: Int
  /// Samples that were NaN or infinite, which became 0.
  public var nonFinite: Int

  /// Counts from nothing, or from what is known already.
  @_noLocks @_noAllocation
  public init(clipped: Int = 0, nonFinite: Int = 0) {
    self.clipped = clipped
    self.nonFinite = nonFinite
  }
}
