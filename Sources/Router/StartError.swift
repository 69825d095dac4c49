/// Why a command could not begin, in one sentence, and with which exit code it ends.
package struct StartError: Error, Equatable {
  /// What the program tells its caller.
  package var code: ExitCode
  /// What it tells the user.
  package var sentence: String
}
