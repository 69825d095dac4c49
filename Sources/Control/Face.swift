import Glibc

/// One of the three ways in which a level is shown and set.
package enum Face: UInt8, CaseIterable, Sendable {
  /// Linear gain.
  case gain
  /// Decibels.
  case decibels
  /// The position of a fader.
  case fader

  /// A number that was taken for a level.
  package struct Taken: Equatable, Sendable {
    /// The level, as linear gain.
    package var level: Double
    /// The number as the wire has it, within the range of the face.
    package var reading: Float
    /// Whether it had to be moved into the range.
    package var isClamped: Bool
  }

  /// What a query of a level answers.
  ///
  /// The lowest reading is kept for a level that is off. A level so low that its reading would
  /// round to that one reads as the next above it: then writing back what was read changes
  /// nothing, and writing the lowest always switches off.
  package func reading(of level: Double, taper: Taper) -> Float {
    switch self {
    case .gain:
      return level > 0 ? max(Float(level), .leastNormalMagnitude) : 0
    case .decibels:
      guard level > 0 else { return Float(Level.offDB) }
      return max(Float(20 * log10(level)), Float(Level.offDB).nextUp)
    case .fader:
      guard level > 0 else { return 0 }
      return max(Float(taper.position(ofGain: level)), .leastNormalMagnitude)
    }
  }

  /// Takes a number for a level: clamped into the range, or nothing when it is so far above the
  /// range that it must have been meant in another unit.
  ///
  /// The number must not be NaN. Ranges are checked as the wire has them, in 32 bits.
  package func take(_ value: Double, taper: Taper) -> Taken? {
    let wire = Float(value)
    guard wire <= Float(top * Level.wrongUnitFactor) else { return nil }
    if wire >= Float(top) {
      return Taken(level: Level.maximum, reading: Float(top), isClamped: wire > Float(top))
    }
    switch self {
    case .gain:
      guard wire >= .leastNormalMagnitude else {
        return Taken(level: 0, reading: 0, isClamped: wire < 0)
      }
      return Taken(level: value, reading: wire, isClamped: false)
    case .decibels:
      guard wire > Float(Level.offDB) else {
        return Taken(level: 0, reading: Float(Level.offDB), isClamped: false)
      }
      return Taken(level: pow(10, value / 20), reading: wire, isClamped: false)
    case .fader:
      guard wire >= .leastNormalMagnitude else {
        return Taken(level: 0, reading: 0, isClamped: wire < 0)
      }
      return Taken(level: taper.gain(atPosition: value), reading: wire, isClamped: false)
    }
  }

  /// The highest number of the face.
  package var top: Double {
    switch self {
    case .gain: Level.maximum
    case .decibels: Level.maximumDB
    case .fader: 1
    }
  }

  /// What the face expects, for a sentence.
  package var expectation: String {
    switch self {
    case .gain: "a linear gain from 0 to 3.162, where 1 is unity"
    case .decibels: "decibels from -120 to 10"
    case .fader: "a position from 0 to 1"
    }
  }
}
