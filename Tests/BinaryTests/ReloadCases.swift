import Glibc
import TestSupport
import Testing

@Suite("Reading the configuration again")
struct ReloadCases {
  private let folder = TemporaryFolder()
  private var config: String { "\(folder.path)/show.conf" }

  private func write(_ text: String) {
    folder.write(Array("virtual\ninputs 4\noutputs 4\n\(text)".utf8), to: "show.conf")
  }

  private func reaches(_ client: OSCClient, _ counter: String, _ count: Double) -> Bool {
    for _ in 0..<600 {
      if client.status(counter) == .number(count) { return true }
      poll(nil, 0, 5)
    }
    return false
  }

  /// The next reading of the second output that is as wanted, among the next thousand.
  private func reading(_ ear: OSCClient, where isWanted: ([Double]) -> Bool) -> [Double]? {
    for _ in 0..<1_000 {
      let heard = ear.hear().messages.filter { $0.address == "/matrix/out/1/meter/post" }
      if let found = heard.first(where: { isWanted($0.numbers) }) { return found.numbers }
    }
    return nil
  }

  @Test("RT-05: a reload keeps gains and mutes, and one with a mistake changes nothing")
  func keeps() {
    write("/matrix/in/0/out/1 0.1\n")
    let router = RunningRouter(["--config", config])
    let client = router.client
    client.send(Rig.a, .f(0.7))
    client.send("/matrix/in/0/mute", .i(1))
    #expect(Rig.reaches(client, Rig.a, Double(Float(0.7)), milliseconds: 1_000))
    let ear = router.client
    ear.send("/meter/hold", .f(60))
    ear.send("/meter/subscribe", .s("/matrix/out/1/meter/post"), .i(50))
    #expect(reading(ear) { $0[0] == -120 } != nil)
    // What is loudest from now on is held.
    ear.send("/meter/reset")
    ear.settle()
    write("rate 44100\nlog debug\n/matrix/in/0/out/1 0.2\n")
    kill(router.process, SIGHUP)
    #expect(reaches(client, "reloads", 1))
    #expect(client.number(Rig.a) == Double(Float(0.7)))
    #expect(client.number("/matrix/in/0/mute") == 1)
    // There is a tone on input 0, but it stays silent all the way.
    while !ear.hear(milliseconds: 0).messages.isEmpty {}
    #expect(reading(ear) { _ in true }?[2] == -120)
    for (text, place) in [
      ("nonsense 1\n", ":4:1:"), ("/matrix/in/9/gain 1\n", ":4:1:"),
      ("/matrix/in/0/gain 0,5\n", ":4:19:"), ("allow 10.0.0.0/8\nglide 0\n", ":5:7:"),
    ] {
      write(text)
      client.send("/config/reload")
      let answer = client.receive()
      #expect(answer?.address == "/error")
      #expect(answer?.values.first == .text("/config/reload"))
      guard case .text(let sentence)? = answer?.values.last else { continue }
      #expect(sentence.contains(place), "\(sentence)")
      // Not even what came before the mistake: we are still heard.
      #expect(client.number(Rig.a) == Double(Float(0.7)))
    }
    #expect(reaches(client, "refused_reloads", 4))
    // Lines may use what lines before them have set, as at a start.
    let named = "/matrix/in/0/name vox\n/matrix/in/vox/out/1 0.5\n"
    write(named + "/scene/store 3 verse\n/scene/recall verse\n")
    client.send("/config/reload")
    #expect(reaches(client, "reloads", 2))
    #expect(client.number(Rig.a) == Double(Float(0.7)))
    #expect(router.stop() == 0)
    let errors = router.errorText()
    #expect(errors.contains("At the next start come into effect: rate."))
    #expect(errors.contains("address lines are for the start and were not applied"))
    #expect(errors.contains(":4:1:") && errors.contains("Everything stays as it was."))
  }

  @Test("RT-05: mappings are read again with it, and one with a mistake is named and refuses all")
  func mappings() {
    let path = "\(folder.path)/box.map"
    func map(_ text: String) { folder.write(Array(text.utf8), to: "box.map") }
    map("device box\ncc 1 /matrix/in/0/fader\n")
    write("map \(path)\n")
    let router = RunningRouter(["--config", config])
    let client = router.client
    map("device box\ncc 2 /matrix/in/0/fader\n")
    kill(router.process, SIGHUP)
    #expect(reaches(client, "reloads", 1))
    map("device box\ncc 2 /matrix/in/0/fadder\n")
    write("map \(path)\nallow 10.0.0.0/8\n")
    client.send("/config/reload")
    guard case .text(let sentence)? = client.receive()?.values.last else {
      Issue.record("no error came back")
      return
    }
    #expect(sentence.contains("box.map:2:"), "\(sentence)")
    #expect(client.number(Rig.a) == 0)
    #expect(router.stop() == 0)
  }

  @Test("Who may send is taken from the new configuration at once")
  func allow() {
    write("")
    let router = RunningRouter(["--config", config])
    let client = router.client
    #expect(client.number(Rig.a) == 0)
    write("allow 10.0.0.0/8\n")
    kill(router.process, SIGHUP)
    var isHeard = true
    // Answers come at once and the file is read by another thread, so many are asked for.
    for _ in 0..<100_000 where isHeard {
      client.send(Rig.a)
      isHeard = client.receive(milliseconds: 50) != nil
    }
    #expect(!isHeard)
    write("allow 127.0.0.0/8\n")
    kill(router.process, SIGHUP)
    for _ in 0..<100 where !isHeard {
      client.send(Rig.a)
      isHeard = client.receive(milliseconds: 50) != nil
    }
    #expect(isHeard)
    #expect(router.stop() == 0)
  }

  @Test("RT-05: clients of the configuration come and go with it, or nothing of it is taken")
  func clients() {
    let (before, after) = (OSCClient(port: 9), OSCClient(port: 9))
    let (place, other) = (before.listen(), after.listen())
    write("client before 127.0.0.1:\(place)\n")
    let router = RunningRouter(["--config", config])
    let client = router.client
    client.send("/matrix/in/0/gain", .f(0.5))
    #expect(before.hears("/matrix/in/0/gain", 0.5))
    write("client before 127.0.0.1:\(router.port)\nclient after 127.0.0.1:\(other)\n")
    kill(router.process, SIGHUP)
    #expect(reaches(client, "refused_reloads", 1))
    client.send("/matrix/in/0/gain", .f(0.25))
    #expect(before.hears("/matrix/in/0/gain", 0.25))
    write("client after 127.0.0.1:\(other)\n")
    kill(router.process, SIGHUP)
    #expect(reaches(client, "reloads", 1))
    client.send("/matrix/in/0/gain", .f(0.75))
    #expect(after.hears("/matrix/in/0/gain", 0.75))
    #expect(before.receive(milliseconds: 50) == nil)
    #expect(router.stop() == 0)
    #expect(router.errorText().contains("client before: 127.0.0.1:\(router.port) is where"))
  }

  @Test("A router without a configuration says so, and goes on")
  func none() {
    let router = Rig.router()
    let client = router.client
    kill(router.process, SIGHUP)
    #expect(reaches(client, "refused_reloads", 1))
    client.send("/config/reload")
    #expect(client.receive()?.address == "/error")
    #expect(client.number(Rig.a) == 0)
    #expect(router.stop() == 0)
  }

  @Test(
    "RT-05: 100 reloads leave no descriptor, thread or memory behind, and one ear for each port")
  func descriptors() {
    write("")
    let router = RunningRouter(["--config", config])
    func count(_ what: String) -> Int {
      guard let folder = opendir("/proc/\(router.process)/\(what)") else { return -1 }
      defer { closedir(folder) }
      var count = 0
      while readdir(folder) != nil { count += 1 }
      return count
    }
    #expect(router.client.number(Rig.a) == 0)
    kill(router.process, SIGHUP)
    #expect(reaches(router.client, "reloads", 1))
    let before = (count("fd"), count("task"))
    var residentBytes = 0
    for round in 2...100 {
      kill(router.process, SIGHUP)
      #expect(reaches(router.client, "reloads", Double(round)))
      if round == 20 { residentBytes = router.residentBytes }
    }
    #expect((count("fd"), count("task")) == before)
    #expect(router.residentBytes - residentBytes < 1 << 20)
    // A message is handled once.
    guard case .number(let revision)? = router.client.status("revision") else { return }
    router.client.send(Rig.a, .f(0.7))
    #expect(router.client.number(Rig.a) == Double(Float(0.7)))
    #expect(router.client.status("revision") == .number(revision + 1))
    #expect(router.stop() == 0)
  }
}
