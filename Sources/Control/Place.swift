/// Where in the mixer a parameter lives.
public enum Place: UInt8, CaseIterable, Sendable {
  /// At the meeting of an input and an output.
  case crosspoint
  /// At an input.
  case input
  /// At an output.
  case output
  /// At the sum of everything.
  case master
  /// At a group of gains.
  case group
  /// At no gain of its own: an address of the whole mixer, a row or a column.
  case mixer
  /// At a scene, whose number stands where an input's would.
  case scene

  /// Whether a parameter there belongs to a gain.
  var hasGain: Bool {
    switch self {
    case .crosspoint, .input, .output, .master, .group: true
    case .mixer, .scene: false
    }
  }

  /// What one of it is called in a sentence.
  var noun: String {
    switch self {
    case .crosspoint: "crosspoint"
    case .input: "input"
    case .output: "output"
    case .master: "master"
    case .group: "group"
    case .mixer: "mixer"
    case .scene: "scene"
    }
  }
}
