import Glibc

/// A folder for the files of one test, which goes with it.
public final class TemporaryFolder {
  /// Where it is.
  public let path: String

  /// Makes it in another folder.
  public init(in parent: String = "/tmp") {
    var name = Array("\(parent)/crosspoint-test-XXXXXX".utf8CString)
    precondition(mkdtemp(&name) != nil, "a temporary folder")
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    chmod(path, 0o755)
    for name in names { unlink(path(of: name)) }
    rmdir(path)
  }

  /// The path of a file in it.
  public func path(of name: String) -> String { "\(path)/\(name)" }

  /// The names of what is in it, in order.
  public var names: [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Writes a file, over what is there.
  public func write(_ bytes: [UInt8], to name: String) {
    guard let file = fopen(path(of: name), "w") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  /// Writes a file, over what is there.
  public func write(_ text: String, to name: String) { write(Array(text.utf8), to: name) }

  /// What is in a file; no bytes where there is none.
  public func read(_ name: String) -> [UInt8] {
    guard let file = fopen(path(of: name), "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return bytes
  }
}
