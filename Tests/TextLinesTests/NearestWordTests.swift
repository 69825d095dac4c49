import Testing
import TextLines

@Suite("Did you mean")
struct NearestWordTests {
  private let options = ["capture", "playback", "inputs", "outputs", "period", "periods", "rate"]

  @Test(
    "One slip of any kind finds the word",
    arguments: [
      ("ouputs", "outputs"), ("outtputs", "outputs"), ("outpits", "outputs"),
      ("outupts", "outputs"),
      ("rat", "rate"), ("RATE", "rate"), ("perid", "period"), ("periodss", "periods"),
      ("playbakc", "playback"), ("capt", "capture"),
    ])
  func slips(typed: String, meant: String) {
    #expect(nearest(to: typed, among: options) == meant)
  }

  @Test("A beginning means the whole word, unless another is one slip away")
  func beginnings() {
    #expect(nearest(to: "--capt", among: ["--map", "--capture"]) == "--capture")
    #expect(nearest(to: "mutes", among: ["mute", "mutescene"]) == "mute")
  }

  @Test("The nearest wins, and a tie goes to the first")
  func ties() {
    #expect(nearest(to: "period", among: options) == "period")
    #expect(nearest(to: "bat", among: ["cat", "rat"]) == "cat")
  }

  @Test(
    "What is far from everything finds nothing", arguments: ["", "x", "volume", "in", "out", "üüü"])
  func far(typed: String) {
    #expect(nearest(to: typed, among: ["inputs", "intakes", "outputs", "outlets"]) == nil)
  }

  @Test("Long words and empty candidates are safe")
  func bounds() {
    #expect(nearest(to: String(repeating: "a", count: 100_000), among: options) == nil)
    #expect(nearest(to: "abc", among: []) == nil)
    #expect(nearest(to: "a", among: [""]) == "")
  }
}
