/// What the program tells its caller when it ends.
public enum ExitCode: Int32, Equatable, Sendable {
  /// Stopped as asked.
  case success = 0
  /// A mistake on the command line, in a configuration or in another text.
  case usage = 2
  /// The OSC port or socket could not be had.
  case socket = 3
  /// The audio device could not be had and was not to be waited for.
  case device = 4
}
