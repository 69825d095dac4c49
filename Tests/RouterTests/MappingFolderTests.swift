import Mapping
import Router
import Testing

@Suite("Mappings by name and as files")
struct MappingFolderTests {
  private static let text = "device box\ncc 1 /matrix/in/0/fader\n"
  private static let stored = [
    "./mappings": ["own.map", "box.map", "README.md", ".map"],
    "/abc/u/.config/crosspoint/mappings": ["box.map", "desk.map"],
    "/usr/share/crosspoint/mappings": ["nanokontrol2.map"],
  ]
  private let folders = MappingFolders(
    ["./mappings", "/abc/u/.config/crosspoint/mappings", "/usr/share/crosspoint/mappings"]
  ) { Self.stored[$0] ?? [] }

  private var files: Files {
    var files = Files()
    for (folder, names) in Self.stored {
      for name in names { files.contents["\(folder)/\(name)"] = Self.text }
    }
    return files
  }

  private func mappings(
    _ arguments: [String], adding more: [String: String] = [:], command: String = "run"
  ) throws -> [String] {
    var files = files
    files.contents.merge(more) { $1 }
    switch try Command([command] + arguments, folders: folders, readFile: files.read) {
    case .run(let options): return options.mappings.map(\.file)
    case .render(let options): return options.mappings.map(\.file)
    default: return []
    }
  }

  private func refusal(_ arguments: String..., adding more: [String: String] = [:]) -> String? {
    do {
      _ = try mappings(arguments, adding: more)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("A name is looked for in one folder after the other, and the first that has it wins")
  func names() throws {
    #expect(try mappings(["--map", "box"]) == ["./mappings/box.map"])
    #expect(
      try mappings(["--map", "desk", "--map=nanokontrol2"]) == [
        "/abc/u/.config/crosspoint/mappings/desk.map",
        "/usr/share/crosspoint/mappings/nanokontrol2.map",
      ])
    #expect(folders.known.map(\.name) == ["box", "desk", "nanokontrol2", "own"])
  }

  @Test("A word with a slash, or with .map at its end, is a file")
  func asFiles() throws {
    let more = ["./stage": Self.text, "stage.map": Self.text, "/a/box.map": Self.text]
    for file in more.keys { #expect(try mappings(["--map", file], adding: more) == [file]) }
  }

  @Test("Rendering takes mappings too")
  func rendering() throws {
    #expect(
      try mappings(["in.wav", "out.wav", "--map", "own"], command: "render")
        == ["./mappings/own.map"])
  }

  @Test("A configuration names mappings, and files count from where it stands")
  func configuration() throws {
    let more = [
      "shows/a.conf": "map own\nmap ./desk.map\nmap \"the box.map\"\nmap /b/c.map\n",
      "shows/./desk.map": Self.text, "shows/the box.map": Self.text, "/b/c.map": Self.text,
      "b.conf": "map desk.map\n", "desk.map": Self.text,
    ]
    #expect(
      try mappings(["--config", "shows/a.conf"], adding: more)
        == ["./mappings/own.map", "shows/./desk.map", "shows/the box.map", "/b/c.map"])
    #expect(try mappings(["--config", "b.conf"], adding: more) == ["desk.map"])
    #expect(
      try mappings(["--config", "shows/a.conf", "--map", "box"], adding: more)
        == ["./mappings/box.map"])
  }

  @Test("A name that is not found is told with the places and the nearest name")
  func notFound() {
    let places =
      "./mappings, /abc/u/.config/crosspoint/mappings and /usr/share/crosspoint/mappings"
    #expect(
      refusal("--map", "nanokontrl2")
        == "--map: there is no mapping \"nanokontrl2\" in \(places); did you mean nanokontrol2?")
    #expect(
      refusal("--map", "xyzzy")
        == "--map: there is no mapping \"xyzzy\" in \(places); "
        + "there are box, desk, nanokontrol2 and own.")
    #expect(
      refusal("--config", "c", adding: ["c": "rate 48000\nmap  bxo\n"])
        == "c:2:6: there is no mapping \"bxo\" in \(places); did you mean box?")
    #expect(
      throws: OptionError(
        "--map: there is no mapping \"a\" in ./mappings; a file is named "
          + "with a slash, or with .map at its end.")
    ) {
      try Command(
        ["run", "--map", "a"], folders: MappingFolders(["./mappings"]) { _ in [] },
        readFile: Files().read)
    }
  }

  @Test("A file that is not there is told, and the name that would find one")
  func missingFile() {
    #expect(
      refusal("--map", "./gone.map")
        == "--map: ./gone.map cannot be read: No such file or directory.")
    #expect(
      refusal("--map", "desk.map")
        == "--map: desk.map cannot be read: No such file or directory; "
        + "the name desk alone would find one.")
  }

  @Test("A mistake in a mapping stops the start with its place, and an empty name is none")
  func mistakes() {
    #expect(
      refusal("--map", "./a.map", adding: ["./a.map": "device box\nch 0 cc 1 /matrix/in/0/fader"])
        == "./a.map:2:4: found \"0\", expected a channel from 1 to 16, or steps such as <1-8>.")
    #expect(
      refusal("--map", "")
        == "--map: found \"\", expected the name of a mapping, such as nanokontrol2, or a file, "
        + "such as ./my.map.")
    #expect(
      refusal("--config", "c", adding: ["c": "map"])
        == "c:1:4: found the end of the line, expected the name of a mapping, "
        + "such as nanokontrol2, or a file, such as ./my.map.")
    #expect(
      refusal("--map", "box", "--map", "./mappings/box.map")
        == "--map: ./mappings/box.map is asked for twice; once is enough.")
  }

  @Test("Names are looked for in the current folder, the user's, and beside the program")
  func places() {
    #expect(
      MappingFolders.places(program: "/usr/local/bin/crosspoint", configHome: nil, home: "/abc/u")
        == [
          "./mappings", "/abc/u/.config/crosspoint/mappings",
          "/usr/local/share/crosspoint/mappings",
        ])
    #expect(
      MappingFolders.places(program: "/usr/bin/crosspoint", configHome: "/c/", home: "/abc/u")
        == ["./mappings", "/c/crosspoint/mappings", "/usr/share/crosspoint/mappings"])
    #expect(
      MappingFolders.places(program: "/opt/crosspoint", configHome: "relative", home: "/h")
        == ["./mappings", "/h/.config/crosspoint/mappings", "/share/crosspoint/mappings"])
    #expect(MappingFolders.places(program: nil, configHome: nil, home: nil) == ["./mappings"])
  }

  @Test("A program in its source tree finds the mappings of the tree from anywhere")
  func sourceTree() {
    #expect(
      MappingFolders.places(
        program: "/src/crosspoint/.build/x86_64-unknown-linux-gnu/release/crosspoint",
        configHome: nil, home: nil) == ["./mappings", "/src/crosspoint/mappings"])
  }

  @Test("check knows a mapping by its first word or its name, and reads those of configurations")
  func check() throws {
    var files = files
    files.contents["a"] = "# mine\n\ndevice box\ncc <0-7> /matrix/in/<0-7>/fader scale\n"
    files.contents["b.map"] = "cc 1 /matrix/in/0/fader"
    files.contents["c"] = "map own\nmap gone\n"
    files.contents["d"] = "map own\n/matrix/in/0/mute 1\n"
    func check(_ name: String) throws(OptionError) -> String {
      try CommandLineTool.check(name, folders: folders, readFile: files.read)
    }
    #expect(
      try check("a") == "a: a mapping, 1 device, 8 controls\n"
        + "a: scale (line 4) is accepted and not active yet.")
    #expect(try check("./mappings/own.map") == "./mappings/own.map: a mapping, 1 device, 1 control")
    #expect(try check("d") == "d: a configuration, 1 address line")
    #expect(
      throws: OptionError(
        "b.map:1:1: found \"cc\", expected device and the name of a device, "
          + "such as device \"nanoKONTROL2*\".")
    ) { try check("b.map") }
    #expect(throws: OptionError.self) { try check("c") }
  }
}
