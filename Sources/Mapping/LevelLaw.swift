import Control
import Glibc

/// The law between the position of a control and a level, with both ends exact.
///
/// A position is a whole number of steps, 0 up to the highest that the control sends.
struct LevelLaw: Equatable, Sendable {
  /// What runs evenly between both ends.
  private enum Way: Equatable, Sendable {
    /// Linear gain.
    case gain
    /// Decibels.
    case decibels
    /// The position of a fader with this taper.
    case position(Taper)
  }

  private let way: Way
  /// Both ends in what runs evenly, and as levels.
  private let low: Double
  private let high: Double
  private let lowLevel: Double
  private let highLevel: Double
  /// Where between the ends, 0...1, unity is; only where a control rests on it.
  private let unity: Double?

  /// Makes the law of a line that moves a face of a level.
  ///
  /// - Parameters:
  ///   - face: the face that the address is of.
  ///   - range: both ends in the face's unit, clamped to what the face has; nothing means 0...1
  ///     on a gain, all of a fader, and all that decibels have.
  ///   - taper: the law between both ends, instead of the face's own.
  ///   - mixerTaper: the law of the mixer's faders.
  init(face: Face, range: MappingRange?, taper: Taper?, mixerTaper: Taper) {
    let bottom = face == .decibels ? Level.offDB : 0
    // With a law of its own a control moves all of it, as a fader does.
    let top = face == .gain && taper == nil ? 1 : face.top
    let ends = range ?? MappingRange(low: bottom, high: top)
    // The comparisons are so that no number at all, NaN neither, gets past them.
    let first = ends.low > bottom ? min(ends.low, face.top) : bottom
    let last = ends.high > bottom ? min(ends.high, face.top) : bottom
    let lowLevel = face.take(first, taper: mixerTaper)?.level ?? 0
    let highLevel = face.take(last, taper: mixerTaper)?.level ?? 0
    self.lowLevel = lowLevel
    self.highLevel = highLevel
    if let taper {
      way = .position(taper)
      low = taper.position(ofGain: lowLevel)
      high = taper.position(ofGain: highLevel)
    } else {
      switch face {
      case .gain: way = .gain
      case .decibels: way = .decibels
      case .fader: way = .position(mixerTaper)
      }
      low = first
      high = last
    }
    guard face == .fader, low != high else {
      unity = nil
      return
    }
    let place = ((taper ?? mixerTaper).position(ofGain: 1) - low) / (high - low)
    unity = (0...1).contains(place) ? place : nil
  }

  /// The level at a position of a control whose highest is `highest`, at least 1.
  ///
  /// Exactly the low end at 0 or less and exactly the high end at the highest or more. Positions
  /// less than a step away from unity's are unity, on the face of a fader.
  func level(atPosition position: Int, of highest: Int) -> Double {
    if position <= 0 { return lowLevel }
    if position >= highest { return highLevel }
    if let unity, abs(Double(position) - unity * Double(highest)) < 1 { return 1 }
    let value = low + (high - low) * Double(position) / Double(highest)
    switch way {
    case .gain: return value
    case .decibels: return value > Level.offDB ? pow(10, value / 20) : 0
    case .position(let taper): return taper.gain(atPosition: value)
    }
  }

  /// Where a level stands, in steps of a control whose highest is `highest`; beyond an end is at it.
  func position(ofLevel level: Double, of highest: Int) -> Double {
    guard low != high else { return 0 }
    let value =
      switch way {
      case .gain: level
      case .decibels: level > 0 ? 20 * log10(level) : Level.offDB
      case .position(let taper): taper.position(ofGain: level)
      }
    return min(max((value - low) / (high - low), 0), 1) * Double(highest)
  }

  /// The position that shows a level, on a control whose highest is `highest`, at least 1.
  ///
  /// Either end only for a level that reads as that end in 32 bits, or lies beyond it; so 0 shows
  /// what is off, and nothing that can be heard.
  func shownPosition(ofLevel level: Double, of highest: Int) -> Int {
    if reads(level, as: lowLevel) { return 0 }
    if reads(level, as: highLevel) { return highest }
    let rises = lowLevel < highLevel
    if rises == (level < lowLevel) { return 0 }
    if rises == (level > highLevel) { return highest }
    return between(position(ofLevel: level, of: highest), highest)
  }

  /// Whether a level is the one that a position means, in the 32 bits of a query.
  func isShown(_ level: Double, byPosition position: Int, of highest: Int) -> Bool {
    reads(level, as: self.level(atPosition: position, of: highest))
  }

  private func reads(_ level: Double, as other: Double) -> Bool {
    level == other
      || Face.gain.reading(of: level, taper: .x32) == Face.gain.reading(of: other, taper: .x32)
  }
}
