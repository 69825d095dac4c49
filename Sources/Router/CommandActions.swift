/// What the commands do, beyond reading the command line.
package protocol CommandActions {
  /// Routes audio until it is stopped.
  func run(_ options: RunOptions) -> ExitCode
  /// Renders a file.
  func render(_ options: RenderOptions) -> ExitCode
  /// Shows a running router until it is stopped.
  func monitor(_ options: MonitorOptions) -> ExitCode
  /// Prints the audio and MIDI devices.
  func devices() -> ExitCode
  /// Measures the renderer and prints the figures.
  func bench(json: Bool) -> ExitCode
  /// The table of OSC addresses, as Markdown.
  func oscTable() -> String
  /// What an OSC address means, or one sentence that it is unknown.
  func help(onAddress address: String) throws(OptionError) -> String
  /// Which version this is and what it was built with.
  var version: String { get }
}
