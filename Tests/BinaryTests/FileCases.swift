import Control
import Glibc
import Memory
import TestSupport
import Testing

@Suite("Files that a router is given: what they are, and a disk that is full")
struct FileCases {
  private let folder = TemporaryFolder()

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  /// Starts a router that must refuse to; gives its sentence.
  private func refusal(_ arguments: [String]) -> String {
    let result = RunningRouter.run(["run", "--virtual", "--osc-port", "0"] + arguments)
    #expect(result.code == 2 && result.output == "")
    #expect(result.errors.filter { $0 == "\n" }.count == 1, "\(result.errors)")
    return result.errors
  }

  /// Asks until a counter is as wanted, for at most some seconds.
  private func reaches(
    _ router: RunningRouter, _ counter: String, _ wanted: (Double) -> Bool
  ) -> Bool {
    for _ in 0..<600 {
      if case .number(let count)? = router.client.status(counter), wanted(count) { return true }
      poll(nil, 0, 5)
    }
    return false
  }

  @Test("A folder, a pipe or a device is neither a state nor a record, and stays where it is")
  func noFile() {
    #expect(mkdir(path("shows"), 0o700) == 0 && mkfifo(path("pipe"), 0o600) == 0)
    defer { rmdir(path("shows")) }
    // Only an administrator can make a device.
    let hasDevice = mknod(path("device"), S_IFCHR | 0o666, 0x103) == 0
    let names = folder.names
    let kinds =
      [("shows", "a folder"), ("shows/", "a folder"), ("pipe", "a pipe")]
      + (hasDevice ? [("device", "a device")] : [])
    for (name, kind) in kinds {
      let words = "\(path(name)) is \(kind) and no ordinary file; "
      #expect(refusal(["--state", path(name)]).contains(words + "give --state the name"))
      #expect(
        refusal(["--no-state", "--record", path(name)]).contains(words + "give --record the name"))
    }
    #expect(
      refusal(["--no-state", "--record", "/dev/stdout"]).contains("/dev/stdout is a pipe and no"))
    #expect(folder.names == names)
  }

  @Test("No file is taken for two things, and both of them are named")
  func twice() {
    let text = Array("virtual\n".utf8)
    folder.write(text, to: "show.conf")
    folder.write(Array("device x\ncc 7 /matrix/in/0/fader\n".utf8), to: "box.map")
    #expect(symlink("show.conf", path("link")) == 0)
    let names = folder.names
    let config = ["--config", path("show.conf")]
    func words(_ name: String, _ use: String, _ other: String) -> String {
      "\(path(name)) is named for \(use) and for \(other); give each a file of its own."
    }
    for name in ["show.conf", "link"] {
      #expect(refusal(["--state", path(name)] + config).contains("for --state and for --config"))
      #expect(
        refusal(["--no-state", "--record", path(name)] + config)
          .contains(words(name, "--record", "--config")))
    }
    #expect(
      refusal(["--no-state", "--record", path("box.map"), "--map", path("box.map")])
        .contains(words("box.map", "--record", "--map")))
    for name in ["new", "new.bak"] {
      #expect(
        refusal(["--state", path("new"), "--record", path(name)])
          .contains(words(name, "--record", "--state")))
    }
    #expect(folder.read("show.conf") == text)
    #expect(folder.names == names)
  }

  @Test("A full disk leaves whole lines in a record, which goes on when there is space again")
  func fullDisk() {
    let record = path("show.events")
    let router = RunningRouter(
      ["--virtual", "--inputs", "2", "--outputs", "2", "--record", record],
      prefix: ["prlimit", "--fsize=3000:unlimited"])
    let client = router.client
    var sent = 0
    func move(_ count: Int) {
      for _ in 0..<count {
        sent += 1
        client.send("/matrix/in/0/gain", .f(Float(sent) / 10_000))
      }
    }
    while sent < 5_000, client.status("lost_recorded_changes") == .number(0) { move(10) }
    #expect(reaches(router, "lost_recorded_changes") { $0 > 0 })
    let lines = { Self.lines(folder.read("show.events")) }
    #expect(folder.read("show.events").last == UInt8(ascii: "\n"))
    let before = lines().changes
    #expect(before > 0 && reaches(router, "recorded_changes") { $0 == Double(before) })
    let raise = RunningRouter.start([
      "prlimit", "--pid", "\(router.process)", "--fsize=unlimited:unlimited",
    ])
    #expect(raise.exitCode(milliseconds: 2_000) == 0)
    move(1)
    #expect(reaches(router, "recorded_changes") { $0 > Double(before) })
    guard case .number(let lost)? = router.client.status("lost_recorded_changes") else {
      Issue.record("no count of lost changes")
      return
    }
    #expect(router.stop() == 0)
    // What counts as recorded is there, and all the rest counts as lost.
    #expect(lines().changes > before)
    #expect(lines().comments.contains { $0.hasPrefix("# \(Int(lost)) changes are missing") })
    let check = RunningRouter.run(["check", record])
    #expect(check.code == 0 && check.output.contains(" \(lines().changes) events"))
    let errors = router.errorText().split(separator: "\n")
    #expect(errors.count { $0.contains("File too large. The show goes on") } == 1)
    #expect(errors.count { $0.contains("The record goes on; it lacks \(Int(lost))") } == 1)
    #expect(errors.last?.contains("The record lacks \(Int(lost)) changes") == true)
  }

  private static func lines(_ bytes: [UInt8]) -> (changes: Int, comments: [String]) {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let comments = lines.filter { $0.hasPrefix("#") }
    return (lines.count - comments.count, comments.map(String.init))
  }

  @Test("A state that cannot be saved at the end is told of with its place and the reason")
  func lastState() {
    let router = RunningRouter(
      ["--virtual", "--inputs", "2", "--outputs", "2", "--state", path("Main.json")])
    #expect(reaches(router, "state_saves") { $0 > 0 })
    let limit = RunningRouter.start([
      "prlimit", "--pid", "\(router.process)", "--fsize=10:unlimited",
    ])
    #expect(limit.exitCode(milliseconds: 2_000) == 0)
    router.client.send("/matrix/in/0/gain", .f(0.5))
    #expect(router.client.number("/matrix/in/0/gain") == 0.5)
    #expect(router.stop() == 0)
    #expect(
      router.errorText().hasSuffix(
        "The last changes are not saved: \(path("Main.json")) cannot be written: "
          + "File too large.\n"))
    #expect(throws: Never.self) { try StateText.snapshot(folder.read("Main.json"), file: "") }
  }

  @Test("A configuration that has become a pipe is refused, and saving goes on")
  func pipeForConfiguration() {
    let text = Array("virtual\ninputs 2\noutputs 2\nallow 127.0.0.0/8\n".utf8)
    folder.write(text, to: "show.conf")
    let router = RunningRouter(["--config", path("show.conf"), "--state", path("Main.json")])
    #expect(unlink(path("show.conf")) == 0 && mkfifo(path("show.conf"), 0o600) == 0)
    let client = router.client
    client.send("/config/reload")
    guard case .text(let sentence)? = client.receive()?.values.last else {
      Issue.record("no error came back")
      return
    }
    #expect(sentence == "\(path("show.conf")) is a pipe and no ordinary file.")
    let saves = router.client.status("state_saves")
    router.client.send("/matrix/in/0/gain", .f(0.5))
    #expect(reaches(router, "state_saves") { .number($0) != saves })
    #expect(router.client.status("files_waiting_ms") == .number(0))
    #expect(router.stop() == 0)
  }

  @Test("At the start a configuration may come out of a pipe")
  func pipeAtStart() {
    let shell = RunningRouter.start([
      "bash", "-c",
      "exec \"$0\" run --virtual --no-state --osc-port 0 --config <(echo inputs 3; echo outputs 5)",
      RunningRouter.binary,
    ])
    #expect(shell.nextLine().hasPrefix("ready: 3 x 5"))
    #expect(shell.stop() == 0)
  }

  @Test("A reload says what is in effect now, and that everybody may send when nobody is named")
  func reloads() {
    func write(_ text: String) {
      folder.write(Array(text.utf8), to: "show.conf")
    }
    write("virtual\nallow 127.0.0.0/8\nlog warning\n")
    let router = RunningRouter(["--virtual", "--config", path("show.conf")])
    write("")
    kill(router.process, SIGHUP)
    #expect(reaches(router, "reloads") { $0 == 1 })
    write("meters\n")
    kill(router.process, SIGHUP)
    #expect(reaches(router, "reloads") { $0 == 2 })
    #expect(router.stop() == 0)
    let errors = router.errorText()
    #expect(errors.contains("was read again. In effect now: allow, log. Everybody may send now"))
    #expect(errors.contains("was read again. In effect now: meters.\n"))
  }
}
