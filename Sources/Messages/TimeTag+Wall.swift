extension TimeTag {
  /// Seconds from the beginning of 1900, where NTP counts from, to that of 1970.
  private static let secondsBefore1970: Int64 = 2_208_988_800

  /// The time of the tag on the real-time clock, in nanoseconds since 1970; nothing for `immediate`.
  ///
  /// The 32 bits of seconds come round every 136 years, next in February 2036: of the times that
  /// the tag may mean, this is the one nearest to `now` (nanoseconds since 1970). RFC 5905, §6.
  public func wallNanoseconds(near now: Int64) -> Int64? {
    guard case .ntp(let tag) = self else { return nil }
    let nowSeconds = now.dividedDown(by: 1_000_000_000)
    let nowOnTheWire = UInt32(truncatingIfNeeded: nowSeconds + Self.secondsBefore1970)
    let ahead = Int32(bitPattern: UInt32(tag >> 32) &- nowOnTheWire)
    let fraction = Int64(((tag & 0xFFFF_FFFF) * 1_000_000_000 + 0x8000_0000) >> 32)
    return (nowSeconds + Int64(ahead)) * 1_000_000_000 + fraction
  }

  /// Makes the tag of a time on the real-time clock, in nanoseconds since 1970.
  public init(wallNanoseconds: Int64) {
    let seconds = wallNanoseconds.dividedDown(by: 1_000_000_000)
    let rest = UInt64(wallNanoseconds - seconds * 1_000_000_000)
    let onTheWire = UInt32(truncatingIfNeeded: seconds + Self.secondsBefore1970)
    self = .ntp(UInt64(onTheWire) << 32 | (rest << 32) / 1_000_000_000)
  }
}

extension Int64 {
  /// The quotient rounded towards negative infinity, so that times before 1970 stay in order.
  fileprivate func dividedDown(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
