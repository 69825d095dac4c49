import Control

/// Whether a hand has hold of a level.
///
/// A hand gets hold of a level by crossing it or coming within a step of it, from either side and
/// however fast, and keeps it until anybody else moves the level.
struct Pickup: Sendable {
  /// How far from the level a hand may be to get hold of it: a step, and what a level loses when it
  /// is read in 32 bits.
  private static let reachSteps = 1.01

  /// Where the hand was last, or less than 0 where nobody knows.
  private var hand = -1
  private var isEngaged = false
  /// What the hand last made of the level, as a query reads it.
  private var made: Float = 0

  /// Makes one that has seen no hand.
  init() {}

  /// Takes where the hand is now.
  ///
  /// - Parameters:
  ///   - position: where the hand is, in steps.
  ///   - place: where the level is now, in steps; an end of the control where it is beyond.
  ///   - level: the level that it has or is on its way to.
  ///   - travelling: where a fade has brought it so far.
  /// - Returns: whether the level follows.
  mutating func follows(
    _ position: Int, place: Double, level: Double, travelling: Double
  ) -> Bool {
    let before = hand
    hand = position
    if isEngaged, Self.reading(level) == made, Self.reading(travelling) == made { return true }
    isEngaged = false
    // The first that is heard of a hand only says where it is.
    guard before >= 0 else { return false }
    let isNear = abs(Double(position) - place) <= Self.reachSteps
    let low = Double(min(before, position))
    let high = Double(max(before, position))
    isEngaged = isNear || (low <= place && place <= high)
    return isEngaged
  }

  /// Remembers what the hand makes of the level.
  mutating func note(_ level: Double) {
    made = Self.reading(level)
  }

  /// Forgets where the hand was; what it has hold of it keeps.
  mutating func forgetHand() {
    hand = -1
  }

  // In 32 bits, because a write that reads the same leaves the level as it was.
  private static func reading(_ level: Double) -> Float {
    Face.gain.reading(of: level, taper: .x32)
  }
}
