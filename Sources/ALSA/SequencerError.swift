import Glibc

/// Why the sequencer cannot be used, or a port not be connected.
public struct SequencerError: Error, Equatable, Sendable {
  /// The negative error number of the system.
  public var code: Int32
  /// One sentence with a full stop.
  public var sentence: String

  /// Makes an error.
  public init(code: Int32, sentence: String) {
    self.code = code
    self.sentence = sentence
  }

  /// Whether it means that something is not there, or not any more.
  public var isAbsence: Bool { code == -ENOENT || code == -ENODEV || code == -EINVAL }

  /// What it means when the sequencer cannot be opened.
  init(opening error: ALSAError) {
    code = error.code
    sentence =
      switch -error.code {
      case ENOENT, ENODEV, ENXIO:
        "This machine has no MIDI: there is no /dev/snd/seq; modprobe snd-seq makes it."
      case EACCES, EPERM:
        "MIDI is not allowed to this user: /dev/snd/seq cannot be opened; join the group audio."
      default:
        "MIDI cannot be had: \(error.sentence)."
      }
  }

  /// What it means when the sequencer refuses something about a port.
  init(_ error: ALSAError, port: SequencerAddress) {
    code = error.code
    sentence = "Port \(port) cannot be connected: \(error.sentence)."
  }
}
