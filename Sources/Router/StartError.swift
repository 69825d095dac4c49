/// Why a command could not begin, in one sentence, and with which exit code it ends.
struct StartError: Error, Equatable {
  /// What the program tells its caller.
  var code: ExitCode
  /// What it tells the user.
  var sentence: String
}
