import Control
import Router
import Testing

@Suite("Clients that the configuration names")
struct FixedClientTests {
  @Test("They are words on the command line and in a configuration, as often as there are apps")
  func both() throws {
    let options = try runOptions(
      [],
      configuration: """
        client "my tablet" 192.168.1.20:9001
        client lemur [fe80::7]:8000 pattern "/matrix/out/*/{gain,mute}" face db hz 60
        """)
    #expect(options.clients.map(\.name) == ["my tablet", "lemur"])
    #expect(options.clients.map(\.peer.description) == ["192.168.1.20:9001", "[fe80::7]:8000"])
    #expect(options.clients.map(\.hz) == [30, 60])
    #expect(options.clients.map(\.face) == [.bare, .db])
    #expect(options.clients.map(\.pattern) == ["", "/matrix/out/*/{gain,mute}"])
    let replaced = try runOptions(
      ["--client", "\"big one\" 10.0.0.1:7"], configuration: "client pad 10.0.0.2:9000\n")
    #expect(replaced.clients.map(\.name) == ["big one"])
    #expect(try runOptions([]).clients.isEmpty)
  }

  @Test(
    "What is no client is refused",
    arguments: [
      "pad", "pad 10.0.0.1", "pad 10.0.0.1:", "pad 10.0.0.1:0", "pad 10.0.0.1:70000",
      "pad host:9000", "pad 0.0.0.0:9000", "pad fe80::7:8000", "pad [10.0.0.1]:8000",
      "pad 10.0.0.1:9000 hz", "pad 10.0.0.1:9000 hz 0", "pad 10.0.0.1:9000 hz 61",
      "pad 10.0.0.1:9000 hz 20 hz 30", "pad 10.0.0.1:9000 face loud", "pad 10.0.0.1:9000 30",
      "pad 10.0.0.1:9000 pattern matrix", "pad 10.0.0.1:+9000", "\"\" 10.0.0.1:9000",
    ])
  func wrong(text: String) {
    #expect(refusal("run", "--client", text)?.contains("expected a client as NAME") == true)
    #expect(configurationRefusal("client \(text)\n")?.contains("show.conf:1") == true)
  }

  @Test(
    "The word is named at which a line of the configuration is no client any more",
    arguments: [
      ("pad 10.0.0.1:9000 hz 61", "1:29: found \"61\""),
      ("pad stage:9000", "1:12: found \"stage:9000\""),
      ("pad 10.0.0.1:9000 rate 20", "1:26: found \"rate\""),
      ("pad 10.0.0.1:9000 face", "1:30: found the end of the line"),
      ("pad", "1:11: found the end of the line"),
    ])
  func place(text: String, place: String) {
    let sentence = configurationRefusal("client \(text)\n")
    #expect(
      sentence?.contains("show.conf:\(place), expected a client") == true, "\(sentence ?? "")")
  }

  @Test(
    "What cannot be with the others, or meets nothing, is named with its line by a check",
    arguments: [
      ("client a 10.0.0.1:9000\nclient a 10.0.0.1:9001\n", "show.conf:2:8: client a: there is a"),
      ("client a 10.0.0.1:9000\nclient b 10.0.0.1:9000\n", "show.conf:2:8: client b: there is a"),
      ("inputs 4\nclient a 10.0.0.1:9000 pattern /matrix/in/4/gain\n", "show.conf:2:8: client a: "),
      (
        (1...33).map { "client c\($0) 10.0.0.1:\(9_000 + $0)\n" }.joined(),
        "show.conf:33:8: client c33: there may be 32 clients"
      ),
    ])
  func together(text: String, words: String) {
    let error = #expect(throws: OptionError.self) {
      try CommandLineTool.check("show.conf") { _ in Array(text.utf8) }
    }
    #expect(error?.description.hasPrefix(words) == true, "\(error?.description ?? "")")
  }

  @Test("A pattern of a client may use the names that the lines before have given")
  func names() throws {
    let text = "/matrix/in/0/name \"vox\"\nclient a 10.0.0.1:9000 pattern /matrix/in/vox/gain\n"
    #expect(try CommandLineTool.check("show.conf") { _ in Array(text.utf8) }.contains("1 address"))
  }
}
