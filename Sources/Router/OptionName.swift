/// The options of the command line and of configurations, by name (without dashes).
package enum OptionName: String, CaseIterable, Sendable {
  /// A file of options and address lines.
  case config
  /// The ALSA device to capture from.
  case capture
  /// The ALSA device to play to.
  case playback
  /// The clock without hardware.
  case virtual
  /// The number of inputs of the matrix.
  case inputs
  /// The number of outputs of the matrix.
  case outputs
  /// The sample rate in Hz.
  case rate
  /// The frames of one period.
  case period
  /// The periods of the device's buffer.
  case periods
  /// End instead of waiting for an absent device.
  case noWait = "no-wait"
  /// The machine of a router that is looked at.
  case host
  /// The UDP port.
  case oscPort = "osc-port"
  /// The network address to listen on.
  case listen
  /// A range of network addresses that may send.
  case allow
  /// A mapping of a MIDI controller.
  case map
  /// A client that cannot subscribe by itself.
  case client
  /// An address line for the start.
  case set
  /// The time constant of the glide in milliseconds.
  case glide
  /// The name under which the router appears.
  case name
  /// How much is logged.
  case log
  /// The file that the state is kept in.
  case state
  /// No state is kept.
  case noState = "no-state"
  /// The file that changes are recorded in.
  case record
  /// A line of levels a second.
  case meters
  /// The event file of a rendering.
  case events
  /// Machine-readable output.
  case json
  /// The OSC table as Markdown.
  case markdown
}
