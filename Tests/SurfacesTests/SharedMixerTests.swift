import Control
import Messages
import Surfaces
import Testing

/// Tablets and a fader box on one mixer: each sees the others, and nobody sees themselves.
@Suite("One mixer, two tablets and a box")
struct SharedMixerTests {
  private static let fader = "/matrix/in/0/gain"

  /// Two tablets that are told everything, and a box with a fader and a button, on one mixer.
  private final class Stage {
    let desk: Desk
    let box: DeviceRig
    let x: Tablet
    let y: Tablet

    init() throws {
      desk = try Desk()
      box = try DeviceRig(
        """
        device box
        cc 7 /matrix/in/0/fader feedback
        cc 8 /matrix/in/0/mute toggle feedback
        """, hub: desk.hub
      ) { DeviceRig.plugDuplex(into: $0) }
      x = desk.subscriber(.string(""), .int32(30), .int32(0))
      y = desk.subscriber(.string(""), .int32(30), .int32(0))
      wait(milliseconds: 300)
      forget()
    }

    /// Passes of the control thread, a millisecond each.
    func wait(milliseconds: Int) {
      for _ in 0..<milliseconds {
        desk.advance(milliseconds: 1)
        box.passOnce()
      }
    }

    func forget() {
      _ = x.heard()
      _ = y.heard()
      _ = box.heard()
    }
  }

  @Test("Two clients and one MIDI box each see the other two and never themselves")
  func everybody() throws {
    let stage = try Stage()
    // Unity and the top of a fader are the same number to the last bit, whoever sends them.
    stage.x.send(Self.fader, .float(0))
    stage.wait(milliseconds: 200)
    #expect(stage.x.heard() == [])
    #expect(stage.y.heard() == [Heard(Self.fader, .float(0))])
    #expect(stage.box.heard() == [[0xB0, 7, 0]])

    stage.y.send(Self.fader, .float(1))
    stage.wait(milliseconds: 200)
    #expect(stage.x.heard() == [Heard(Self.fader, .float(1))])
    #expect(stage.y.heard() == [])
    #expect(stage.box.heard() == [[0xB0, 7, 95]])

    stage.box.play(24, 0, 0xB0, 7, 127)
    stage.wait(milliseconds: 200)
    let top = Heard(Self.fader, .float(3.1622777))
    #expect(stage.x.heard() == [top])
    #expect(stage.y.heard() == [top])
    #expect(stage.box.heard() == [])
  }

  @Test("Each hears of a mute once, and the button that was pressed is lit")
  func mute() throws {
    let stage = try Stage()
    let address = "/matrix/in/0/mute"
    stage.box.play(24, 0, 0xB0, 8, 127)
    stage.wait(milliseconds: 200)
    #expect(stage.x.heard() == [Heard(address, .int32(1))])
    #expect(stage.y.heard() == [Heard(address, .int32(1))])
    #expect(stage.box.heard() == [[0xB0, 8, 127]])
    stage.box.play(24, 0, 0xB0, 8, 0)
    stage.wait(milliseconds: 200)
    stage.forget()
    stage.x.send(address, .int32(0))
    stage.wait(milliseconds: 200)
    #expect(stage.x.heard() == [])
    #expect(stage.y.heard() == [Heard(address, .int32(0))])
    #expect(stage.box.heard() == [[0xB0, 8, 0]])
  }

  @Test("While all three move at once, nobody hears themselves, and in the end all agree")
  func crowd() throws {
    let stage = try Stage()
    for step in 1...100 {
      stage.x.send("/matrix/in/1/gain", .float(Float(step) / 200))
      stage.y.send("/matrix/in/2/gain", .float(Float(step) / 200))
      stage.box.play(24, 0, 0xB0, 7, UInt8(step))
      stage.wait(milliseconds: 5)
    }
    stage.wait(milliseconds: 300)
    let x = stage.x.heard()
    let y = stage.y.heard()
    #expect(!x.contains { $0.address == "/matrix/in/1/gain" })
    #expect(!y.contains { $0.address == "/matrix/in/2/gain" })
    #expect(x.last { $0.address == "/matrix/in/2/gain" }?.number == 0.5)
    #expect(y.last { $0.address == "/matrix/in/1/gain" }?.number == 0.5)
    let level = Float(Taper.x32.gain(atPosition: 100.0 / 127))
    #expect(x.last { $0.address == Self.fader }?.arguments == [.float(level)])
    #expect(y.last { $0.address == Self.fader }?.arguments == [.float(level)])
    #expect(stage.box.heard() == [])
  }

  @Test("RT-10: of two hands on one gain the later one counts, and the other is told once")
  func twoHands() throws {
    let stage = try Stage()
    let hand = Float(Taper.x32.gain(atPosition: 100.0 / 127))
    for round in 0..<500 {
      let isBoxLater = round % 2 == 0
      if isBoxLater {
        stage.x.send(Self.fader, .float(0.2))
        stage.desk.pass()
        stage.box.play(24, 0, 0xB0, 7, 100)
      } else {
        stage.box.play(24, 0, 0xB0, 7, 100)
        stage.x.send(Self.fader, .float(0.2))
      }
      stage.wait(milliseconds: 140)
      #expect(Float(stage.box.level(0)) == (isBoxLater ? hand : 0.2))
      #expect(stage.x.heard() == (isBoxLater ? [Heard(Self.fader, .float(hand))] : []))
      #expect(stage.y.heard().last?.number == Double(isBoxLater ? hand : 0.2))
      #expect(stage.box.heard() == (isBoxLater ? [] : [[0xB0, 7, 57]]))
    }
  }
}
