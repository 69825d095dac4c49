import Messages
import Testing

@Suite struct TimeTagTests {
  private let second: Int64 = 1_000_000_000
  /// 7 February 2036, 06:28:16 UTC, when the seconds of NTP start over.
  private var rollover: Int64 { 2_085_978_496 * second }

  private func tag(seconds: UInt32, fraction: UInt32 = 0) -> TimeTag {
    .ntp(UInt64(seconds) << 32 | UInt64(fraction))
  }

  @Test("BT-07: a tag means the time nearest to now, on either side of 2036")
  func eras() {
    #expect(
      tag(seconds: 100).wallNanoseconds(near: rollover) == rollover + 100 * second)
    #expect(
      tag(seconds: 0xFFFF_FFF0).wallNanoseconds(near: rollover) == rollover - 16 * second)
    let before = rollover - second
    #expect(tag(seconds: 100).wallNanoseconds(near: before) == rollover + 100 * second)
    #expect(tag(seconds: 0xFFFF_FFF0).wallNanoseconds(near: before) == rollover - 16 * second)
  }

  @Test("BT-07: the beginning of 1970 is where the two clocks are known to meet")
  func epoch() {
    #expect(tag(seconds: 2_208_988_800).wallNanoseconds(near: 0) == 0)
    #expect(tag(seconds: 2_208_988_799).wallNanoseconds(near: 0) == -second)
    #expect(
      tag(seconds: 2_208_988_800, fraction: 0x8000_0000).wallNanoseconds(near: -1) == second / 2)
  }

  @Test("BT-07: at once is no time")
  func immediate() {
    #expect(TimeTag.immediate.wallNanoseconds(near: 0) == nil)
  }

  @Test(
    "BT-07: a time comes back from its tag to the nanosecond",
    arguments: [
      0, 1, -1, 999_999_999, 1_780_000_000_123_456_789, 2_085_978_496_000_000_000,
      2_085_978_495_999_999_999, 4_102_444_800_000_000_001,
    ] as [Int64])
  func roundTrip(time: Int64) {
    for offset in [-60, 0, 60, 1_000_000_000] as [Int64] {
      let back = TimeTag(wallNanoseconds: time).wallNanoseconds(near: time + offset * second)
      #expect(back == time)
    }
  }
}
