import TextLines

/// What a scene may be called.
enum SceneName {
  /// Refuses what is no name: too long, not printable, or a number.
  static func check(_ name: String) throws(Refusal) {
    try Draft.checkName(name)
    guard TextNumber(name) == nil else {
      throw Refusal(
        .value,
        "\"\(name)\" is no name: a scene's number is sent as a number, and a name is none")
    }
  }

  /// Whether a scene may have the name; none at all is good too.
  static func isGood(_ name: String) -> Bool {
    do throws(Refusal) {
      try check(name)
      return true
    } catch {
      return false
    }
  }
}
