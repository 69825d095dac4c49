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
  /// What is applied at the start, in order: the configuration's address lines, then `--set`.
  package var startMessages: [TextMessage]
  /// What MIDI controllers do; files are read once everything else is known to be sound.
  package var mappings: [Mapping] = []

  /// Collects the options of one layer and fills in the defaults.
  ///
  /// - Throws: an `OptionError` when the device options contradict each other, or when the matrix
  ///   has too many crosspoints.
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
    startMessages = layer.messages
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
