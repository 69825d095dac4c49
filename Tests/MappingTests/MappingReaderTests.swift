import Control
import Mapping
import Messages
import Testing
import TextLines

@Suite("Mapping files")
struct MappingReaderTests {
  @Test("A mapping has devices and below each its controls")
  func whole() throws {
    let file = try mapping(
      """
      # two boxes
      device "nano*"
      cc 0 /matrix/in/0/fader pickup

      device FCB port 1 nth 2     # the one under the desk
      program 3 /engine/panic
      note 60 /matrix/in/0/mute
      """)
    #expect(file.file == "box.map")
    #expect(
      file.sections.map(\.device) == [
        DeviceSelector(client: "nano*"), DeviceSelector(client: "FCB", port: .number(1), nth: 2),
      ])
    #expect(file.sections.map(\.lines.count) == [1, 2])
    let slider = file.sections[0].lines[0]
    #expect(slider.source == .controller(0) && slider.channel == nil)
    #expect(slider.addresses.map(\.text) == ["/matrix/in/0/fader"])
    #expect(slider.options.takeover == .pickup && slider.origin == "box.map:3:1")
    #expect(file.sections[1].lines.map(\.source) == [.program(3), .note(60)])
  }

  @Test(
    "A device is named by a glob, with the number or the name of a port, and which of several",
    arguments: [
      ("nano", DeviceSelector(client: "nano")),
      ("\"nanoKONTROL2 *\"", DeviceSelector(client: "nanoKONTROL2 *")),
      ("\" Launchkey MK4 61 \"", DeviceSelector(client: "Launchkey MK4 61")),
      ("16n", DeviceSelector(client: "16n")),
      ("a port 0", DeviceSelector(client: "a", port: .number(0))),
      ("a port \"0\"", DeviceSelector(client: "a", port: .name("0"))),
      ("a port *DAW*", DeviceSelector(client: "a", port: .name("*DAW*"))),
      ("a nth 2 port 255", DeviceSelector(client: "a", port: .number(255), nth: 2)),
    ])
  func devices(words: String, device: DeviceSelector) throws {
    let file = try mapping("device \(words)\ncc 1 /matrix/in/0/fader")
    #expect(file.sections.map(\.device) == [device])
  }

  @Test("Lines of one device in several places become one section")
  func sections() throws {
    let file = try mapping(
      """
      device box
      cc 1 /matrix/in/0/fader
      device other
      cc 1 /matrix/in/1/fader
      device BOX
      cc 2 /matrix/in/2/fader
      device box nth 1
      cc 2 /matrix/in/3/fader
      """)
    #expect(file.sections.map(\.device.client) == ["box", "other", "box"])
    #expect(file.sections.map { $0.lines.map(\.position.line) } == [[2, 6], [4], [8]])
  }

  @Test(
    "Every source is known, at both ends of its numbers",
    arguments: [
      ("cc 0", MappingSource.controller(0)), ("cc 127", .controller(127)),
      ("cc14 1/33", .pairedController(high: 1, low: 33)),
      ("cc14 127/0", .pairedController(high: 127, low: 0)),
      ("nrpn 0", .nonRegistered(0)), ("nrpn 16383", .nonRegistered(16_383)),
      ("rpn 16383", .registered(16_383)), ("bend", .bend), ("pressure", .pressure),
    ])
  func sources(words: String, source: MappingSource) throws {
    let line = try controls("\(words) /matrix/in/0/fader")[0]
    #expect(line.source == source && line.channel == nil)
    #expect(source.description == words)
    let onTen = try controls("ch 10 \(words) /matrix/in/0/fader")[0]
    #expect(onTen.source == source && onTen.channel == 10)
    #expect(onTen.position == TextPosition(line: 2, column: 7))
  }

  @Test("Keys and programs press", arguments: ["note 127", "program 0"])
  func presses(words: String) throws {
    let line = try controls("\(words) /matrix/in/0/mute")[0]
    #expect(line.source.description == words)
  }

  // MARK: Steps

  @Test("A range steps through the whole line, upwards and downwards")
  func steps() throws {
    let lines = try controls(
      "ch <16-14> cc <7-9> /matrix/in/<0-2>/out/<12-10>/mute, /matrix/out/1<0-2>/mute "
        + "feedback ch <1-3> note <60-62> values 0 127")
    #expect(lines.map(\.channel) == [16, 15, 14])
    #expect(lines.map(\.source) == [.controller(7), .controller(8), .controller(9)])
    #expect(
      lines.map { $0.addresses.map(\.text) } == [
        ["/matrix/in/0/out/12/mute", "/matrix/out/10/mute"],
        ["/matrix/in/1/out/11/mute", "/matrix/out/11/mute"],
        ["/matrix/in/2/out/10/mute", "/matrix/out/12/mute"],
      ])
    let feedback = lines.flatMap(\.options.feedback)
    #expect(feedback.map(\.destination) == (60...62).map { .source(.note($0)) })
    #expect(feedback.map(\.channel) == [1, 2, 3] && feedback.allSatisfy { $0.values == [0, 127] })
    #expect(lines.allSatisfy { $0.position == TextPosition(line: 2, column: 12) })
  }

  @Test("A line without a range is one control, and so is a range of one step")
  func single() throws {
    #expect(try controls("cc 7 /matrix/in/[0-3]/fader").count == 1)
    #expect(try controls("cc <7-7> /matrix/in/<3-3>/fader").map(\.addresses[0].text).count == 1)
    #expect(try controls("cc14 <32-47>/<64-79> /matrix/in/<0-15>/fader").count == 16)
    #expect(try controls("ch <1-8> cc 7 /matrix/master/gain").count == 8)
  }

  // MARK: Addresses

  @Test(
    "An address may be for any channel that some matrix has, and any pattern of OSC",
    arguments: [
      "/matrix/in/511/fader", "/matrix/out/511/gain", "/matrix/in/511/out/511", "/matrix/in/*/gain",
      "/matrix/in/{1,3}/out/[0-7]/fader", "/matrix/{in,out}/0/gain", "/matrix/in/[!0]/fader",
      "/matrix/master/fader", "/matrix/in/5??/fader",
    ])
  func addresses(address: String) throws {
    let line = try controls("cc 1 \(address)")[0]
    #expect(line.addresses == [.init(text: address, position: TextPosition(line: 2, column: 6))])
  }

  @Test("Words that end in a comma are followed by another address")
  func commas() throws {
    let line = try controls(
      "cc 1 /matrix/in/0/fader, /matrix/in/{1,2}/fader,\t/matrix/in/3/gain max 9")
    #expect(
      line[0].addresses.map(\.text)
        == ["/matrix/in/0/fader", "/matrix/in/{1,2}/fader", "/matrix/in/3/gain"])
    #expect(line[0].addresses.map(\.position.column) == [6, 26, 50])
    #expect(line[0].options.maximum == 9)
  }

  @Test("Everything of the table that can be set can be mapped, and nothing that can only be asked")
  func table() {
    for row in ParameterTable.rows {
      let parts = row.address.split(separator: "/").map { $0.first == "{" ? "0" : $0 }
      let address = parts.map { "/" + $0 }.joined()
      let lines = [
        "cc 1 \(address)", "cc 1 \(address) range -60 0", "cc 1 \(address) set 1",
        "cc 1 \(address) set 0 0 1", "cc 1 \(address) set vox", "cc 1 \(address) set /matrix/in/0",
      ]
      let taken = lines.filter { refusal(Array("device box\n\($0)".utf8)) == nil }
      let isRefused = row.access == .read || row.parameter.isAboutClient
      #expect(taken.isEmpty == isRefused, "\(row.address)")
    }
  }

  // MARK: The text

  @Test("RT-09: a byte order mark and CRLF change nothing, also not the place of a mistake")
  func windows() throws {
    let text = "# box\ndevice \"B*\"\ncc <0-7> /matrix/in/<0-7>/fader pickup\n"
    let windows = { (text: String) in
      Array(
        ("\u{FEFF}"
          + text.split(separator: "\n", omittingEmptySubsequences: false)
          .joined(separator: "\r\n")).utf8)
    }
    #expect(try Mapping(windows(text), file: "box.map") == mapping(text))
    let typo = "device box\n\ncc 1 /matrix/in/0/fader pikcup\n"
    #expect(refusal(windows(typo))?.hasPrefix("box.map:3:25: found \"pikcup\"") == true)
    #expect(refusal(windows(typo)) == refusal(Array(typo.utf8)))
    let twice = "device box\ncc 1 /matrix/in/0/fader\ncc 1 /matrix/in/1/fader\n"
    #expect(
      refusal(windows(twice))
        == "box.map:3:1: found \"cc 1\" a second time, "
        + "expected each source once for a device; line 2 has it.")
  }

  @Test("Bytes that are no text are refused with their place")
  func bytes() {
    #expect(
      refusal(Array("device box\ncc 1 ".utf8) + [0xFF])
        == "box.map:2:6: found bytes that are not UTF-8, expected a text that is saved as UTF-8.")
  }

  @Test("What would take too much memory is refused with the limit")
  func limits() throws {
    let large = [UInt8](repeating: UInt8(ascii: "\n"), count: Mapping.maximumBytes + 1)
    #expect(
      refusal(large) == "box.map:1:1: found 1048577 bytes, expected a mapping of at most 1048576.")
    #expect(try controls("nrpn <0-16383> /matrix/in/0/fader").count == 16_384)
    #expect(
      refusal(Array("device box\nnrpn <0-16383> /matrix/in/0/fader\ncc 1 /matrix/in/0/mute".utf8))
        == "box.map:3:1: found 16385 addresses so far, expected at most 16384 in a mapping.")
    let many = (0...64).map { "/matrix/in/\($0)/fader" }.joined(separator: ", ")
    #expect(
      refusal(Array("device box\ncc 1 \(many)".utf8))?
        .hasSuffix("found \"/matrix/in/64/fader\", expected at most 64 addresses in a line.")
        == true)
    let long = "/matrix/in/{" + (0..<100).map(String.init).joined(separator: ",") + "}/fader"
    #expect(
      refusal(Array("device box\ncc 1 \(long)".utf8))?
        .hasSuffix("expected an address of at most 256 bytes.") == true)
    #expect(
      refusal(Array("device box\nnrpn <0-16383> /matrix/in/{0,1,2,3}/mute".utf8))
        == "box.map:2:1: found 409600 bytes of patterns so far, "
        + "expected at most 262144 in a mapping.")
    let feedback = String(repeating: " feedback", count: 17)
    #expect(
      refusal(Array("device box\ncc 1 /matrix/in/0/mute\(feedback)".utf8))?
        .hasSuffix("expected at most 16 destinations of feedback.") == true)
  }
}
