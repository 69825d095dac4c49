import ALSA
import Control
import FaultCard
import Mapping
import Messages
import Surfaces
import Testing

/// A box of faders beside clients that speak OSC, on one mixer.
@Suite struct LastWriterTests {
  private static let gain = "/matrix/in/0/gain"

  /// A mixer with both kinds of surfaces.
  private final class Stage {
    let desk: Desk
    let midi: MIDISurface
    private let device = "fault:beside-\(UInt64.random(in: 0 ... .max))"

    init() throws {
      desk = try Desk(inputs: 8, outputs: 8)
      faultsequencer_make(device)
      faultsequencer_plug(device, 24, 0, "box", "box MIDI 1", 1)
      midi = MIDISurface(
        sequencer: try Sequencer(name: "Crosspoint", device: device),
        mappings: [try Mapping(Array("device box\ncc 7 /matrix/in/0/gain".utf8), file: "box.map")],
        hub: desk.hub, note: { _ in })
    }

    /// A hand moves the fader, and the router takes it.
    func move(to value: UInt8) {
      let isPlayed = faultsequencer_play(device, 24, 0, [0xB0, 7, value], 3)
      #expect(isPlayed)
      midi.receive(now: desk.arrival)
    }

    /// A client speaks, and the router takes it.
    func say(_ tablet: Tablet, _ value: Float) {
      tablet.send(LastWriterTests.gain, .float(value))
      desk.surface.receive(now: desk.arrival)
    }
  }

  @Test(
    "RT-10: of OSC 0.2 and CC 100 within a millisecond the later one wins, and others hear it once",
    arguments: [0, 0.5])
  func lastWriter(millisecondsBetween: Double) throws {
    let stage = try Stage()
    let x = stage.desk.subscriber()
    let y = stage.desk.subscriber()
    stage.move(to: 100)
    let box = try #require(stage.desk.ask(Self.gain).first)
    #expect(box != .float(0.2))
    stage.desk.wait(milliseconds: 40)
    _ = x.heard()
    _ = y.heard()
    for round in 0..<1_000 {
      let isBoxLast = round % 4 < 2
      if isBoxLast { stage.say(x, 0.2) } else { stage.move(to: 100) }
      if millisecondsBetween > 0 { stage.desk.advance(milliseconds: millisecondsBetween) }
      if isBoxLast { stage.move(to: 100) } else { stage.say(x, 0.2) }
      stage.desk.wait(milliseconds: 40)
      let last = isBoxLast ? box : .float(0.2)
      #expect(stage.desk.ask(Self.gain) == [last])
      // Who spoke is told of the box alone, and not of that when it has spoken since.
      let heard = x.heard()
      if isBoxLast {
        #expect(heard == [Heard(Self.gain, box)])
      } else if millisecondsBetween == 0 {
        #expect(heard.isEmpty)
      }
      #expect(heard.allSatisfy { $0 == Heard(Self.gain, box) } && heard.count <= 1)
      // Who only listens ends with the later one, and is told each value once at most.
      let told = y.heard()
      #expect(told.last == Heard(Self.gain, last))
      #expect(told.count <= (millisecondsBetween == 0 ? 1 : 2))
    }
  }
}
