/// How much is logged: each level includes those before it.
package enum LogLevel: String, CaseIterable, Comparable, Sendable {
  /// What stops the router or the sound.
  case error
  /// What the user should know about.
  case warning
  /// What happened: devices, sockets, clients.
  case info
  /// Everything.
  case debug

  /// Whether one level comes before another, the most important first.
  package static func < (left: LogLevel, right: LogLevel) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int {
    switch self {
    case .error: 0
    case .warning: 1
    case .info: 2
    case .debug: 3
    }
  }
}
