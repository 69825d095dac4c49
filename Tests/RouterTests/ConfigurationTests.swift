import Messages
import Router
import Testing

@Suite("Configurations")
struct ConfigurationTests {
  @Test("A configuration has options without dashes and address lines")
  func whole() throws {
    let options = try runOptions(
      [],
      configuration: """
        # the small room
        capture hw:CARD=Fireface
        playback hw:CARD=Fireface
        inputs 8
        allow 10.0.0.0/8
        allow 192.168.1.7        # the tablet
        glide 12.5
        name "Small Room"
        no-wait
        /matrix/in/0/name "vox"
        /matrix/in/[0-3]/out/0 0.5 250 lin
        """)
    #expect(
      options.device == .cards(capture: "hw:CARD=Fireface", playback: "hw:CARD=Fireface"))
    #expect(options.inputs == 8 && options.glideMilliseconds == 12.5 && !options.waitsForDevice)
    #expect(options.allow == ["10.0.0.0/8", "192.168.1.7"] && options.name == "Small Room")
    #expect(options.startMessages.map(\.origin) == ["c:10:1", "c:11:1"])
    #expect(options.startMessages.last?.arguments == [.double(0.5), .int32(250), .string("lin")])
  }

  @Test("The command line replaces a configuration's options one by one, lists as a whole")
  func replacement() throws {
    let configuration = "rate 44100\nperiod 128\nallow 10.0.0.0/8\nallow ::1\n"
    let options = try runOptions(
      ["--rate", "96000", "--allow", "127.0.0.1"], configuration: configuration)
    #expect(options.rateHz == 96_000 && options.periodFrames == 128)
    #expect(options.allow == ["127.0.0.1"])
  }

  @Test("A device on the command line replaces the other kind of a configuration")
  func deviceReplacement() throws {
    let cards = "capture hw:1\nplayback hw:1\n"
    #expect(try runOptions(["--virtual"], configuration: cards).device == .virtual)
    #expect(
      try runOptions(["--capture", "hw:2"], configuration: cards).device
        == .cards(capture: "hw:2", playback: "hw:1"))
    #expect(
      try runOptions(["--playback", "hw:2"], configuration: "virtual\n").device
        == .cards(capture: nil, playback: "hw:2"))
  }

  @Test("What --set says comes after the address lines, in order")
  func order() throws {
    let options = try runOptions(["--set", "/c 3", "--set", "/d 4"], configuration: "/a 1\n/b 2\n")
    #expect(options.startMessages.map(\.address) == ["/a", "/b", "/c", "/d"])
  }

  @Test(
    "RT-09: a mistake is told with file, line and column, and the nearest known word",
    arguments: [
      (
        "ouputs 4",
        "1:1: found \"ouputs\", expected the name of an option without dashes or an address, perhaps outputs."
      ),
      (
        "--rate 48000",
        "1:1: found \"--rate\", expected the name of an option without dashes or an address, perhaps rate."
      ),
      (
        "\"rate\" 48000",
        "1:1: found \"rate\", expected the name of an option without dashes or an address, perhaps rate."
      ),
      (
        "xyzzy",
        "1:1: found \"xyzzy\", expected the name of an option without dashes or an address."
      ),
      (
        "set \"/a 1\"",
        "1:1: found \"set\", expected an option that is not for the command line alone."
      ),
      ("rate", "1:5: found the end of the line, expected a whole number from 8000 to 384000 Hz."),
      ("\n rate 0", "2:7: found \"0\", expected a whole number from 8000 to 384000 Hz."),
      (
        "rate 48000 Hz",
        "1:12: found \"Hz\", expected the end of the line, because rate takes one value."
      ),
      (
        "virtual yes",
        "1:9: found \"yes\", expected the end of the line, because virtual stands alone."
      ),
      (
        "rate 44100\nrate 48000",
        "2:1: found \"rate\", expected rate only once; it stands on line 1 too."
      ),
      ("name “Room”", "1:6: found the typographic quote “, expected a straight quote."),
    ])
  func mistakes(text: String, rest: String) {
    #expect(configurationRefusal(text) == "show.conf:" + rest)
    let windows = text.split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: "\r\n")
    #expect(configurationRefusal("\u{FEFF}" + windows + "\r\n") == "show.conf:" + rest)
  }

  @Test("RT-07: a decimal comma is an error with its line, in options and in address lines")
  func decimalComma() {
    #expect(
      configurationRefusal("# ramps\nglide 12,5")
        == "show.conf:2:7: found \"12,5\", expected a number from 1 to 40 ms.")
    #expect(
      configurationRefusal("\n/matrix/in/0/out/1 0,8")
        == "show.conf:2:20: found \"0,8\", "
        + "expected a number with a dot, or quotes around a string.")
  }

  @Test("A rendering takes from a configuration what concerns it and passes over the rest")
  func rendering() throws {
    let text = "capture hw:1\nrate 44100\ninputs 4\noutputs 6\nglide 10\n/a 1\n"
    let parsed = try command(
      "render", "i", "o", "--config", "c", "--outputs", "2", "--set", "/b 2", files: ["c": text])
    guard case .render(let options) = parsed else {
      Issue.record("not a rendering")
      return
    }
    #expect(options.inputs == 4 && options.outputs == 2 && options.glideMilliseconds == 10)
    #expect(options.startMessages.map(\.address) == ["/a", "/b"])
    #expect(options.events == nil)
  }

  @Test("A file that cannot be read is named")
  func missing() {
    #expect(
      refusal("run", "--config", "gone.conf")
        == "gone.conf cannot be read: No such file or directory.")
    #expect(throws: OptionError("/ cannot be read: Is a directory.")) {
      try CommandLineFiles.read("/")
    }
  }

  @Test("check tells a configuration from an event file and names the mistakes of both")
  func check() throws {
    let files = Files(contents: [
      "c": "rate 48000\n/matrix/in/0/gain 1\n",
      "e": "0 /matrix/in/0/name vox\n1.5 /matrix/row/vox 2\n",
      "bad": "rate 1", "bad events": "1 midi", "both": "virtual\ncapture hw:1", "empty": "",
      "square": "/matrix/in/255/out/255 1", "wide": "/matrix/in/0/out/511 1",
      "narrow": "/matrix/in/511/out/0 1\n/scene/store 3 verse\n/scene/recall verse",
    ])
    func check(_ name: String) throws(OptionError) -> String {
      try CommandLineTool.check(name, readFile: files.read)
    }
    #expect(try check("c") == "c: a configuration, 1 address line")
    #expect(try check("e") == "e: an event file, 2 events")
    #expect(try check("empty") == "empty: a configuration, 0 address lines")
    for name in ["square", "wide", "narrow"] { #expect(try check(name).contains("configuration")) }
    #expect(throws: OptionError.self) { try check("bad") }
    #expect(throws: OptionError.self) { try check("bad events") }
    #expect(
      throws: OptionError("both: virtual and capture exclude each other; give one of the two.")
    ) { try check("both") }
  }

  @Test(
    "check refuses the lines that a run or a rendering would refuse, and says where they stand",
    arguments: [
      (
        "/matrx/foo 1",
        "f:1:1: /matrx/foo was refused: there is no such address; "
          + "did you mean /matrix/…?"
      ),
      ("/matrix/in/0/gain loud", "f:1:1: /matrix/in/0/gain was refused: "),
      ("rate 48000\n/matrix/in/0/gain 50", "f:2:1: /matrix/in/0/gain was refused: "),
      ("/matrix/in/512/gain 1", "f:1:1: /matrix/in/512/gain was refused: "),
      ("inputs 4\n/matrix/in/4/gain 1", "inputs have the numbers 0 to 3"),
      ("/matrix/in/300/gain 1\n/matrix/out/300/gain 1", " was refused: "),
      ("/matrix/in/vox/gain 1", "was refused: "),
      ("/hello me", "only a client that speaks OSC can ask for this"),
      ("1 /nope 1", "f:1:3: /nope was refused: "),
      ("2 /matrix/in/vox/gain 1\n1 /matrix/in/0/name vox\n3 /matrix/in/vax/gain 1", "f:3:3: "),
      ("1 /subscribe", "only a client that speaks OSC can ask for this"),
      ("1/matrix/in/0/gain 1", "f:1:1: found \"1/matrix/in/0/gain\", expected a time"),
      ("1e999 /matrix/in/0/gain 1", "f:1:1: found \"1e999\", expected a time"),
    ])
  func checkRefuses(text: String, sentence: String) {
    let files = Files(contents: ["f": text])
    do throws(OptionError) {
      let found = try CommandLineTool.check("f", readFile: files.read)
      Issue.record("taken as \(found)")
    } catch {
      #expect(error.description.contains(sentence), "\(error.description)")
      #expect(error.description.last == "." || error.description.last == "?")
    }
  }
}
