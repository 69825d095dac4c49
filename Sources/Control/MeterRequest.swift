/// What a client asks of meters, checked and ready to be done.
///
/// A set is a pattern of channels (`/matrix/in/*`, `/matrix/out/0`) or of crosspoints
/// (`/matrix/in/0/out/1`); an empty one means all inputs and outputs.
public enum MeterRequest: Equatable, Sendable {
  /// Be told what the meters of a set read.
  ///
  /// `hz` of nothing leaves the client's rate as it is; 0 `seconds` last until `/bye`.
  case subscribe(set: String, hz: Int?, seconds: Int)
  /// Not be told any more what the meters of a set read; nothing means of all sets.
  case unsubscribe(set: String?)
  /// Be told as messages or in one blob.
  case setFormat(MeterFormat)
  /// Let peaks be held so long, in seconds.
  case setHold(seconds: Double)
  /// Begin the counts of a set anew, and forget the peaks that it holds.
  case reset(set: String)

  /// The rates that meters may be told at, in Hz.
  public static let rates = 1...50
  /// The rate of a client that asks for none, in Hz.
  public static let usualRate = 20
  /// How long peaks may be held, in seconds.
  public static let holds = 0.0...60.0
  /// How long they are held where a client does not say, in seconds.
  public static let usualHoldSeconds = 1.5
}

/// How a client is told what meters read.
public enum MeterFormat: String, CaseIterable, Sendable {
  /// One message for each meter, with its numbers as arguments.
  case floats
  /// Everything in `/meter/blob`.
  case blob
}
