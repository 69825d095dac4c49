import Glibc

/// Where a router's state is kept when nobody says otherwise.
///
/// XDG Base Directory Specification: `$XDG_STATE_HOME`, else `~/.local/state`.
public enum StatePlace {
  /// The longest name of a router that can name a file, in bytes as it is written there.
  public static let longestNameBytes = 200

  /// The state file of a router with a name, whose folder is made where it is missing; nothing when
  /// the environment names no place.
  ///
  /// - Throws: a `StateError` when the name is too long.
  public static func file(
    forRouterNamed name: String, environment: (String) -> String? = variable
  ) throws(StateError) -> String? {
    let file = fileName(of: name)
    guard file.utf8.count <= longestNameBytes else {
      throw StateError(
        "--name is too long to name a state file (\(longestNameBytes) bytes at most); "
          + "shorten it or give --state FILE.")
    }
    let home: String
    // What is not absolute is to be ignored, says the specification.
    if let place = environment("XDG_STATE_HOME"), place.hasPrefix("/") {
      home = place
    } else if let place = environment("HOME"), place.hasPrefix("/") {
      home = place + "/.local/state"
    } else {
      return nil
    }
    let folder = home + "/crosspoint"
    make(folder)
    return "\(folder)/\(file).json"
  }

  /// A variable of the environment.
  public static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// A name as a file may have it: what a path could misread is written as `%` and two hex digits,
  /// so that two names never meet in one file.
  static func fileName(of name: String) -> String {
    var file: [UInt8] = []
    for byte in name.utf8 {
      let isSpecial =
        byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "%")
        || (byte == UInt8(ascii: ".") && file.isEmpty)
      if isSpecial {
        file += Array("%\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8)
      } else {
        file.append(byte)
      }
    }
    return String(decoding: file, as: UTF8.self)
  }

  /// Makes a folder and those above it; what cannot be made shows when the file is written.
  private static func make(_ folder: String) {
    var path = ""
    for part in folder.split(separator: "/") {
      path += "/" + part
      mkdir(path, 0o700)
    }
  }
}
