import Mapping
import Router
import Testing
import TextLines

@Suite("The mappings that come with the program")
struct ShippedMappingFilesTests {
  /// The folder of the mappings, from where this file stands.
  static let folder =
    #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/mappings"

  static let folders = MappingFolders([folder])

  private func shipped(_ name: String) throws -> Mapping {
    let choice = MappingChoice(name, origin: "test")
    return try Self.folders.read([choice], readFile: CommandLineFiles.read)[0]
  }

  /// Each control as `SOURCE ADDRESS`, the words of a file's lines.
  private func controls(_ name: String) throws -> [String] {
    try shipped(name).sections.flatMap(\.lines).map { line in
      "\(line.source) \(line.addresses.map(\.text).joined(separator: ", "))"
    }
  }

  @Test("They are known by their names, and each has a device, controls and a word on its sources")
  func names() throws {
    #expect(Self.folders.known.map(\.name) == ["16n", "generic-8", "nanokontrol2"])
    for (name, path) in Self.folders.known {
      let mapping = try shipped(name)
      #expect(mapping.sections.count == 1 && !mapping.sections[0].lines.isEmpty)
      let text = String(decoding: try CommandLineFiles.read(path), as: UTF8.self)
      #expect(text.hasPrefix("# ") && !text.contains("\t") && !text.contains("\r"))
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }
  }

  @Test(
    "nanoKONTROL2: sliders 0-7, knobs 16-23, S 32-39, M 48-55, R 64-71, transport 41-46, set 60")
  func nanoKontrol() throws {
    let strip = { (first: Int, address: (Int) -> String) in
      (0..<8).map { "cc \(first + $0) \(address($0))" }
    }
    #expect(
      try controls("nanokontrol2") == strip(0) { "/matrix/in/\($0)/fader" }
        + strip(16) { "/matrix/in/\($0)/out/0/fader" } + strip(32) { "/matrix/in/\($0)/solo" }
        + strip(48) { "/matrix/in/\($0)/mute" } + strip(64) { "/matrix/in/\($0)/out/0/mute" }
        + [
          "cc 42 /engine/panic", "cc 41 /engine/resume", "cc 45 /matrix/master/mute",
          "cc 46 /matrix/master/dim", "cc 43 /matrix/master/nudge", "cc 44 /matrix/master/nudge",
          "cc 60 /matrix/solo/clear",
        ])
    let mapping = try shipped("nanokontrol2")
    #expect(mapping.sections[0].device == DeviceSelector(client: "nanoKONTROL2*"))
    let lines = mapping.sections[0].lines
    #expect(lines.prefix(16).allSatisfy { $0.options.takeover == .pickup })
    #expect(lines[16..<40].allSatisfy { $0.options.button == .toggle })
  }

  @Test("16n: faders 32-47")
  func sixteen() throws {
    #expect(try controls("16n") == (0..<16).map { "cc \(32 + $0) /matrix/in/\($0)/fader" })
    #expect(try shipped("16n").sections[0].device == DeviceSelector(client: "16n*"))
  }

  @Test("generic-8: controllers 1-8 and 9, of any device")
  func generic() throws {
    #expect(
      try controls("generic-8")
        == (0..<8).map { "cc \(1 + $0) /matrix/in/\($0)/fader" } + ["cc 9 /matrix/master/fader"])
    #expect(try shipped("generic-8").sections[0].device == DeviceSelector(client: "*"))
  }

  @Test("What their comments offer instead is sound too")
  func offers() throws {
    for (_, path) in Self.folders.known {
      let text = String(decoding: try CommandLineFiles.read(path), as: UTF8.self)
      for line in text.split(separator: "\n") where line.hasPrefix("# c") && line.contains(" /") {
        #expect(refusal(Array("device box\n\(line.dropFirst(2))".utf8)) == nil, "\(line)")
      }
    }
  }
}
