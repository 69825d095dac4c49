import Control
import Mapping
import Messages
import Testing
import TextLines

@Suite("Options of mapping lines")
struct MappingOptionTests {
  private func options(_ words: String, address: String = "/matrix/in/0/fader") throws
    -> MappingOptions
  {
    try controls("cc 1 \(address) \(words)")[0].options
  }

  @Test("Without options nothing is said")
  func nothing() throws {
    #expect(try options("") == MappingOptions())
  }

  @Test("Every option arrives, in any order")
  func order() throws {
    var wanted = MappingOptions()
    wanted.range = MappingRange(low: 0.25, high: 0.75)
    wanted.taper = .ardour
    wanted.maximum = 120
    wanted.takeover = .pickup
    wanted.bank = .init(name: "A", count: 8)
    wanted.feedback = [.init(.same)]
    let words = ["range .25 0.75", "taper ardour", "max 120", "pickup", "bank A 8", "feedback"]
    for shift in words.indices {
      let turned = words[shift...] + words[..<shift]
      #expect(try options(turned.joined(separator: " ")) == wanted)
      #expect(try options(turned.reversed().joined(separator: " ")) == wanted)
    }
  }

  @Test("Words that stand alone are told apart")
  func words() throws {
    for takeover in MappingOptions.Takeover.allCases {
      #expect(try options(takeover.rawValue).takeover == takeover)
    }
    for button in MappingOptions.Button.allCases {
      #expect(try options(button.rawValue, address: "/matrix/in/0/mute").button == button)
    }
    for taper in Taper.allCases {
      #expect(try options("taper \(taper.rawValue)").taper == taper)
    }
    for relative in MappingOptions.Relative.allCases {
      let read = try options("relative \(relative.rawValue) step 0.01")
      #expect(read.relative == relative && read.step == 0.01)
    }
  }

  @Test(
    "A range is in the unit of its address, may run down, and may reach both ends",
    arguments: [
      ("/matrix/in/0/fader", "0 1", 0.0, 1.0), ("/matrix/in/0/gain", "0 3.162", 0, 3.162),
      ("/matrix/in/0/out/0", "1 0", 1, 0), ("/matrix/in/0/db", "-120 10", -120, 10),
      ("/matrix/in/0/db", "-inf 0", -120, 0), ("/matrix/in/0/db", "6 -6", 6, -6),
      ("/config/dim", "-60 0", -60, 0),
    ])
  func ranges(address: String, words: String, low: Double, high: Double) throws {
    #expect(
      try options("range \(words)", address: address).range == MappingRange(low: low, high: high))
  }

  @Test("The highest position may be as high as the source goes")
  func maximum() throws {
    #expect(try options("max 1").maximum == 1 && options("max 127").maximum == 127)
    #expect(try controls("bend /matrix/in/0/fader max 16368")[0].options.maximum == 16_368)
    #expect(try controls("cc14 1/33 /matrix/in/0/fader max 16383")[0].options.maximum == 16_383)
  }

  @Test("Feedback goes to as many destinations as there are")
  func feedback() throws {
    let read = try options(
      "feedback values 0 127 feedback same values 1 2 3 feedback ch 1 note 5 feedback bend toggle",
      address: "/matrix/in/0/mute")
    #expect(read.button == .toggle)
    #expect(
      read.feedback == [
        .init(.same, values: [0, 127]), .init(.same, values: [1, 2, 3]),
        .init(.source(.note(5)), channel: 1), .init(.source(.bend)),
      ])
    #expect(try options("feedback none").feedback == [.init(.none)])
    for ring in MappingOptions.Ring.allCases {
      #expect(
        try options("feedback cc 48 ring \(ring.rawValue) pickup").feedback
          == [.init(.source(.controller(48)), ring: ring)])
    }
    #expect(
      try options("feedback bend values 0 16383", address: "/matrix/in/0/mute").feedback
        == [.init(.source(.bend), values: [0, 16_383])])
  }

  @Test("What stands behind set are arguments, whatever it says")
  func arguments() throws {
    #expect(
      try options("set 0.5 250 lin").arguments == [.double(0.5), .int32(250), .string("lin")])
    #expect(
      try options("push feedback set \"set\"", address: "/ping").arguments
        == [.string("set")])
    #expect(
      try options("set -inf", address: "/matrix/in/0/db").arguments == [.double(-.infinity)])
    #expect(try options("set 0 1 0.5", address: "/matrix/set").arguments?.count == 3)
    #expect(try options("set -3", address: "/matrix/master/nudge").arguments == [.int32(-3)])
    #expect(try controls("note 5 /matrix/in/0/fader set 0.75").count == 1)
  }

  @Test("Lists may be as long as those of the largest matrices, on either side")
  func lists() throws {
    let values = { Array(repeating: "0", count: $0).joined(separator: " ") }
    for address in ["/matrix/row/0", "/matrix/col/0"] {
      #expect(
        try options("set " + values(512), address: address).arguments?.count == 512)
      #expect(
        refusal(Array("device box\ncc 1 \(address) set \(values(513))".utf8))?
          .hasSuffix("takes: this takes 512 values at most.") == true)
    }
  }

  @Test("What is not active yet is named once, with its lines")
  func inactive() throws {
    #expect(
      try mapping("device box\ncc <0-7> /matrix/in/<0-7>/fader pickup").inactiveOptions == nil)
    #expect(
      try mapping("device box\ncc14 0/32 /matrix/in/0/fader").inactiveOptions
        == "box.map: cc14 (line 2) is accepted and not active yet.")
    let text = """
      device box
      cc14 0/32 /matrix/in/0/fader scale
      nrpn 1 /matrix/in/1/fader
      rpn 1 /matrix/in/1/fader bank A 8
      cc 1 /matrix/in/2/fader relative twos step 0.01 feedback cc 9 ring fan
      cc 2 /matrix/in/2/solo feedback values 0 1 2
      """
    #expect(
      try mapping(text).inactiveOptions
        == "box.map: cc14 (line 2), scale (line 2), nrpn (line 3), rpn (line 4), bank (line 4), "
        + "relative (line 5), step (line 5) and values with BLINK (line 6) "
        + "are accepted and not active yet.")
    let many = (0..<10).map { "cc \($0) /matrix/in/0/fader scale\n" }.joined()
    #expect(
      try mapping("device box\n" + many).inactiveOptions
        == "box.map: scale (lines 2, 3, 4, 5, 6, 7, 8, 9 and 2 more) "
        + "is accepted and not active yet.")
  }

  @Test("Feedback of what has no state of its own is named as not active")
  func inactiveFeedback() throws {
    for line in [
      "cc 1 /matrix/in/0/fader feedback set 0.5", "cc 1 /engine/panic push feedback",
      "cc 1 /matrix/in/0/touch feedback", "cc 1 /matrix/in/0/fader feedback program 3",
      "cc 1 /matrix/in/0/fader feedback note 3 ring fan",
    ] {
      #expect(
        try mapping("device box\n" + line).inactiveOptions
          == "box.map: feedback (line 2) is accepted and not active yet.", "\(line)")
    }
    for line in [
      "cc 1 /matrix/in/0/fader feedback", "cc 1 /matrix/in/*/mute feedback values 0 1 2",
      "cc 1 /matrix/in/0/fader feedback cc 48 ring pan",
      "cc 1 /config/dim range -20 0 feedback", "cc 1 /matrix/in/0/fader feedback none",
    ] {
      #expect(try mapping("device box\n" + line).inactiveOptions == nil, "\(line)")
    }
  }
}
