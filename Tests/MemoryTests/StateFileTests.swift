import Control
import Glibc
import MatrixCore
import Memory
import TestSupport
import Testing

@Suite("State files")
struct StateFileTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/Main.json" }
  private let good = StateText.bytes(of: StateTextTests.example())

  @Test("Where there is no file there is no state, and nobody is bothered")
  func none() throws {
    let contents = try StateFile(path).load()
    #expect(contents.snapshot == nil && contents.warnings.isEmpty && contents.mayBeReplaced)
  }

  @Test("What could not be read again is not written, and the file stays as it was")
  func tooLarge() throws {
    let file = try StateFile(path)
    try file.save(good)
    let large = [UInt8](repeating: 0x20, count: StateFile.maximumBytes + 1)
    #expect(throws: StateError("\(path) is not written: a state may have 128 MiB; delete scenes."))
    {
      try file.save(large)
    }
    #expect(folder.read("Main.json") == good)
  }

  @Test("As many scenes as there may be, of the longest numbers, are not too large")
  func mostScenes() throws {
    let shape = try #require(MatrixShape(inputs: 43, outputs: 43))
    let count = SceneStore.mostGains / SceneStore.most
    let scene = try #require(
      Scene(
        name: String(repeating: "n", count: 64), shape: shape,
        levels: (0..<count).map { 0.000_123_456_789_012_345_6 + Double($0) * 1e-20 },
        switches: [UInt8](repeating: 11, count: count)))
    var snapshot = MixerSnapshot(inputs: 256, outputs: 256)
    let empty = StateText.bytes(of: snapshot).count
    snapshot.scenes.scenes = [scene]
    let one = StateText.bytes(of: snapshot).count - empty
    // A level may have twenty digits more than 0.
    #expect(20 * 65_536 + empty + one * SceneStore.most < StateFile.maximumBytes)
  }

  @Test("What is saved is found again, and the one before it is kept")
  func saves() throws {
    var second = StateTextTests.example()
    second.master.level = 0.5
    do {
      let file = try StateFile(path)
      try file.save(good)
      try file.save(StateText.bytes(of: second))
    }
    #expect(folder.names == ["Main.json", "Main.json.bak", "Main.json.lock"])
    #expect(folder.read("Main.json.bak") == good)
    let contents = try StateFile(path).load()
    #expect(contents.snapshot == second && contents.warnings.isEmpty)
  }

  @Test(
    "RT-06: an unreadable file is kept aside, and the one before it is taken, else silence",
    arguments: [
      [], Array(repeating: 0, count: 4_096), Array("{\"format\": \"crosspoint".utf8),
      Array(
        "{\"format\": \"crosspoint state\", \"version\": 1, \"master\": {\"level\": NaN}}".utf8),
    ] as [[UInt8]])
  func unreadable(bytes: [UInt8]) throws {
    for hasPrevious in [true, false] {
      let folder = TemporaryFolder()
      let path = folder.path + "/Main.json"
      folder.write(bytes, to: "Main.json")
      if hasPrevious { folder.write(good, to: "Main.json.bak") }
      let file = try StateFile(path)
      let contents = file.load()
      #expect(contents.snapshot == (hasPrevious ? StateTextTests.example() : nil))
      #expect(contents.warnings.count == 2)
      #expect(contents.warnings[0].contains("Main.json.bad-1"))
      #expect(contents.mayBeReplaced)
      #expect(folder.names.contains("Main.json.bad-1"))
      #expect(folder.read("Main.json.bad-1") == bytes)
      try file.save(good)
      #expect(folder.read("Main.json.bad-1") == bytes)
      #expect(folder.read("Main.json") == good)
      // The next unreadable one does not take the place of the first.
      folder.write([1], to: "Main.json")
      #expect(file.load().warnings[0].contains("Main.json.bad-2"))
      #expect(folder.read("Main.json.bad-1") == bytes && folder.read("Main.json.bad-2") == [1])
    }
  }

  @Test("RT-06: half of the file, cut anywhere, is never taken for a state")
  func halves() throws {
    for count in 0..<good.count - 1 {
      #expect(throws: StateError.self) {
        try StateText.snapshot(Array(good[..<count]), file: "s")
      }
    }
  }

  @Test("RT-06: when both files are unreadable, both are kept and nothing is taken")
  func bothUnreadable() throws {
    folder.write([0], to: "Main.json")
    folder.write([1], to: "Main.json.bak")
    let contents = try StateFile(path).load()
    #expect(contents.snapshot == nil)
    #expect(folder.read("Main.json.bad-1") == [0] && folder.read("Main.json.bad-2") == [1])
  }

  @Test("A file that is missing beside one before it is said to be, and the other is taken")
  func missing() throws {
    folder.write(good, to: "Main.json.bak")
    let contents = try StateFile(path).load()
    #expect(contents.snapshot == StateTextTests.example())
    #expect(contents.warnings.count == 1 && contents.warnings[0].contains("is missing"))
  }

  @Test("Two routers cannot share one, and the first keeps it until it is gone")
  func locks() throws {
    do {
      let first = try StateFile(path)
      #expect(first.isLocked)
      #expect(
        throws: StateError(
          "The state file \(path) belongs to another crosspoint (process \(getpid())); "
            + "give this one another --name or --state, or --no-state.")
      ) { try StateFile(path) }
      #expect(throws: Never.self) { try StateFile(folder.path + "/Other.json") }
      withExtendedLifetime(first) {}
    }
    #expect(throws: Never.self) { try StateFile(path) }
  }

  @Test("A place that cannot be written is read all the same, and saving says what is wrong")
  func notWritable() throws {
    folder.write(good, to: "file")
    // A file where a folder should be stops even those whom no permission stops.
    let file = try StateFile(folder.path + "/file/Main.json")
    #expect(!file.isLocked)
    let contents = file.load()
    #expect(contents.snapshot == nil)
    do throws(StateError) {
      try file.save(good)
      Issue.record("it was saved")
    } catch {
      #expect(error.sentence.contains("file/Main.json") && error.sentence.hasSuffix("."))
    }
  }

  @Test("A symbolic link stays one, and its target is replaced")
  func links() throws {
    try StateFile(path).save(good)
    let name = folder.path + "/link.json"
    #expect(symlink(path, name) == 0)
    let file = try StateFile(name)
    #expect(file.path == path)
    try file.save(StateText.bytes(of: MixerSnapshot(inputs: 1, outputs: 1)))
    var status = stat()
    #expect(lstat(name, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(file.load().snapshot == MixerSnapshot(inputs: 1, outputs: 1))
  }

  @Test("Names of one file that does not exist yet are one file with one lock")
  func missingTarget() throws {
    let (name, other) = (folder.path + "/link.json", folder.path + "/second.json")
    #expect(symlink("Main.json", name) == 0 && symlink(name, other) == 0)
    let file = try StateFile(other)
    #expect(file.path == path)
    for taken in [path, name, other] {
      #expect(throws: StateError.self) { try StateFile(taken) }
    }
    try file.save(good)
    var status = stat()
    #expect(lstat(name, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(folder.read("Main.json") == good)
  }

  @Test("Links that lead round in a circle are refused with a sentence")
  func circle() throws {
    #expect(symlink("b", folder.path + "/a") == 0 && symlink("a", folder.path + "/b") == 0)
    let name = folder.path + "/a"
    #expect(
      throws: StateError(
        "\(name) is a symbolic link that leads round in a circle; remove it or name another file.")
    ) { try StateFile(name) }
    #expect(folder.names == ["a", "b"])
  }

  @Test("What is no ordinary file is refused at once and left alone, under each of its names")
  func noFile() throws {
    func refusal(_ path: String) -> String {
      do throws(StateError) {
        _ = try StateFile(path)
        return "taken"
      } catch {
        return error.sentence
      }
    }
    #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
    // Only an administrator can make a device.
    let hasDevice = mknod(folder.path + "/device", S_IFCHR | 0o666, 0x103) == 0
    let all = folder.names
    for (name, kind) in [("pipe", "a pipe")] + (hasDevice ? [("device", "a device")] : []) {
      #expect(refusal("\(folder.path)/\(name)").contains("\(name) is \(kind) and no ordinary file"))
    }
    #expect(refusal(folder.path).hasSuffix("or --no-state to keep no state."))
    #expect(refusal(folder.path + "/new/").contains("is a folder"))
    #expect(folder.names == all)
    for suffix in [".bak", ".lock", ".tmp"] {
      #expect(mkdir(path + suffix, 0o700) == 0)
      #expect(refusal(path).hasPrefix("\(path)\(suffix) is a folder, and "))
      #expect(rmdir(path + suffix) == 0)
    }
    #expect(folder.names == all)
  }

  @Test("What an earlier attempt has left beside it is not in the way, whatever it is")
  func leftovers() throws {
    #expect(mkfifo(path + ".bak.tmp", 0o600) == 0 && symlink("/nowhere/x", path + ".tmp") == 0)
    let file = try StateFile(path)
    try file.save(good)
    try file.save(good)
    #expect(folder.names == ["Main.json", "Main.json.bak", "Main.json.lock"])
  }
}
