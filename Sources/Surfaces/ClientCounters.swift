/// What has been counted about clients.
struct ClientCounters {
  /// Values that were told.
  var values: UInt64 = 0
  /// Datagrams in which they were told.
  var datagrams: UInt64 = 0
  /// Turns that were cut short because the socket's buffer was full; the rest was told later.
  var blockedTurns: UInt64 = 0
  /// Datagrams of values that the network would not take.
  var failures: UInt64 = 0
  /// Those who could not become clients because there were too many.
  var refusedClients: UInt64 = 0
  /// Clients that were not heard for as long as they had said.
  var lostClients: UInt64 = 0
  /// Values that are too long for a datagram of ours.
  var tooLarge: UInt64 = 0
  /// Datagrams from our own sockets.
  var ownDatagrams: UInt64 = 0

  /// Every counter with the name that `/engine/status` shows it under.
  var named: [(name: String, value: UInt64)] {
    [
      ("feedback_values", values), ("feedback_datagrams", datagrams),
      ("blocked_turns", blockedTurns), ("feedback_failures", failures),
      ("too_large_values", tooLarge), ("refused_clients", refusedClients),
      ("lost_clients", lostClients), ("own_datagrams", ownDatagrams),
    ]
  }
}
