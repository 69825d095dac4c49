import ALSA
import Mapping
import Surfaces
import Testing

@Suite("Which devices a mapping gets")
struct DeviceChoiceTests {
  private func port(
    _ client: UInt8, _ clientName: String, card: Int? = 1, isReadable: Bool = true
  ) -> SequencerPort {
    port(client, 0, clientName, card: card, isReadable: isReadable)
  }

  private func port(
    _ client: UInt8, _ port: UInt8, _ clientName: String, _ name: String? = nil, card: Int? = 1,
    isReadable: Bool = true
  ) -> SequencerPort {
    SequencerPort(
      address: SequencerAddress(client: client, port: port), clientName: clientName,
      name: name ?? "\(clientName) MIDI \(port + 1)", card: card, isReadable: isReadable)
  }

  private func choice(_ texts: String...) throws -> DeviceChoice {
    DeviceChoice(
      try texts.enumerated().map { number, text in
        try Mapping(Array(text.utf8), file: "\(number).map")
      })
  }

  /// One section for each selector.
  private func sections(_ selectors: String...) -> String {
    selectors.enumerated().map { number, selector in
      "device \(selector)\ncc \(number) /matrix/in/\(number)/fader\n"
    }.joined()
  }

  /// Connections as `SECTION CLIENT:PORT`.
  private func texts(_ decision: DeviceChoice.Decision) -> [String] {
    decision.connections.map { "\($0.section) \($0.address)" }.sorted()
  }

  @Test("SQ-01: a device is known by its name, whatever its number")
  func numbers() throws {
    let choice = try choice(sections("nanoKONTROL2"))
    for client: UInt8 in [24, 28, 130] {
      let decision = choice.decide(ports: [
        port(14, "Midi Through", card: nil), port(client, "nanoKONTROL2"), port(40, "X-TOUCH MINI"),
      ])
      #expect(texts(decision) == ["0 \(client):0"])
      #expect(decision.doubts.isEmpty)
    }
  }

  @Test("SQ-01: a number that another device has now is not followed")
  func reusedNumber() throws {
    let choice = try choice(sections("nanoKONTROL2"))
    let before = choice.decide(ports: [port(24, "nanoKONTROL2")])
    let after = choice.decide(
      ports: [port(24, "16n"), port(28, "nanoKONTROL2")], connected: before.connections)
    #expect(texts(after) == ["0 28:0"])
  }

  @Test("SQ-02: of two of one name none is guessed, and the doubt names both and the way out")
  func twins() throws {
    let choice = try choice(sections("nanoPAD2"))
    let ports = [port(36, "nanoPAD2", card: 3), port(28, "nanoPAD2", card: 2)]
    let decision = choice.decide(ports: ports)
    #expect(decision.connections.isEmpty)
    #expect(
      decision.doubts == [
        "2 devices are named \"nanoPAD2\" (client 28, card 2; client 36, card 3): "
          + "add nth 1 or nth 2 behind \"nanoPAD2\" in 0.map to say which."
      ])
    // Once one is gone there is no doubt any more.
    #expect(texts(choice.decide(ports: [ports[0]])) == ["0 36:0"])
  }

  @Test("SQ-02: nth counts by card, whatever the numbers of the clients")
  func nth() throws {
    let choice = try choice(sections("nanoPAD2 nth 2", "nanoPAD2 nth 1"))
    let ports = [port(28, "nanoPAD2", card: 3), port(36, "nanoPAD2", card: 2)]
    for ports in [ports, ports.reversed()] {
      let decision = choice.decide(ports: ports)
      #expect(texts(decision) == ["0 28:0", "1 36:0"])
      #expect(decision.doubts.isEmpty)
    }
    // A second one is not there.
    #expect(texts(choice.decide(ports: [ports[0]])) == ["1 28:0"])
  }

  @Test("SQ-02: a twin that stays keeps its section, and the other comes back to its own")
  func twinsComeBack() throws {
    let choice = try choice(sections("nanoPAD2 nth 1", "nanoPAD2 nth 2"))
    let first = port(28, "nanoPAD2", card: 2)
    let second = port(36, "nanoPAD2", card: 3)
    let both = choice.decide(ports: [first, second])
    #expect(texts(both) == ["0 28:0", "1 36:0"])
    // The first goes, and comes back behind the second.
    var one = choice.decide(ports: [second], connected: both.connections)
    #expect(texts(one) == ["1 36:0"])
    let late = port(50, "nanoPAD2", card: 9)
    #expect(
      texts(choice.decide(ports: [second, late], connected: one.connections)) == [
        "0 50:0", "1 36:0",
      ])
    // The second goes, and comes back before the first.
    one = choice.decide(ports: [first], connected: both.connections)
    #expect(texts(one) == ["0 28:0"])
    let early = port(20, "nanoPAD2", card: 0)
    #expect(
      texts(choice.decide(ports: [first, early], connected: one.connections)) == [
        "0 28:0", "1 20:0",
      ])
  }

  @Test("SQ-02: who comes later to a name that is connected already waits, and a doubt says so")
  func lateTwin() throws {
    let choice = try choice(sections("nano*"))
    let first = choice.decide(ports: [port(28, "nanoPAD2", card: 2)])
    let second = choice.decide(
      ports: [port(20, "nanoPAD2", card: 0), port(28, "nanoPAD2", card: 2)],
      connected: first.connections)
    #expect(texts(second) == ["0 28:0"])
    #expect(second.doubts.count == 1)
    #expect(second.doubts[0].contains("client 28, card 2, connected"))
  }

  @Test("SQ-02: the rest of a glob goes to the section that does not say which")
  func remainder() throws {
    let choice = try choice(sections("nanoPAD2", "nanoPAD2 nth 1"))
    let ports = [port(28, "nanoPAD2", card: 2), port(36, "nanoPAD2", card: 3)]
    #expect(texts(choice.decide(ports: ports)) == ["0 36:0", "1 28:0"])
  }

  @Test("SQ-02: loop 1 is not loop 10")
  func exactNames() throws {
    let ports = [port(128, "loop 10", card: nil), port(129, "loop 1", card: nil)]
    #expect(texts(try choice(sections("\"loop 1\"")).decide(ports: ports)) == ["0 129:0"])
    #expect(
      texts(try choice(sections("\"loop 1*\"")).decide(ports: ports)) == ["0 128:0", "0 129:0"])
    #expect(texts(try choice(sections("\"loop ??\"")).decide(ports: ports)) == ["0 128:0"])
    let named = [
      port(130, 0, "host", "Port 10", card: nil), port(130, 1, "host", "Port 1", card: nil),
    ]
    #expect(
      texts(try choice(sections("host port \"Port 1\"")).decide(ports: named)) == ["0 130:1"])
  }

  @Test("Different names that one glob fits are all connected")
  func differentNames() throws {
    let choice = try choice(sections("nano*"))
    let decision = choice.decide(ports: [port(24, "nanoKONTROL2"), port(28, "nanoPAD2")])
    #expect(texts(decision) == ["0 24:0", "0 28:0"])
    #expect(decision.doubts.isEmpty)
  }

  @Test("SQ-07: spaces at the ends, letter case and cut names do not matter")
  func cutNames() throws {
    let ports = [
      port(24, 0, "Launchkey MK4 61 Launchkey MK4 ", "Launchkey MK4 61 Launchkey MK4 "),
      port(24, 1, "Launchkey MK4 61 Launchkey MK4 ", "Launchkey MK4 61 DAW"),
    ]
    for (selector, expected) in [
      ("Launchkey*", "0 24:0"), ("LAUNCHKEY*", "0 24:0"), ("Launchkey* port 1", "0 24:1"),
      ("Launchkey* port \"*DAW\"", "0 24:1"), ("\"launchkey mk4 61 launchkey mk4\"", "0 24:0"),
      ("Launchkey* port \"launchkey mk4 61 launchkey mk4\"", "0 24:0"),
      ("\"Launchkey MK4 61 Launchkey MK4 \"", "0 24:0"),
    ] {
      #expect(
        texts(try choice(sections(selector)).decide(ports: ports)) == [expected], "\(selector)")
    }
    #expect(texts(try choice(sections("\"Launchkey MK4\"")).decide(ports: ports)).isEmpty)
  }

  @Test("The first port is the first that can be read, and stays it while it is connected")
  func firstPort() throws {
    let choice = try choice(sections("box"))
    let blind = port(24, 0, "box", isReadable: false)
    let early = choice.decide(ports: [blind, port(24, 2, "box")])
    #expect(texts(early) == ["0 24:2"])
    let ports = [blind, port(24, 1, "box"), port(24, 2, "box")]
    #expect(texts(choice.decide(ports: ports, connected: early.connections)) == ["0 24:2"])
    #expect(texts(choice.decide(ports: ports)) == ["0 24:1"])
  }

  @Test("Two ports of one device can have a section each")
  func twoPorts() throws {
    let choice = try choice(sections("box port 0", "box port 1", "box port 7"))
    let decision = choice.decide(ports: [port(24, 0, "box"), port(24, 1, "box")])
    #expect(texts(decision) == ["0 24:0", "1 24:1"])
    #expect(decision.doubts.isEmpty)
  }

  @Test("Two mappings can have one device")
  func twoMappings() throws {
    let choice = try choice(sections("box"), sections("b*"))
    #expect(texts(choice.decide(ports: [port(24, "box")])) == ["0 24:0", "1 24:0"])
  }

  @Test("FB-05: what echoes everything is never connected, whatever the glob")
  func echo() throws {
    let choice = try choice(sections("*"))
    let decision = choice.decide(ports: [
      port(14, "Midi Through", card: nil), port(15, "Midi Through ", card: nil),
      port(130, "blind", isReadable: false), port(24, "box"),
    ])
    #expect(texts(decision) == ["0 24:0"])
  }

  @Test("Who connects a twin by hand ends the doubt, and what was released by hand is left alone")
  func byHand() throws {
    let choice = try choice(sections("nanoPAD2"))
    let ports = [port(28, "nanoPAD2", card: 2), port(36, "nanoPAD2", card: 3)]
    let second = SequencerAddress(client: 36, port: 0)
    #expect(texts(choice.decide(ports: ports, byHand: [second])) == ["0 36:0"])
    #expect(choice.decide(ports: [ports[1]], released: [second]).connections.isEmpty)
  }
}
