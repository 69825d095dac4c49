/// The commands of the command line.
package enum CommandName: String, CaseIterable, Sendable {
  /// Routes audio until it is stopped.
  case run
  /// Renders a WAV file to another.
  case render
  /// Shows a running router in the terminal.
  case monitor
  /// Lists audio and MIDI devices.
  case devices
  /// Reads text files and says what is wrong with them.
  case check
  /// Measures the renderer.
  case bench
  /// Explains the command line or an address.
  case help

  /// The words that follow the command and are not options.
  package var operands: String {
    switch self {
    case .run, .monitor, .devices, .bench: ""
    case .render: "IN.wav OUT.wav"
    case .check: "FILE..."
    case .help: "[COMMAND | ADDRESS]"
    }
  }

  /// What the command does, in a line.
  package var summary: String {
    switch self {
    case .run: "route audio until stopped by Ctrl-C or SIGTERM"
    case .render: "send a WAV file through the matrix into another, as fast as it goes"
    case .monitor: "show levels, meters, changes and clients of a running router"
    case .devices: "list sound cards, MIDI devices and the mappings that fit them"
    case .check: "read configurations, mappings and event files and say what is wrong with them"
    case .bench: "measure the renderer on this machine"
    case .help: "explain the commands, one command, or an OSC address"
    }
  }
}
