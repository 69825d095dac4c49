import ALSA
import Mapping
import Router
import Testing

@Suite("The list of MIDI devices")
struct MIDIListingTests {
  private func port(
    _ client: UInt8, _ port: UInt8, _ clientName: String, _ name: String
  ) -> SequencerPort {
    SequencerPort(
      address: SequencerAddress(client: client, port: port), clientName: clientName, name: name)
  }

  private func mapping(_ name: String, _ device: String) throws -> (name: String, mapping: Mapping)
  {
    let text = "device \(device)\ncc 0 /matrix/in/0/fader\n"
    return (name, try Mapping(Array(text.utf8), file: "\(name).map"))
  }

  @Test("SQ-07: every port with its names in quotes, and the mappings that fit it")
  func ports() throws {
    let mappings = [
      try mapping("any", "*"), try mapping("box", "BOX*"), try mapping("second", "box port 1"),
      try mapping("named", "* port *DAW"), try mapping("other", "other nth 2"),
    ]
    let text = MIDIListing.text(
      of: [
        port(24, 0, "box ", "box MIDI 1"), port(24, 1, "box ", "box DAW"),
        port(28, 3, "other", "x"),
      ], mappings: mappings)
    #expect(
      text == """
        MIDI "box " port 0 "box MIDI 1"  --map any or box
        MIDI "box " port 1 "box DAW"     --map second or named
        MIDI "other" port 3 "x"          --map any or other

        """)
    #expect(
      MIDIListing.text(of: [port(30, 0, "third", "y")], mappings: [])
        == "MIDI \"third\" port 0 \"y\"  no mapping fits\n")
    #expect(MIDIListing.text(of: [], mappings: mappings).hasPrefix("No MIDI device was found"))
  }
}
