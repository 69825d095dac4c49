import Glibc

/// Where mappings are looked for by name.
package struct MappingFolders: Equatable, Sendable {
  /// What the names of mapping files end with.
  package static let suffix = ".map"

  /// The folders, the first that has a mapping of a name wins.
  package let folders: [String]
  /// The names of the files in a folder; none when there is no such folder.
  private let list: @Sendable (String) -> [String]

  /// Makes folders; `list` gives the names of the files in one.
  package init(
    _ folders: [String] = [], list: @escaping @Sendable (String) -> [String] = Self.files
  ) {
    self.folders = folders
    self.list = list
  }

  /// Whether the same folders are looked through.
  package static func == (left: MappingFolders, right: MappingFolders) -> Bool {
    left.folders == right.folders
  }

  /// The folders of this machine and this user.
  ///
  /// `mappings` in the current folder, `crosspoint/mappings` in the user's folder of
  /// configurations, and what was installed with the program; of a program that stands in the
  /// `.build` folder of its source tree that is the tree's own `mappings`.
  package static func standard() -> MappingFolders {
    MappingFolders(
      places(
        program: programPath(), configHome: environment("XDG_CONFIG_HOME"),
        home: environment("HOME")))
  }

  /// The folders for a program at an absolute path, and for two variables of the environment.
  package static func places(program: String?, configHome: String?, home: String?) -> [String] {
    var places = ["./mappings"]
    // The rules for these folders pass over relative paths.
    if let configHome, configHome.hasPrefix("/") {
      places.append(joined(configHome, "crosspoint/mappings"))
    } else if let home, home.hasPrefix("/") {
      places.append(joined(home, ".config/crosspoint/mappings"))
    }
    guard let program else { return places }
    let parts = program.split(separator: "/")
    if let build = parts.dropLast().lastIndex(of: ".build") {
      places.append(parts[..<build].map { "/" + $0 }.joined() + "/mappings")
    } else {
      places.append(parts.dropLast(2).map { "/" + $0 }.joined() + "/share/crosspoint/mappings")
    }
    return places
  }

  /// Every mapping that can be named, sorted by name, with the path of its file.
  package var known: [(name: String, path: String)] {
    var known: [String: String] = [:]
    for folder in folders {
      for file in list(folder) where file.hasSuffix(Self.suffix) && file != Self.suffix {
        let name = String(file.dropLast(Self.suffix.count))
        known[name] = known[name] ?? Self.joined(folder, file)
      }
    }
    return known.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The names of the files in a folder; none when it cannot be read.
  package static func files(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      names.append(name)
    }
    return names
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  private static func programPath() -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &bytes, bytes.count)
    guard count > 0, count < bytes.count else { return nil }
    return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
