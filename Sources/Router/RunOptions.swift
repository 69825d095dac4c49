import Mapping
import MatrixCore
import Surfaces
import TextLines

/// Everything that `crosspoint run` was told.
package struct RunOptions: Equatable, Sendable {
  /// Where the sound comes from and goes to.
  package enum Device: Equatable, Sendable {
    /// ALSA's `default` both ways where it opens, else the virtual device.
    case automatic
    /// The clock without hardware.
    case virtual
    /// ALSA devices by name; at least one of the two is named.
    case cards(capture: String?, playback: String?)
  }

  /// Where the state is kept.
  package enum State: Equatable, Sendable {
    /// In the user's folder of states, under the router's name.
    case automatic
    /// In a file of the user's choice.
    case file(String)
    /// Nowhere.
    case none
  }

  /// Where the sound comes from and goes to.
  package var device: Device
  /// The inputs of the matrix, 1...512; nothing means as many as the device has.
  package var inputs: Int?
  /// The outputs of the matrix, 1...512; nothing means as many as the device has.
  package var outputs: Int?
  /// The sample rate, 8000...384000 Hz.
  package var rateHz: Int
  /// The frames of a period, 1...4096.
  package var periodFrames: Int
  /// The periods of the device's buffer, 2...32.
  package var periods: Int
  /// Whether a missing device is waited for.
  package var waitsForDevice: Bool
  /// The UDP port, 0...65535; 0 is any free one.
  package var oscPort: Int
  /// The network address to listen on; nothing means loopback.
  package var listen: String?
  /// The ranges of network addresses that are heard; empty means all.
  package var allow: [String]
  /// Who is told of changes without asking.
  package var clients: [FixedClient]
  /// The time constant of the glide, 1...40 ms.
  package var glideMilliseconds: Double
  /// The name under which others see the router.
  package var name: String
  /// How much is logged.
  package var logLevel: LogLevel
  /// Whether a line of levels is printed every second.
  package var printsMeters: Bool
  /// Where the state is kept.
  package var state: State
  /// The file that changes are recorded in, or nothing.
  package var record: String?
  /// The configuration's address lines: applied at the start, before the saved state.
  package var addressLines: [TextMessage]
  /// What `--set` says: applied at the start, after the saved state.
  package var settings: [TextMessage]
  /// What MIDI controllers do; files are read once everything else is known to be sound.
  package var mappings: [Mapping] = []
  /// Where the options came from, to be read again.
  package var source: ConfigurationSource?

  /// What is applied at the start, in order.
  package var startMessages: [TextMessage] { addressLines + settings }

  /// Collects the options of one layer and fills in the defaults.
  ///
  /// - Throws: an `OptionError` when options contradict each other, or when the matrix has too many
  ///   crosspoints.
  package init(_ layer: OptionLayer = OptionLayer()) throws(OptionError) {
    device = try Self.device(layer)
    inputs = layer.whole(.inputs)
    outputs = layer.whole(.outputs)
    try checkCrosspoints(inputs: inputs, outputs: outputs)
    rateHz = layer.whole(.rate) ?? 48_000
    periodFrames = layer.whole(.period) ?? 64
    periods = layer.whole(.periods) ?? 3
    waitsForDevice = !layer.contains(.noWait)
    oscPort = layer.whole(.oscPort) ?? 9000
    listen = layer.text(.listen)
    allow = layer.texts(.allow)
    clients = layer.clients(.client)
    glideMilliseconds = layer.decimal(.glide) ?? 5
    name = layer.text(.name) ?? "Crosspoint"
    logLevel = layer.text(.log).flatMap(LogLevel.init) ?? .info
    printsMeters = layer.contains(.meters)
    state = try Self.state(layer)
    record = layer.text(.record)
    addressLines = layer.addressLines
    settings = layer.settings
  }

  private static func state(_ layer: OptionLayer) throws(OptionError) -> State {
    guard let file = layer.text(.state) else {
      return layer.contains(.noState) ? .none : .automatic
    }
    guard !layer.contains(.noState) else {
      throw OptionError("state and no-state exclude each other; give one of the two.")
    }
    return .file(file)
  }

  private static func device(_ layer: OptionLayer) throws(OptionError) -> Device {
    let capture = layer.text(.capture)
    let playback = layer.text(.playback)
    guard capture != nil || playback != nil else {
      return layer.contains(.virtual) ? .virtual : .automatic
    }
    guard !layer.contains(.virtual) else {
      let other = capture == nil ? "playback" : "capture"
      throw OptionError("virtual and \(other) exclude each other; give one of the two.")
    }
    return .cards(capture: capture, playback: playback)
  }
}

/// Refuses a matrix that both sides are given for and that has too many crosspoints.
func checkCrosspoints(inputs: Int?, outputs: Int?) throws(OptionError) {
  guard let inputs, let outputs else { return }
  guard MatrixShape(inputs: inputs, outputs: outputs) == nil else { return }
  throw OptionError(
    "\(inputs) inputs by \(outputs) outputs are \(inputs * outputs) crosspoints, "
      + "and the limit is \(MatrixShape.maximumCrosspoints); use fewer inputs or outputs.")
}
