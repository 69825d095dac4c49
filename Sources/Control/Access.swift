/// What an address allows.
public enum Access: Sendable {
  /// It can be set, and asked by sending it without arguments.
  case readWrite
  /// It can only be asked.
  case read
  /// It can only be sent.
  case write
}
