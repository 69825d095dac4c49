/// Which program this is.
enum Version {
  /// The version, as `/info` and `--version` say it.
  static let number = "0.1.0"
}
