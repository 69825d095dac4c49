import Glibc
import Memory
import TestSupport
import Testing

@Suite("Where the state is kept")
struct StatePlaceTests {
  private let folder = TemporaryFolder()

  private func place(_ name: String, _ variables: [String: String]) throws(StateError) -> String? {
    try StatePlace.file(forRouterNamed: name) { variables[$0] }
  }

  @Test("XDG_STATE_HOME comes first, then the home folder, and missing folders are made")
  func places() throws {
    let home = folder.path
    #expect(
      try place("Main", ["XDG_STATE_HOME": home + "/s", "HOME": home])
        == home + "/s/crosspoint/Main.json")
    #expect(
      try place("Main", ["XDG_STATE_HOME": "relative", "HOME": home])
        == home + "/.local/state/crosspoint/Main.json")
    #expect(rmdir(home + "/s/crosspoint") == 0 && rmdir(home + "/s") == 0)
    for part in ["/.local/state/crosspoint", "/.local/state", "/.local"] {
      #expect(rmdir(home + part) == 0)
    }
    #expect(try place("Main", ["HOME": ""]) == nil)
  }

  @Test("No two names meet in one file, and no name leaves the folder")
  func names() throws {
    let variables = ["XDG_STATE_HOME": folder.path]
    let names = ["a", "A", "a/b", "a%2fb", "..", ".", "%2e", "a\nb", "Große Bühne", "x y"]
    let files = try names.map { try #require(try place($0, variables)) }
    #expect(Set(files).count == names.count)
    for file in files {
      #expect(file.hasPrefix(folder.path + "/crosspoint/"))
      #expect(!file.dropFirst(folder.path.count + 12).contains("/"))
      #expect(!file.contains("/..") && !file.contains("\n"))
    }
    #expect(files[8].hasSuffix("/Große Bühne.json"))
    #expect(throws: StateError.self) {
      try place(String(repeating: "x", count: 201), variables)
    }
    #expect(rmdir(folder.path + "/crosspoint") == 0)
  }
}
