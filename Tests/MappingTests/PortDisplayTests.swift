import CTestSupport
import Control
import MIDI
import Mapping
import Messages
import Testing

/// Who is told what when, at one device.
@Suite("What a device is told")
struct PortDisplayTests {
  private let desk = """
    cc <0-7> /matrix/in/<0-7>/fader feedback
    cc <32-39> /matrix/in/<0-7>/mute toggle feedback
    cc 100 /matrix/in/0/fader feedback
    note 104 /matrix/in/0/touch gate
    """

  private func events(_ numbers: [(Int, Int)], channel: UInt8 = 1) -> [MIDIEvent] {
    numbers.map {
      MIDIEvent(.controller, channel: channel, number: UInt8($0.0), value: UInt16($0.1))
    }
  }

  @Test("A device is told what others change, in their order, each with its latest value")
  func others() throws {
    let rig = try DisplayRig(desk)
    rig.rig.osc("/matrix/in/2/fader", .float(0.2))
    rig.rig.osc("/matrix/in/1/mute", .int32(1))
    rig.rig.osc("/matrix/in/2/fader", .float(1))
    rig.rig.osc("/matrix/out/2/fader", .float(1))
    #expect(rig.turn() == events([(2, 127), (33, 127)]))
    #expect(rig.turn() == [])
    rig.rig.osc("/matrix/in/2/fader", .float(1))
    #expect(rig.turn() == [])
  }

  @Test("A hand does not hear itself; another control that shows the same thing does")
  func itself() throws {
    let rig = try DisplayRig(desk)
    rig.rig.send([0xB0, 0, 127])
    #expect(rig.turn() == events([(100, 127)]))
    rig.rig.send([0xB0, 100, 0])
    rig.rest()
    #expect(rig.turn() == events([(0, 0)]))
  }

  @Test("A control that is moved is left alone until it has rested, and then told what is so")
  func rest() throws {
    let rig = try DisplayRig(desk)
    rig.rig.send([0xB0, 1, 64])
    rig.rig.osc("/matrix/in/1/fader", .float(1))
    #expect(rig.turn() == [])
    let due = try #require(rig.rig.port.display.dueNanoseconds)
    #expect(due == rig.rig.now + PortDisplay.restNanoseconds)
    rig.rig.advance(seconds: 0.1)
    #expect(rig.turn() == events([(1, 127)]))
    #expect(rig.rig.port.display.dueNanoseconds == nil)
  }

  @Test("Where a level does not follow a hand, the control is told where the level is")
  func correction() throws {
    let rig = try DisplayRig("cc 1 /matrix/in/0/fader pickup feedback")
    rig.rig.send([0xB0, 1, 10])
    #expect(rig.rig.input(0) == 1)
    rig.rest()
    #expect(rig.values() == [95])
    rig.rig.send([0xB0, 1, 96])
    rig.rig.send([0xB0, 1, 97])
    rig.rest()
    #expect(rig.values() == [])
    #expect(rig.rig.input(0) != 1)
  }

  @Test("A button's lamp shows the switch after its own press, and again when it was let go")
  func lamp() throws {
    let rig = try DisplayRig(desk)
    rig.rig.send([0xB0, 32, 127])
    #expect(rig.turn() == events([(32, 127)]))
    rig.rig.advance(seconds: 0.03)
    // A device that lights its button while it is held has put it out by now.
    rig.rig.send([0xB0, 32, 0])
    #expect(rig.turn() == events([(32, 127)]))
    // Nobody is faster; what comes sooner is an echo.
    rig.rig.advance(seconds: 0.03)
    rig.rig.send([0xB0, 32, 127])
    #expect(rig.turn() == events([(32, 0)]))
    rig.rig.advance(seconds: 0.03)
    rig.rig.send([0xB0, 32, 0])
    #expect(rig.turn() == [])
    rig.rig.osc("/matrix/in/0/mute", .int32(1))
    #expect(rig.turn() == events([(32, 127)]))
  }

  @Test("A button that is tapped very fast is pressed and let go each time")
  func taps() throws {
    let rig = try DisplayRig(desk)
    for tap in 1...6 {
      rig.rig.send([0xB0, 32, 127])
      _ = rig.turn()
      rig.rig.advance(seconds: 0.004)
      rig.rig.send([0xB0, 32, 0])
      _ = rig.turn()
      #expect(rig.rig.isOn("/matrix/in/0/mute") == (tap % 2 == 1))
      rig.rig.advance(seconds: 0.025)
    }
  }

  @Test("A solo that is cleared and a scene that is recalled put lamps out")
  func triggers() throws {
    let rig = try DisplayRig("cc 1 /matrix/in/0/solo feedback\ncc 2 /matrix/in/0/mute feedback")
    rig.rig.osc("/scene/store", .int32(3))
    rig.rig.osc("/matrix/in/0/solo", .int32(1))
    rig.rig.osc("/matrix/in/0/mute", .int32(1))
    #expect(rig.values() == [127, 127])
    rig.rig.osc("/matrix/solo/clear")
    rig.rig.osc("/scene/recall", .int32(3))
    #expect(rig.values() == [0, 0])
  }

  @Test("FB-04: while a hand is on a fader it is told nothing, and once when the hand lets go")
  func touch() throws {
    let rig = try DisplayRig(
      "ch 1 bend /matrix/in/0/gain feedback\nch 1 note 104 /matrix/in/0/touch")
    rig.rig.send([0x90, 0x68, 0x7F])
    for high: UInt8 in [0x10, 0x20, 0x30] {
      rig.rig.send([0xE0, 0, high])
      #expect(rig.turn() == [])
      rig.rest()
    }
    rig.rig.osc("/matrix/in/0/gain", .float(0.1))
    rig.rest()
    #expect(rig.turn() == [])
    #expect(rig.rig.port.display.dueNanoseconds == nil)
    rig.rig.send([0x90, 0x68, 0])
    #expect(rig.turn() == [MIDIEvent(.bend, channel: 1, value: 1_638)])
    rig.rest()
    #expect(rig.turn() == [])
  }

  @Test("Another surface's hand on a level does not keep a motor from following it")
  func otherHand() throws {
    let rig = try DisplayRig(desk)
    rig.rig.osc("/matrix/in/3/touch", .int32(1))
    rig.rig.osc("/matrix/in/3/fader", .float(1))
    #expect(rig.turn() == events([(3, 127)]))
    rig.rig.osc("/matrix/in/3/touch", .int32(0))
    #expect(rig.turn() == [])
  }

  @Test("A fade is shown on its way, once in each turn, and ends exactly")
  func fade() throws {
    let rig = try DisplayRig(desk)
    rig.rig.osc("/matrix/in/1/gain", .float(0), .float(1_000), .string("lin"))
    var values: [Int] = []
    for _ in 0..<60 {
      values += rig.values()
      rig.rig.advance(seconds: 0.02)
    }
    #expect(values.count > 25 && values.count <= 51)
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 > $1 })
    #expect(values.last == 0)
    #expect(rig.rig.port.display.dueNanoseconds == nil)
  }

  @Test("Without ch a control is told on the channel on which it was heard last, else on 1")
  func channels() throws {
    let rig = try DisplayRig(
      "cc 1 /matrix/in/0/fader feedback\ncc 2 /matrix/in/1/mute feedback\n"
        + "ch 4 cc 3 /matrix/in/2/mute feedback\ncc 5 /matrix/in/3/fader feedback cc 9")
    rig.rig.port.display.refresh()
    #expect(rig.turn().map(\.channel) == [1, 1, 4, 1])
    rig.rig.send([0xB9, 1, 127])
    // The others of the device are there, too, and have shown nothing yet where it listens.
    let moved = rig.turn()
    #expect(moved.map(\.channel) == [10, 10] && moved.map(\.number) == [2, 9])
    rig.rig.osc("/matrix/in/0/fader", .float(0))
    rig.rest()
    #expect(rig.turn() == events([(1, 0)], channel: 10))
    rig.rig.send([0xB2, 1, 127])
    rig.rig.osc("/matrix/in/0/fader", .float(0.75))
    rig.rest()
    #expect(rig.turn() == events([(1, 95)], channel: 3))
  }

  @Test("What could not be sent is given back, and its latest value is sent later")
  func givenBack() throws {
    let rig = try DisplayRig(desk)
    let display = rig.rig.port.display
    rig.rig.osc("/matrix/in/5/fader", .float(0.5))
    rig.rig.osc("/matrix/in/6/fader", .float(0.4))
    display.beginTurn()
    #expect(display.next(now: rig.rig.now))
    display.giveBack()
    rig.rig.osc("/matrix/in/5/fader", .float(1))
    #expect(display.isInTurn)
    #expect(rig.turn() == events([(6, 51)]))
    #expect(rig.turn() == events([(5, 127)]))
    #expect(display.dueNanoseconds == nil)
  }

  @Test("A level on a pair of outputs is shown as its address reads")
  func pair() throws {
    let rig = try DisplayRig("cc 1 /matrix/in/0/out/0 feedback\ncc 2 /matrix/in/0/out/1 feedback")
    rig.rig.osc("/matrix/out/0/pair", .int32(1))
    rig.rig.osc("/matrix/in/0/out/0", .float(1))
    #expect(rig.values() == [127, 127])
    rig.rig.osc("/matrix/in/0/out/1", .float(0))
    #expect(rig.values() == [0, 0])
  }

  @Test("A mute's lamp blinks while a solo or a group silences its input, if the line says how")
  func blink() throws {
    let rig = try DisplayRig(
      "note 1 /matrix/in/0/mute feedback values 12 15 11\ncc 2 /matrix/in/1/mute feedback")
    rig.rig.port.display.refresh()
    #expect(rig.values() == [12, 0])
    rig.rig.osc("/matrix/in/1/solo", .int32(1))
    #expect(rig.values() == [11])
    rig.rig.osc("/matrix/in/0/mute", .int32(1))
    #expect(rig.values() == [15])
    rig.rig.osc("/matrix/in/0/mute", .int32(0))
    #expect(rig.values() == [11])
    rig.rig.osc("/matrix/in/0/solosafe", .int32(1))
    #expect(rig.values() == [12])
    rig.rig.osc("/matrix/group/3/members", .string("/matrix/in/0"))
    rig.rig.osc("/matrix/group/3/mute", .int32(1))
    #expect(rig.values() == [11])
    rig.rig.osc("/matrix/group/3/mute", .int32(0))
    rig.rig.osc("/matrix/solo/clear")
    #expect(rig.values() == [12])
  }

  @Test("A group's level and mute are shown")
  func group() throws {
    let rig = try DisplayRig(
      "cc 1 /matrix/group/0/fader feedback\ncc 2 /matrix/group/0/mute feedback")
    rig.rig.osc("/matrix/group/0/fader", .float(1))
    rig.rig.osc("/matrix/group/0/mute", .int32(1))
    #expect(rig.values() == [127, 127])
  }

  @Test(
    "From a change to the bytes that show it nothing is allocated",
    .enabled(if: crosspoint_test_can_watch() != 0, "sanitizers bring their own allocator"))
  func allocatesNothing() throws {
    let rig = try DisplayRig(desk + "\nnrpn 300 /matrix/in/1/fader feedback")
    var batch = MessageBatch()
    var sent = 0
    func replay(_ numbers: Range<Int>) {
      for number in numbers {
        batch.removeAll()
        let address: StaticString =
          number % 2 == 0 ? "/matrix/in/1/fader" : "/matrix/in/2/mute"
        batch.append(
          address: UnsafeBufferPointer(
            start: address.utf8Start, count: address.utf8CodeUnitCount))
        batch.appendArgument(.double(Double(number / 2 % 2)))
        rig.rig.hub.perform(
          batch, at: .now(Arrival(monotonicNanoseconds: rig.rig.now, realtimeNanoseconds: 0)),
          from: .client(1))
        rig.rig.send3(0xB0, 3, UInt8(number % 128))
        let display = rig.rig.port.display
        display.beginTurn()
        while display.next(now: rig.rig.now) {
          sent += display.message.count
          display.confirm()
        }
        rig.rig.tickAndDrain()
      }
    }
    replay(0..<4_096)
    sent = 0
    crosspoint_test_watch_begin()
    replay(0..<4_096)
    #expect(crosspoint_test_watch_end() & 0xFFFF_FFFF == 0)
    #expect(sent > 4_096)
  }
}
