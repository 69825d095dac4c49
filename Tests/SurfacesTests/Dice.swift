/// Numbers that are the same in every run.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
  }

  // SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014).
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }

  /// A number from 0 up to and without `limit`.
  mutating func roll(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  /// Whether it has come up, once in so many times.
  mutating func hits(oneIn times: Int) -> Bool { roll(times) == 0 }
}
