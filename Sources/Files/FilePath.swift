import Glibc

/// Paths, followed to what they mean.
package enum FilePath {
  private static let mostLinks = 40

  /// The path without links of the file that a path means, whether the file exists yet or not: so
  /// that two paths of one file are one, and a link stays when its file is replaced.
  ///
  /// Where a folder is missing, the path stays as it is.
  ///
  /// - Throws: a `FileError` when symbolic links lead round in a circle.
  package static func target(of path: String) throws(FileError) -> String {
    var place = path
    for _ in 0...mostLinks {
      if let whole = canonical(place) { return whole }
      guard let next = link(at: place) else {
        guard let folder = canonical(folder(of: place)) else { return place }
        return joined(folder, name(of: place))
      }
      place = next.hasPrefix("/") ? next : joined(folder(of: place), next)
    }
    throw FileError(
      "\(path) is a symbolic link that leads round in a circle; remove it or name another file.")
  }

  /// Whether two paths mean one file, be it by links of either kind; the file need not exist yet.
  package static func areSame(_ one: String, _ other: String) -> Bool {
    if let file = FileIdentity(of: one), file == FileIdentity(of: other) { return true }
    guard let target = try? target(of: one) else { return false }
    return target == (try? self.target(of: other))
  }

  /// The folder that a path names a file in.
  package static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    let folder = path[..<slash]
    return folder.isEmpty ? "/" : String(folder)
  }

  private static func name(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  private static func canonical(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func link(at path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
