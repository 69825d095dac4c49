import MIDI
import Mapping
import Testing

@Suite("Names of devices")
struct DeviceSelectorTests {
  @Test(
    "SQ-07: a glob matches a whole name, whatever its case and the spaces around it",
    arguments: [
      ("nanoKONTROL2*", "nanoKONTROL2", true), ("nanoKONTROL2*", "NANOKONTROL2 MIDI 1", true),
      ("nanokontrol2", "nanoKONTROL2 ", true), (" nanokontrol2 ", "nanoKONTROL2", true),
      ("nanoKONTROL2", "nanoKONTROL2 MIDI 1", false), ("nano", "nanoKONTROL2", false),
      ("KONTROL2", "nanoKONTROL2", false), ("*", "", true), ("*", "anything", true),
      ("", "", true), ("", "a", false), ("?", "a", true), ("?", "", false), ("?", "ä", true),
      ("Launchkey*", "Launchkey MK4 61 Launchkey MK4 ", true), ("loop 1", "loop 10", false),
      ("loop ?", "loop 1", true), ("loop ?", "loop 10", false), ("*MINI", "X-TOUCH MINI", true),
      ("*a*b*c", "xxaxxbxxbxxc", true), ("*a*b*c", "xxaxxbxxbxx", false), ("a**b", "ab", true),
      ("ÜBER*", "über pult", true), ("a*", "b", false), ("*-*-*", "a-b-c-d", true),
      ("[x]", "[X]", true), ("[x]", "x", false),
    ])
  func globs(glob: String, name: String, matches: Bool) {
    #expect(DeviceSelector(client: glob).matches(client: name) == matches)
  }

  @Test("A glob full of stars takes no time worth speaking of")
  func hostileGlob() {
    let glob = Glob(String(repeating: "*a", count: 2_000) + "b")
    #expect(!glob.matches(String(repeating: "a", count: 4_000)))
  }

  @Test("A port is the first that can be read, or one by number or name")
  func ports() {
    let second = MIDIPortName(client: "APC mini mk2", port: 1, portName: "APC mini mk2 Notes ")
    func matches(_ port: DeviceSelector.Port, isFirst: Bool = false) -> Bool {
      DeviceSelector(client: "APC*", port: port).matches(port: second, isFirst: isFirst)
    }
    #expect(!matches(.first))
    #expect(matches(.first, isFirst: true))
    #expect(matches(.number(1)))
    #expect(!matches(.number(0), isFirst: true))
    #expect(matches(.name("*notes")))
    #expect(!matches(.name("*control")))
  }

  @Test("A text knows no twins, and no port but the first")
  func written() {
    func matches(_ port: DeviceSelector.Port = .first, nth: Int? = nil) -> Bool {
      DeviceSelector(client: "nano*", port: port, nth: nth).matches(writtenClient: "nanoKONTROL2")
    }
    #expect(matches())
    #expect(matches(nth: 1))
    #expect(!matches(nth: 2))
    #expect(matches(.number(0)))
    #expect(!matches(.number(1)))
    #expect(matches(.name("*")))
    #expect(!matches(.name("MIDI*")))
    #expect(!DeviceSelector(client: "nano").matches(writtenClient: "nanoKONTROL2"))
  }
}
