/// The bounds of a level and of what moves it.
public enum Level {
  /// The highest level, as linear gain: 10^(10/20).
  public static let maximum = 3.1622776601683795
  /// The highest level, in dB.
  public static let maximumDB = 10.0
  /// What a level that is off reads as in dB; it, and anything below, is off when received.
  public static let offDB = -120.0
  /// Where a nudge upwards begins when the level is off, in dB.
  public static let nudgeStartDB = -60.0
  /// The longest duration of a fade, in milliseconds: an hour.
  public static let longestMilliseconds = 3_600_000.0
  /// The longest name of a channel, in bytes of UTF-8.
  public static let longestNameBytes = 64
  /// How many times the top of a face a number must exceed to be taken for a wrong unit.
  public static let wrongUnitFactor = 4.0
}
