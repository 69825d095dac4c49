import Glibc

/// A law between the position of a fader, 0...1, and a level.
///
/// Every taper is off at 0, +10 dB at 1, and rises in between. Any thread.
public enum Taper: String, CaseIterable, Sendable {
  /// Four lines in decibels, as on a Behringer X32: unity at exactly 0.75, -90 dB just above 0.
  case x32
  /// Even in linear gain.
  case linear
  /// Ardour's law (libs/pbd/pbd/control_math.h), scaled so that 1 is +10 dB.
  case ardour
  /// Even in decibels from -70 dB just above 0; unity at exactly 0.875.
  case db

  /// The linear gain at a position, 0...1.
  public func gain(atPosition position: Double) -> Double {
    if position <= 0 { return 0 }
    if position >= 1 { return Level.maximum }
    switch self {
    case .x32:
      let decibels =
        position >= 0.5
        ? 40 * position - 30
        : position >= 0.25
          ? 80 * position - 50
          : position >= 0.0625 ? 160 * position - 70 : 480 * position - 90
      return pow(10, decibels / 20)
    case .linear:
      return position * Level.maximum
    case .ardour:
      let root = position.squareRoot().squareRoot().squareRoot()
      return exp2((198 * root - 192) / 6) * (Level.maximum / 2)
    case .db:
      return pow(10, (80 * position - 70) / 20)
    }
  }

  /// The position, 0...1, at which a linear gain stands; a gain below the law's lowest is at 0.
  public func position(ofGain gain: Double) -> Double {
    if !(gain > 0) { return 0 }
    if gain >= Level.maximum { return 1 }
    switch self {
    case .x32:
      let decibels = 20 * log10(gain)
      let position =
        decibels >= -10
        ? (decibels + 30) / 40
        : decibels >= -30
          ? (decibels + 50) / 80
          : decibels >= -60 ? (decibels + 70) / 160 : (decibels + 90) / 480
      return max(0, position)
    case .linear:
      return gain / Level.maximum
    case .ardour:
      let root = (6 * log2(gain * (2 / Level.maximum)) + 192) / 198
      return root <= 0 ? 0 : pow(root, 8)
    case .db:
      return max(0, (20 * log10(gain) + 70) / 80)
    }
  }
}
