import Control
import Messages
import Testing

/// What subscribers are told of bundles that wait for their time.
@Suite struct TimedFeedbackTests {
  static let a = "/matrix/in/0/out/1"

  private func told(_ values: Float...) -> [Heard] { values.map { Heard(Self.a, .float($0)) } }

  @Test("BT-02: a tag that has passed, 0 and 1 are told at once")
  func immediate() throws {
    let desk = try Desk()
    let x = desk.subscriber()
    let sender = desk.tablet()
    for (tag, gain) in [(desk.tag(-10), Float(0.25)), (0, 0.5), (1, 0.75)] {
      sender.send(bundle: told(gain), at: tag)
      desk.pass()
      #expect(x.heard() == told(gain))
      desk.wait(milliseconds: 40)
      #expect(x.heard().isEmpty)
    }
  }

  @Test("A bundle is told when it happens, not when it comes, and its sender needs no telling")
  func future() throws {
    let desk = try Desk()
    let x = desk.subscriber()
    let sender = desk.subscriber()
    sender.send(bundle: told(0.5), at: desk.tag(0.3))
    desk.wait(milliseconds: 290)
    #expect(x.heard().isEmpty)
    #expect(desk.ask(Self.a) == [.float(0)])
    desk.wait(milliseconds: 12)
    #expect(x.heard() == told(0.5))
    #expect(sender.heard().isEmpty)
  }

  @Test("BT-03: the parts of a nested bundle are told at their own times, none before its outer's")
  func nested() throws {
    let desk = try Desk()
    let x = desk.subscriber()
    let sender = desk.tablet()
    let inner = Tablet.bundle([sender.bytes(of: told(0.2)[0])], at: desk.tag(0.5))
    sender.send(Tablet.bundle([sender.bytes(of: told(0.1)[0]), inner]))
    desk.pass()
    #expect(x.heard() == told(0.1))
    desk.wait(milliseconds: 490)
    #expect(x.heard().isEmpty)
    desk.wait(milliseconds: 12)
    #expect(x.heard() == told(0.2))
    let early = Tablet.bundle([sender.bytes(of: told(0.3)[0])], at: 1)
    sender.send(Tablet.bundle([early], at: desk.tag(1)))
    desk.wait(milliseconds: 990)
    #expect(x.heard().isEmpty)
    desk.wait(milliseconds: 12)
    #expect(x.heard() == told(0.3))
  }

  @Test("BT-05: of equal tags the last value is told, and once", arguments: [false, true])
  func equalTags(areSeparate: Bool) throws {
    let desk = try Desk()
    let x = desk.subscriber()
    let sender = desk.tablet()
    let values = told(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
    for _ in 0..<100 {
      let tag = desk.tag(0.3)
      if areSeparate {
        for value in values { sender.send(bundle: [value], at: tag) }
      } else {
        sender.send(bundle: values, at: tag)
      }
      desk.wait(milliseconds: 290)
      #expect(x.heard().isEmpty)
      desk.wait(milliseconds: 12)
      #expect(x.heard() == told(0.9))
      desk.perform(Self.a, .float(0))
      desk.wait(milliseconds: 40)
      #expect(x.heard() == told(0))
    }
  }

  @Test("BT-05: bundles of different times are told in the order of their times")
  func order() throws {
    let desk = try Desk()
    let x = desk.subscriber(.string(""), .int32(60))
    let sender = desk.tablet()
    for (seconds, value) in [(0.3, Float(0.3)), (0.1, 0.1), (0.4, 0.4), (0.2, 0.2)] {
      sender.send(bundle: told(value), at: desk.tag(seconds))
    }
    desk.wait(milliseconds: 500)
    #expect(x.heard() == told(0.1, 0.2, 0.3, 0.4))
  }

  @Test("BT-06: a bundle of one is told as a message is, and one of none is nothing")
  func one() throws {
    let desk = try Desk()
    let x = desk.subscriber()
    let sender = desk.tablet()
    sender.send(bundle: told(0.4))
    sender.send(bundle: [])
    sender.send(bundle: [], at: desk.tag(0.1))
    desk.wait(milliseconds: 200)
    #expect(x.heard() == told(0.4))
  }

  @Test("BT-08: a step of the wall's clock moves nothing that waits, and it is told once")
  func clockStep() throws {
    let desk = try Desk()
    let x = desk.subscriber()
    let sender = desk.tablet()
    sender.send(bundle: told(0.5), at: desk.tag(1))
    desk.wait(milliseconds: 300)
    desk.wallOffset -= 3_600_000_000_000
    desk.wait(milliseconds: 300)
    desk.wallOffset += 7_200_000_000_000
    desk.wait(milliseconds: 390)
    #expect(x.heard().isEmpty)
    desk.wait(milliseconds: 12)
    #expect(x.heard() == told(0.5))
    desk.wait(milliseconds: 4_000)
    #expect(x.heard().isEmpty)
  }
}
