import Messages
import Router
import Testing

@Suite("Options and their ranges")
struct RunOptionsTests {
  @Test("Without options there are the documented defaults")
  func defaults() throws {
    let options = try RunOptions()
    #expect(options.device == .automatic && options.waitsForDevice && !options.printsMeters)
    #expect(options.inputs == nil && options.outputs == nil)
    #expect(options.rateHz == 48_000 && options.periodFrames == 64 && options.periods == 3)
    #expect(options.oscPort == 9000 && options.listen == nil && options.allow.isEmpty)
    #expect(options.glideMilliseconds == 5 && options.name == "Crosspoint")
    #expect(options.logLevel == .info && options.startMessages.isEmpty)
    #expect(options.state == .automatic && options.record == nil && options.source == nil)
  }

  @Test("Every option arrives")
  func everything() throws {
    let options = try runOptions([
      "--capture", "hw:A", "--playback", "hw:B", "--inputs", "4", "--outputs", "6", "--rate",
      "44100",
      "--period", "128", "--periods", "2", "--no-wait", "--osc-port", "0", "--listen", "0.0.0.0",
      "--allow", "192.168.0.0/16", "--glide", "2.5", "--name", "Main Mix", "--log", "debug",
      "--meters", "--client", "pad 10.0.0.7:9001 hz 20 face fader pattern /matrix/in/*/gain",
      "--set", "/matrix/in/0/out/1 0.8",
    ])
    #expect(options.device == .cards(capture: "hw:A", playback: "hw:B"))
    #expect(options.inputs == 4 && options.outputs == 6 && options.rateHz == 44_100)
    #expect(options.periodFrames == 128 && options.periods == 2 && !options.waitsForDevice)
    #expect(
      options.oscPort == 0 && options.listen == "0.0.0.0" && options.allow == ["192.168.0.0/16"])
    #expect(options.glideMilliseconds == 2.5 && options.name == "Main Mix")
    #expect(options.logLevel == .debug && options.printsMeters)
    #expect(options.clients.map(\.name) == ["pad"])
    #expect(options.clients.map(\.peer.description) == ["10.0.0.7:9001"])
    #expect(options.clients.map(\.hz) == [20] && options.clients.map(\.face) == [.fader])
    #expect(options.clients.map(\.pattern) == ["/matrix/in/*/gain"])
    #expect(options.startMessages.map(\.address) == ["/matrix/in/0/out/1"])
    #expect(options.startMessages.map(\.arguments) == [[.double(0.8)]])
  }

  @Test("Every numeric option takes both ends of its range and nothing beyond them or beside it")
  func ranges() throws {
    for entry in OptionTable.entries {
      var taken: [String] = []
      var refused = [
        "", "nan", "inf", "-inf", "1e999", "0x10", "1,5", "ten", "10Hz", " 10", "1e300",
      ]
      switch entry.kind {
      case .whole(let range, _):
        taken = ["\(range.lowerBound)", "\(range.upperBound)", "+\(range.upperBound)"]
        refused += ["\(range.lowerBound - 1)", "\(range.upperBound + 1)", "\(range.upperBound).5"]
        refused += ["9223372036854775808", "-9223372036854775809"]
      case .decimal(let range, _):
        taken = ["\(range.lowerBound)", "\(range.upperBound)"]
        refused += ["\(range.lowerBound.nextDown)", "\(range.upperBound.nextUp)"]
      default:
        continue
      }
      for text in taken { #expect(entry.kind.value(of: text) != nil, "\(entry.flag) \(text)") }
      for text in refused { #expect(entry.kind.value(of: text) == nil, "\(entry.flag) \(text)") }
    }
  }

  @Test(
    "A value out of range is named with its limits and unit",
    arguments: [
      (["--rate", "0"], "--rate: found \"0\", expected a whole number from 8000 to 384000 Hz."),
      (["--inputs", "0"], "--inputs: found \"0\", expected a whole number from 1 to 512 inputs."),
      (["--glide", "50"], "--glide: found \"50\", expected a number from 1 to 40 ms."),
      (["--glide", "0,5"], "--glide: found \"0,5\", expected a number from 1 to 40 ms."),
      (["--osc-port", "-1"], "--osc-port: found \"-1\", expected a whole number from 0 to 65535."),
      (["--log", "loud"], "--log: found \"loud\", expected error, warning, info or debug."),
      (
        ["--listen", "stage"],
        "--listen: found \"stage\", "
          + "expected an IPv4 or IPv6 address, such as 192.168.1.10 or ::1, or localhost."
      ),
      (
        ["--allow", "10.0.0.0/33"],
        "--allow: found \"10.0.0.0/33\", "
          + "expected a range of addresses, such as 192.168.1.0/24 or fd00::/8."
      ),
    ])
  func outOfRange(words: [String], sentence: String) {
    #expect(throws: OptionError(sentence)) {
      try Command(["run"] + words, readFile: Files().read)
    }
  }

  @Test("A matrix too large is refused with its size and the limit")
  func tooLarge() throws {
    #expect(try runOptions(["--inputs", "256", "--outputs", "256"]).inputs == 256)
    let sentence =
      "512 inputs by 256 outputs are 131072 crosspoints, and the limit is 65536; "
      + "use fewer inputs or outputs."
    #expect(refusal("run", "--inputs", "512", "--outputs", "256") == sentence)
    #expect(
      refusal(
        "run", "--config", "c", "--inputs", "512", files: ["c": "outputs 256"]) == sentence)
  }

  @Test("The virtual device and a card exclude each other")
  func deviceConflict() {
    #expect(
      refusal("run", "--virtual", "--capture", "hw:1")
        == "virtual and capture exclude each other; give one of the two.")
    #expect(
      configurationRefusal("virtual\nplayback hw:1")
        == "virtual and playback exclude each other; give one of the two.")
  }

  @Test("A state has a place of its own, one that is given, or none")
  func states() throws {
    #expect(try runOptions(["--state", "a.json"]).state == .file("a.json"))
    #expect(try runOptions(["--no-state"]).state == .none)
    #expect(try runOptions(["--no-state"], configuration: "state a.json").state == .none)
    #expect(
      try runOptions(["--state", "b.json"], configuration: "no-state").state == .file("b.json"))
    #expect(
      refusal("run", "--state", "a.json", "--no-state")
        == "state and no-state exclude each other; give one of the two.")
    #expect(try runOptions(["--record", "show.events"]).record == "show.events")
  }

  @Test("What a running router cannot change is named, and nothing else")
  func restarts() throws {
    let running = try runOptions([])
    let live = try runOptions(
      ["--allow", "10.0.0.0/8", "--log", "debug", "--meters", "--no-wait"],
      configuration: "/a 1")
    #expect(live.namesForRestart(against: running) == [])
    let other = try runOptions([
      "--virtual", "--inputs", "2", "--outputs", "2", "--rate", "44100", "--period", "32",
      "--periods", "2", "--osc-port", "1", "--listen", "::", "--glide", "2", "--name", "n",
      "--state", "s", "--record", "r",
    ])
    #expect(
      other.namesForRestart(against: running) == [
        "the device", "inputs", "outputs", "rate", "period", "periods", "osc-port", "listen",
        "glide", "name", "state", "record",
      ])
  }

  @Test(
    "RT-07: a start line with a decimal comma or without an address is refused",
    arguments: [
      ("/matrix/in/0/out/1 0,8", "--set:1:20: found \"0,8\", expected a number with a dot"),
      ("matrix", "--set:1:1: found \"matrix\", expected an address"),
      ("", "--set:1:1: found nothing, expected an address and its arguments"),
      ("# nothing", "--set:1:1: found nothing, expected an address and its arguments"),
      ("/a 1\n/b 2", "--set:2:1: found \"/b\", expected only one line"),
    ])
  func startLines(text: String, beginning: String) {
    #expect(refusal("run", "--set", text)?.hasPrefix(beginning) == true)
  }
}
