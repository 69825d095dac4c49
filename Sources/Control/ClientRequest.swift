import Messages

/// What a client asks for itself, checked and ready to be done.
public enum ClientRequest: Equatable, Sendable {
  /// Be known by a name (empty for none), and hear at another port than the one spoken from.
  case hello(name: String, replyPort: UInt16?)
  /// Be told of changes of what a pattern meets (empty for everything).
  ///
  /// `hz` of nothing leaves the client's rate as it is; 0 `seconds` last until `/bye`.
  case subscribe(pattern: String, hz: Int?, seconds: Int, replyPort: UInt16?)
  /// Not be told any more of what a pattern meets; nothing means of all patterns.
  case unsubscribe(pattern: String?)
  /// Be forgotten.
  case bye
  /// Be told everything that a pattern meets (empty for everything), once.
  case sync(pattern: String)
  /// Be told so many times a second at most.
  case setRate(hz: Int)
  /// Be told levels on this face.
  case setFace(ClientFace)
  /// Be told one's own changes or not.
  case setEcho(ClientEcho)
  /// Something about what meters read.
  case meters(MeterRequest)

  /// The rates that a client may have, in Hz.
  public static let rates = 1...60
  /// The rate of a client that asks for none, in Hz.
  public static let usualRate = 30
  /// The longest time that a subscription outlives the client's last word, in seconds.
  public static let longestSeconds = 86_400
  /// That time where a client asks for none, in seconds.
  public static let usualSeconds = 60
  /// That time of `/xremote`, in seconds.
  public static let xremoteSeconds = 10
  /// The longest pattern of a subscription, in bytes.
  public static let longestPatternBytes = 256
}

/// On which address a client is told a level.
public enum ClientFace: String, CaseIterable, Sendable {
  /// Linear gain: on the bare address of a crosspoint, on `gain` of everything else.
  case bare
  /// Linear gain, always on `gain`.
  case gain
  /// Decibels.
  case db
  /// The position of a fader.
  case fader
}

/// What a client is told about its own changes.
public enum ClientEcho: Int, CaseIterable, Sendable {
  /// Nothing.
  case never = 0
  /// Only what was taken differently than it was sent.
  case corrections = 1
  /// Everything, as the others are.
  case always = 2
}

/// What the hub asks about clients, answered by the surface that knows them.
///
/// Control thread only.
public protocol ClientRequests: AnyObject {
  /// Does what a client asks for, or says why not.
  func perform(_ request: ClientRequest, from source: Source) throws(Refusal)

  /// A client's rate in Hz, face and echo; the usual ones of somebody unknown.
  func settings(of source: Source) -> (hz: Int, face: ClientFace, echo: ClientEcho)

  /// What `/client/list` answers: how many clients there are, and for each of them six values.
  func list() -> [Argument]

  /// How a client is told what meters read; the usual of somebody unknown.
  func meterSettings(of source: Source) -> (format: MeterFormat, holdSeconds: Double)

  /// What a client was told last of a meter that it has subscribed to, else nothing.
  func meterReading(of target: Target, to source: Source) -> [Argument]?

  /// Whether a value is what a client was told last about something that has changed since: it
  /// sends back what it hears, and does not mean it.
  ///
  /// To be asked of every value that a client says, so that those who do that become known.
  /// `bits` are those of the 32-bit number as the wire has it; `isSame` says that it is so already, and
  /// `mayBeMeant` that a hand would set this very value too, while the level is on its way.
  func isEcho(
    _ target: Target, bits: UInt32, isSame: Bool, mayBeMeant: Bool, from source: Source
  ) -> Bool
}
