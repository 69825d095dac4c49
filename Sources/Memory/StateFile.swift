import Control
import Files
import Glibc

/// A file that keeps a mixer's state, and the right to it.
///
/// One thread at a time; everything but `bytes` blocks on the disk.
public final class StateFile: Sendable {
  /// What was found when the program started.
  public struct Contents: Equatable, Sendable {
    /// The state, or nothing where there is none that can be read.
    public var snapshot: MixerSnapshot?
    /// The file that it came from.
    public var path: String
    /// What the user should know, in sentences.
    public var warnings: [String] = []
    /// Whether the file may be replaced: one that cannot be read and not be kept aside stays.
    public var mayBeReplaced = true
  }

  /// The most bytes that a state may have: more than the largest mixer with all its scenes needs.
  package static let maximumBytes = 128 << 20

  /// Why there is no state to be had from a file.
  private enum Failure: Error {
    /// There is no such file.
    case missing
    /// The sentence about what is wrong with it.
    case unreadable(StateError)
  }

  /// The path, with symbolic links followed, so that they stay and one file has one lock.
  public let path: String
  private let lock: StateLock?

  /// Takes the right to a file.
  ///
  /// Where the folder cannot be written there is no right to take, and the file is only read.
  ///
  /// - Throws: a `StateError` when another process has it, or when something else than an ordinary
  ///   file has its name; nothing is touched then.
  public init(_ path: String) throws(StateError) {
    let kind = path.hasSuffix("/") ? FileKind.folder : FileKind(of: path)
    guard kind.mayBeFile else {
      throw StateError(
        "\(path) is \(kind.name) and no ordinary file; give --state the name of a file, or "
          + "--no-state to keep no state.")
    }
    let target: String
    do throws(FileError) {
      target = try FilePath.target(of: path)
    } catch {
      throw StateError(error.sentence)
    }
    for name in Self.companions(of: target) {
      let kind = FileKind(of: name)
      guard !kind.mayBeFile else { continue }
      throw StateError(
        "\(name) is \(kind.name), and a state in \(target) needs this name for a file; move it "
          + "away, or give another --state.")
    }
    self.path = target
    switch StateLock.take(target) {
    case .locked(let lock): self.lock = consume lock
    case .impossible: lock = nil
    case .taken(let process):
      let who = process.isEmpty ? "another crosspoint" : "another crosspoint (process \(process))"
      throw StateError(
        "The state file \(target) belongs to \(who); give this one another --name or --state, "
          + "or --no-state.")
    }
  }

  /// Whether nobody else can use the file meanwhile.
  public var isLocked: Bool { lock != nil }

  /// The path of the contents before the last ones.
  public var previousPath: String { path + ".bak" }

  /// All files that a state under a path has or may have while a router runs.
  package static func allPaths(of path: String) -> [String] {
    let target = (try? FilePath.target(of: path)) ?? path
    return [target] + companions(of: target)
  }

  private static func companions(of path: String) -> [String] {
    [".bak", ".lock", ".tmp"].map { path + $0 }
  }

  /// Reads the state, or the one before it where the file is missing or cannot be read.
  ///
  /// What cannot be read is kept aside under a name of its own, `FILE.bad-1` and so on.
  public func load() -> Contents {
    var contents = Contents(path: path)
    var isMissing = false
    switch read(path) {
    case .success(let snapshot):
      contents.snapshot = snapshot
      return contents
    case .failure(.missing):
      isMissing = true
    case .failure(.unreadable(let error)):
      keepAside(path, error, &contents)
    }
    switch read(previousPath) {
    case .success(let snapshot):
      contents.snapshot = snapshot
      contents.path = previousPath
      let reason = isMissing ? "\(path) is missing; the" : "The"
      contents.warnings.append("\(reason) state before it is taken, from \(previousPath).")
    case .failure(.missing):
      guard !isMissing else { break }
      contents.warnings.append("There is no state before it; all crosspoints start at off.")
    case .failure(.unreadable(let error)):
      keepAside(previousPath, error, &contents)
      contents.warnings.append("No state can be read; all crosspoints start at off.")
    }
    return contents
  }

  /// Replaces the state on the disk; the one before is kept.
  ///
  /// - Throws: a `StateError` that says what the system refused, or that the state is too large to
  ///   be read again; the file stays as it was.
  public func save(_ bytes: [UInt8]) throws(StateError) {
    guard bytes.count <= Self.maximumBytes else {
      throw StateError(
        "\(path) is not written: a state may have \(Self.maximumBytes >> 20) MiB; delete scenes.")
    }
    do throws(FileError) {
      try FileReplacement.replace(path, by: bytes, keepingOldAs: previousPath)
    } catch {
      throw StateError(error.sentence)
    }
  }

  private func read(_ path: String) -> Result<MixerSnapshot, Failure> {
    let bytes: [UInt8]
    do throws(FileContents.Failure) {
      bytes = try FileContents.read(path, maximumBytes: Self.maximumBytes)
    } catch {
      guard error != .system(ENOENT) else { return .failure(.missing) }
      return .failure(.unreadable(StateError("\(path) \(error.text).")))
    }
    do throws(StateError) {
      return .success(try StateText.snapshot(bytes, file: path))
    } catch {
      return .failure(.unreadable(error))
    }
  }

  private func keepAside(_ path: String, _ error: StateError, _ contents: inout Contents) {
    for number in 1...9_999 {
      let aside = "\(self.path).bad-\(number)"
      guard access(aside, F_OK) != 0 else { continue }
      guard rename(path, aside) == 0 else { break }
      FileReplacement.synchronise(folderOf: path)
      contents.warnings.append("\(error.sentence) It is kept as \(aside).")
      return
    }
    contents.mayBeReplaced = false
    contents.warnings.append(
      "\(error.sentence) It cannot be kept aside, so nothing is saved; move it away.")
  }
}
