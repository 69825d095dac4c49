import CALSA

/// The library behind this module.
public enum ALSALibrary {
  /// The version of the library that the program runs with, as `1.2.8`.
  public static var version: String {
    snd_asoundlib_version().map { String(cString: $0) } ?? ""
  }
}
