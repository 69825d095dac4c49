import OSC

/// Somebody who has sent something: where answers go, and how many errors they may still get.
struct Sender {
  /// The most errors that one sender is told about, in a second.
  static let errorsPerSecond = 10.0
  /// How many patterns it may ask for in a burst, and again in each second.
  static let patternBurst = 64.0
  static let patternsPerSecond = 16.0

  /// The number that answers find it by; never given twice.
  let route: Int
  /// The number of its client: everybody on one machine, because many tools send every message
  /// from a new port.
  let client: Int
  /// Its address and port.
  let peer: Peer
  /// The socket on which it was heard, from which it is answered.
  var socket: Int
  /// When it was heard last, in monotonic nanoseconds.
  var lastHeardNanoseconds: Int64

  /// The client that it was found to be, by its number, as of a generation of the clients.
  var knownClient: Int?
  /// That generation; -1 before the first search.
  var clientGeneration = -1
  /// Whether it is one of our own sockets; nothing before that was looked at.
  var isOwn: Bool?

  private var errorAllowance = Self.errorsPerSecond
  private var allowanceNanoseconds: Int64
  private var patternAllowance = Self.patternBurst
  private var patternNanoseconds: Int64

  init(route: Int, client: Int, peer: Peer, socket: Int, nowNanoseconds: Int64) {
    self.route = route
    self.client = client
    self.peer = peer
    self.socket = socket
    lastHeardNanoseconds = nowNanoseconds
    allowanceNanoseconds = nowNanoseconds
    patternNanoseconds = nowNanoseconds
  }

  /// Whether one more error may be sent now.
  mutating func takesError(nowNanoseconds: Int64) -> Bool {
    let seconds = Double(nowNanoseconds - allowanceNanoseconds) / 1e9
    errorAllowance = min(
      Self.errorsPerSecond, errorAllowance + max(0, seconds) * Self.errorsPerSecond)
    allowanceNanoseconds = nowNanoseconds
    guard errorAllowance >= 1 else { return false }
    errorAllowance -= 1
    return true
  }

  /// Whether one more pattern may be looked for now.
  ///
  /// It is not the client's, who might leave and come again for the sake of more.
  mutating func takesPattern(nowNanoseconds: Int64) -> Bool {
    let seconds = Double(nowNanoseconds - patternNanoseconds) / 1e9
    patternAllowance = min(
      Self.patternBurst, patternAllowance + max(0, seconds) * Self.patternsPerSecond)
    patternNanoseconds = nowNanoseconds
    guard patternAllowance >= 1 else { return false }
    patternAllowance -= 1
    return true
  }
}
