/// How much is logged: each level includes those before it.
package enum LogLevel: String, CaseIterable, Sendable {
  /// What stops the router or the sound.
  case error
  /// What the user should know about.
  case warning
  /// What happened: devices, sockets, clients.
  case info
  /// Everything.
  case debug
}
