import Router
import Testing

@Suite("The command line")
struct CommandTests {
  @Test("Each command is known by its name")
  func names() throws {
    #expect(try command("run") == .run(RunOptions()))
    #expect(try command("devices") == .devices)
    #expect(try command("check", "a", "b") == .check(["a", "b"]))
    #expect(try command("bench") == .bench(json: false))
    #expect(try command("bench", "--json") == .bench(json: true))
    #expect(try command("--version") == .version)
  }

  @Test("Help is there wherever somebody looks for it")
  func help() throws {
    for words in [["help"], ["--help"], ["-h"]] {
      #expect(try Command(words, readFile: Files().read) == .help(.overview))
    }
    for words in [
      ["help", "run"], ["--help", "run"], ["run", "--help"], ["run", "--rate", "-h"],
    ] {
      #expect(try Command(words, readFile: Files().read) == .help(.command(.run)))
    }
    #expect(try command("help", "/matrix/in/0/gain") == .help(.address("/matrix/in/0/gain")))
    #expect(try command("help", "--markdown") == .help(.oscTable))
  }

  @Test(
    "A mistyped word is answered with the nearest known one",
    arguments: [
      (["rnu"], "There is no command \"rnu\"; did you mean run?"),
      (["xyzzy"], "There is no command \"xyzzy\"; \"crosspoint help\" lists them."),
      (["help", "rendr"], "There is no command \"rendr\"; did you mean render?"),
      (["run", "--ouputs", "4"], "run has no option \"--ouputs\"; did you mean --outputs?"),
      (["run", "--capt", "hw:1"], "run has no option \"--capt\"; did you mean --capture?"),
      (["run", "-p"], "run has no option \"-p\"; \"crosspoint help run\" lists what there is."),
      (
        ["run", "virtual"], "run takes only options, and found \"virtual\"; did you mean --virtual?"
      ),
      (["run", "show.conf"], "run takes only options, and found \"show.conf\"."),
      (["render", "--rate", "1"], "render does not take --rate, which belongs to run."),
    ])
  func mistypes(words: [String], sentence: String) {
    #expect(throws: OptionError(sentence)) { try Command(words, readFile: Files().read) }
  }

  @Test("Too few and too many words are told apart")
  func counts() {
    #expect(refusal() == "A command is missing; \"crosspoint help\" lists them.")
    #expect(refusal("check") == "check needs the name of at least one file.")
    #expect(
      refusal("render", "a.wav")
        == "render needs two files, IN.wav and OUT.wav, and was given 1.")
    #expect(refusal("render", "a", "b", "c")?.hasSuffix("was given 3.") == true)
    #expect(refusal("help", "run", "render")?.hasPrefix("help explains one thing") == true)
    #expect(refusal("devices", "hw:1")?.hasPrefix("devices takes only options") == true)
  }

  @Test("A value stands behind its option or behind an equals sign")
  func values() throws {
    let wanted = try runOptions(["--capture", "hw:1", "--rate", "96000"])
    #expect(try runOptions(["--capture=hw:1", "--rate=96000"]) == wanted)
    let awkward = try runOptions(["--capture=a=b", "--playback=--odd"])
    #expect(awkward.device == .cards(capture: "a=b", playback: "--odd"))
    #expect(
      refusal("run", "--capture")
        == "--capture needs a value: the name of an ALSA device, such as hw:1.")
    #expect(refusal("run", "--capture", "--playback")?.hasPrefix("--capture needs a value") == true)
    #expect(refusal("run", "--virtual=yes") == "--virtual stands alone; leave out the value.")
    #expect(refusal("run", "--name=")?.hasPrefix("--name: found \"\", expected") == true)
  }

  @Test("An option is given once, unless it may be repeated")
  func repetition() throws {
    #expect(
      refusal("run", "--rate", "48000", "--rate", "44100") == "--rate is given twice; give it once."
    )
    #expect(refusal("run", "--virtual", "--virtual") == "--virtual is given twice; give it once.")
    let options = try runOptions(["--allow", "10.0.0.0/8", "--allow", "::1"])
    #expect(options.allow == ["10.0.0.0/8", "::1"])
  }

  @Test("File names that look like options stand behind two dashes")
  func dashes() throws {
    guard case .render(let options) = try command("render", "--period", "1", "--", "-in", "--help")
    else {
      Issue.record("not a rendering")
      return
    }
    #expect(options.inputPath == "-in" && options.outputPath == "--help")
    #expect(options.periodFrames == 1)
  }

  @Test("The usage text of every command names each of its options and no other")
  func usage() {
    for command in CommandName.allCases {
      let text = CommandLineUsage.text(of: command)
      for entry in OptionTable.entries {
        let isNamed = text.split(whereSeparator: \.isWhitespace).contains { $0 == entry.flag }
        #expect(isNamed == entry.commands.contains(command), "\(command) \(entry.flag)")
      }
      #expect(CommandLineUsage.overview.contains("crosspoint \(command.rawValue)"))
    }
  }

  @Test("The table has one row for every option")
  func table() {
    #expect(OptionTable.entries.map(\.name) == OptionName.allCases)
    for entry in OptionTable.entries {
      #expect(entry.placeholder.isEmpty == (entry.kind == .flag))
      #expect(!entry.commands.isEmpty && !entry.help.isEmpty)
    }
  }
}
