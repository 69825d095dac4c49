import MatrixCore

/// What a hub is told once, before anything moves.
public struct HubConfiguration: Sendable {
  /// Inputs and outputs.
  public var shape: MatrixShape
  /// Frames per second.
  public var rate: Double
  /// The time constant of the default smoothing, in seconds.
  public var tauSeconds: Double
  /// The law of every fader.
  public var taper: Taper
  /// What dim changes a level by, in dB, -60...0.
  public var dimDB: Double
  /// How many frames the card takes at a time; the hub looks that far ahead.
  public var periodFrames: Int
  /// How long a hand must pause, in seconds, for what it does next to be undone by itself.
  public var undoPauseSeconds: Double
  /// The version of the program, as `/info` says it.
  public var version: String
  /// The name of this router, as `/info` says it.
  public var name: String

  /// Makes a configuration; what is left out has the program's default.
  public init(
    shape: MatrixShape, rate: Double = 48_000, tauSeconds: Double = 0.005, taper: Taper = .x32,
    dimDB: Double = -20, periodFrames: Int = 64, undoPauseSeconds: Double = 1,
    version: String = "0",
    name: String = "crosspoint"
  ) {
    self.shape = shape
    self.rate = rate
    self.tauSeconds = tauSeconds
    self.taper = taper
    self.dimDB = dimDB
    self.periodFrames = periodFrames
    self.undoPauseSeconds = undoPauseSeconds
    self.version = version
    self.name = name
  }
}
