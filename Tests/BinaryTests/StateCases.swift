import Control
import Glibc
import Memory
import TestSupport
import Testing

/// A folder with a state file.
private final class StateFolder {
  let folder = TemporaryFolder()
  var path: String { "\(folder.path)/Main.json" }

  func router(_ more: [String] = [], prefix: [String] = []) -> RunningRouter {
    RunningRouter(["--virtual", "--state", path] + more, prefix: prefix)
  }

  func write(_ bytes: [UInt8], to name: String = "Main.json") { folder.write(bytes, to: name) }
  func read(_ name: String = "Main.json") -> [UInt8] { folder.read(name) }

  /// The state on the disk once it is as wanted, for at most some seconds.
  func reaches(_ wanted: (MixerSnapshot) -> Bool) -> Bool {
    for _ in 0..<1_000 {
      let snapshot = try? StateText.snapshot(read(), file: path)
      if let snapshot, wanted(snapshot) { return true }
      poll(nil, 0, 5)
    }
    return false
  }
}

@Suite("Everything is where it was: the state over restarts")
struct StateCases {
  private static let size = ["--inputs", "4", "--outputs", "4"]

  @Test("What was set is there again after a stop, and after a kill once it is on the disk")
  func restarts() {
    let place = StateFolder()
    for isKilled in [false, true] {
      let first = place.router(Self.size)
      let level = isKilled ? 0.25 : 0.75
      first.client.send(Rig.a, .f(Float(level)))
      first.client.send("/matrix/in/3/mute", .i(1))
      first.client.send("/matrix/in/2/solo", .i(1))
      first.client.send("/matrix/out/1/name", .s("front"))
      if isKilled {
        #expect(place.reaches { $0[0, 1].level == level })
        #expect(first.stop(SIGKILL) == -SIGKILL)
      } else {
        #expect(Rig.reaches(first.client, Rig.a, level, milliseconds: 1_000))
        #expect(first.stop() == 0)
      }
      let second = place.router(Self.size)
      #expect(second.client.number(Rig.a) == level)
      #expect(second.client.number("/matrix/in/3/mute") == 1)
      #expect(second.client.number("/matrix/in/2/solo") == 0)
      #expect(second.client.ask("/matrix/out/1/name")?.values == [.text("front")])
      #expect(second.stop() == 0)
      #expect(second.errorText().contains("The mixer starts as \(place.path) has it."))
    }
  }

  @Test("A lone change and the last of many are on the disk soon, though nobody stops it")
  func saves() {
    let place = StateFolder()
    let router = place.router(Self.size)
    router.client.send(Rig.a, .f(0.5))
    #expect(place.reaches { $0[0, 1].level == 0.5 })
    for round in 1...2_000 { router.client.send(Rig.a, .f(Float(round) / 2_000)) }
    #expect(place.reaches { $0[0, 1].level == 1 })
    // Never one file for each of so many changes.
    guard case .number(let saves)? = router.client.status("state_saves") else {
      Issue.record("no count of saves")
      return
    }
    #expect((1...6).contains(saves))
    #expect(router.client.status("state_save_failures") == .number(0))
    #expect(router.stop() == 0)
  }

  @Test("The state is newer than address lines, and --set is newer than the state")
  func order() {
    let place = StateFolder()
    let lines = "/matrix/in/0/out/0 0.1\n/matrix/in/1/out/1 0.2\n/matrix/in/2/out/2 0.3\n"
    place.folder.write(Array("virtual\ninputs 3\noutputs 3\n\(lines)".utf8), to: "c")
    let config = ["--config", "\(place.folder.path)/c"]
    let first = RunningRouter(["--state", place.path] + config)
    #expect(Rig.same(first.client.number("/matrix/in/0/out/0"), 0.1))
    first.client.send("/matrix/in/0/out/0", .f(0.5))
    first.client.send("/matrix/in/1/out/1", .f(0.5))
    #expect(place.reaches { $0[1, 1].level == 0.5 })
    #expect(first.stop() == 0)
    let second = RunningRouter(
      ["--state", place.path, "--set", "/matrix/in/1/out/1 0.9"] + config)
    #expect(second.client.number("/matrix/in/0/out/0") == 0.5)
    #expect(Rig.same(second.client.number("/matrix/in/1/out/1"), 0.9))
    #expect(Rig.same(second.client.number("/matrix/in/2/out/2"), 0.3))
    #expect(second.stop() == 0)
    #expect(second.errorText().contains("newer than the configuration's address lines"))
    let third = RunningRouter(config)
    #expect(Rig.same(third.client.number("/matrix/in/0/out/0"), 0.1))
    #expect(third.stop() == 0)
  }

  @Test("Another number of channels restores what overlaps and keeps the rest")
  func otherSize() {
    let place = StateFolder()
    let large = place.router(Self.size)
    large.client.send("/matrix/in/3/out/3", .f(0.5))
    large.client.send("/matrix/in/0/out/0", .f(0.25))
    #expect(place.reaches { $0[3, 3].level == 0.5 && $0[0, 0].level == 0.25 })
    #expect(large.stop() == 0)
    let small = place.router(["--inputs", "2", "--outputs", "2"])
    #expect(small.client.number("/matrix/in/0/out/0") == 0.25)
    small.client.send("/matrix/in/0/out/0", .f(0.75))
    #expect(place.reaches { $0[3, 3].level == 0.5 && $0[0, 0].level == 0.75 })
    #expect(small.stop() == 0)
    let again = place.router(Self.size)
    #expect(again.client.number("/matrix/in/3/out/3") == 0.5)
    #expect(again.client.number("/matrix/in/0/out/0") == 0.75)
    #expect(again.stop() == 0)
  }

  @Test("Two routers cannot share a state: one sentence and exit code 2")
  func shared() {
    let place = StateFolder()
    let first = place.router(Self.size)
    let second = RunningRouter.run(
      ["run", "--virtual", "--osc-port", "0", "--state", place.path])
    #expect(second.code == 2 && second.output == "")
    #expect(second.errors.filter { $0 == "\n" }.count == 1)
    #expect(second.errors.contains(place.path) && second.errors.contains("\(first.process)"))
    #expect(first.stop() == 0)
  }

  @Test(
    "RT-06: a state that cannot be read is kept aside and told of, and it starts in silence",
    arguments: [
      [], Array(repeating: 0, count: 1_000), Array("{\"format\": \"crosspoint state\", ".utf8),
      Array("{\"crosspoints\": [[NaN]]}".utf8),
    ] as [[UInt8]])
  func unreadable(bytes: [UInt8]) {
    let place = StateFolder()
    place.write(bytes)
    let router = place.router(Self.size)
    #expect(router.firstLine.hasPrefix("ready:"))
    #expect(router.client.ask("/matrix/all")?.numbers == [Double](repeating: 0, count: 16))
    router.client.send(Rig.a, .f(0.5))
    #expect(place.reaches { $0[0, 1].level == 0.5 })
    #expect(router.stop() == 0)
    #expect(place.read("Main.json.bad-1") == bytes)
    #expect(router.errorText().contains("Main.json.bad-1"))
  }

  @Test("RT-06: a folder that cannot be written is told of once and counted, and the show goes on")
  func readOnly() {
    let place = StateFolder()
    chmod(place.folder.path, 0o555)
    let router = place.router(
      Self.size,
      prefix: ["setpriv", "--bounding-set=-all", "--inh-caps=-all"])
    #expect(router.firstLine.hasPrefix("ready:"))
    var failures: Wire.Value?
    for _ in 0..<500 where failures != .number(1) {
      failures = router.client.status("state_save_failures")
      poll(nil, 0, 5)
    }
    #expect(failures == .number(1))
    router.client.send(Rig.a, .f(0.5))
    #expect(router.client.number(Rig.a) == 0.5)
    #expect(router.stop() == 0)
    let lines = router.errorText().split(separator: "\n")
    #expect(lines.count { $0.contains("The show goes on") } == 1)
    // And once more in the end, because then it is too late.
    #expect(lines.count { $0.contains("cannot be written") } == 2)
    #expect(lines.last?.contains("The last changes are not saved: ") == true)
  }

  @Test("RT-07: a decimal comma in the locale does not get into the file")
  func locale() {
    let place = StateFolder()
    let router = RunningRouter(
      ["--virtual", "--state", place.path, "--set", "\(Rig.a) 0.8"],
      environment: ["LC_ALL=de_DE.UTF-8", "LANG=de_DE.UTF-8"])
    #expect(place.reaches { $0[0, 1].level == 0.8 })
    #expect(router.stop() == 0)
    #expect(String(decoding: place.read(), as: UTF8.self).contains("[0, 0.8, 0"))
  }
}
