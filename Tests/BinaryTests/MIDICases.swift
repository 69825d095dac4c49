import Glibc
import Testing

@Suite("MIDI without MIDI")
struct MIDICases {
  /// Whether this machine has a sequencer; then there is nothing to say.
  private var hasSequencer: Bool { access("/dev/snd/seq", F_OK) == 0 }

  @Test("Without a sequencer it routes all the same, and says so once to who asked for a mapping")
  func absence() {
    let router = Rig.router(["--map", "mappings/nanokontrol2.map"])
    #expect(router.firstLine.hasPrefix("ready:"))
    #expect(router.client.number("/matrix/master/gain") == 1)
    #expect(router.stop() == 0)
    let lines = router.errorText().split(separator: "\n")
    #expect(lines.count { $0.contains("/dev/snd/seq") } == (hasSequencer ? 0 : 1))

    let silent = Rig.router()
    #expect(silent.stop() == 0)
    #expect(!silent.errorText().contains("/dev/snd/seq"))
  }

  @Test("The devices are listed, or a sentence says why there are none")
  func devices() {
    let result = RunningRouter.run(["devices"])
    #expect(result.code == 0 && result.errors == "")
    #expect(result.output.contains("MIDI"))
  }
}
