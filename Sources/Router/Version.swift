import ALSA
import OSC

/// Which program this is.
enum Version {
  /// The version, as `/info` and `--version` say it.
  static let number = "0.1.0"

  /// The version and the libraries that the program runs with.
  static var text: String {
    "crosspoint \(number) (liblo \(OSCLibrary.version), alsa-lib \(ALSALibrary.version))"
  }
}
