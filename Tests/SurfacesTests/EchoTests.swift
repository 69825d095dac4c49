import Control
import Messages
import Testing

/// Programs that send back whatever they hear, at once or late.
@Suite struct EchoTests {
  private static let gain = "/matrix/in/0/gain"

  /// Echoes everything that it hears so much later.
  private final class LateParrot {
    private let tablet: Tablet
    private let delayMilliseconds: Int
    private var waiting: [(due: Int, heard: Heard)] = []
    private(set) var heard = 0

    init(_ tablet: Tablet, delayMilliseconds: Int) {
      self.tablet = tablet
      self.delayMilliseconds = delayMilliseconds
    }

    func turn(at milliseconds: Int) {
      let new = tablet.heard()
      heard += new.count
      waiting += new.map { (milliseconds + delayMilliseconds, $0) }
      while let first = waiting.first, first.due <= milliseconds {
        tablet.send(address: first.heard.address, arguments: first.heard.arguments)
        waiting.removeFirst()
      }
    }
  }

  @Test(
    "A fade goes on while everything that is told of it comes back, however late",
    arguments: [
      (0, false), (5, false), (40, false), (100, false), (150, false), (300, false), (0, true),
      (40, true), (150, true),
    ])
  func fade(delayMilliseconds: Int, isAll: Bool) throws {
    let desk = try Desk()
    let hand = desk.tablet()
    let parrots = (0..<2).map { number in
      LateParrot(desk.subscriber(), delayMilliseconds: delayMilliseconds * (number + 2) / 2)
    }
    hand.send(isAll ? "/matrix/in/*/out/*" : Self.gain, .float(0.25), .float(2_000))
    for millisecond in 0..<4_000 {
      desk.advance(milliseconds: 1)
      for parrot in parrots { parrot.turn(at: millisecond) }
    }
    desk.pass()
    #expect(desk.ask(isAll ? "/matrix/in/3/out/2" : Self.gain) == [.float(0.25)])
    #expect(desk.hub.revision == (isAll ? 256 : 1))
    // Everybody has fallen silent.
    let heard = parrots.map(\.heard)
    desk.wait(milliseconds: 300)
    for parrot in parrots { parrot.turn(at: 5_000) }
    #expect(parrots.map(\.heard) == heard)
  }

  @Test(
    "A hand goes where it goes while everything that it does comes back, however late",
    arguments: [0, 20, 100, 150, 300])
  func sweep(delayMilliseconds: Int) throws {
    let desk = try Desk()
    let hand = desk.tablet()
    let watcher = desk.subscriber(.string(""), .int32(60))
    let parrots = (0..<2).map { number in
      LateParrot(desk.subscriber(), delayMilliseconds: delayMilliseconds * (number + 2) / 2)
    }
    var told: [Double] = []
    for millisecond in 0..<3_000 {
      if millisecond < 2_000, millisecond % 20 == 0 {
        hand.send(Self.gain, .float(Float(millisecond + 20) / 2_048))
      }
      desk.advance(milliseconds: 1)
      for parrot in parrots { parrot.turn(at: millisecond) }
      told += watcher.heard().compactMap(\.number)
    }
    #expect(told.count > 50 && told == told.sorted())
    #expect(desk.hub.revision == 100)
    #expect(desk.ask(Self.gain) == [.float(2_000 / 2_048)])
  }

  @Test(
    "A program that is slower than what it hears, and sends all of it back, does not rule for ever")
  func laggard() throws {
    let desk = try Desk()
    let hand = desk.tablet()
    let slow = desk.subscriber()
    let quick = LateParrot(desk.subscriber(), delayMilliseconds: 0)
    for side in ["in", "out"] { hand.send("/matrix/\(side)/0/pair", .int32(1)) }
    hand.send("/matrix/in/0/out/0", .float(0.7))
    hand.send("/matrix/in/0/out/0/pan", .float(0.3))
    desk.wait(milliseconds: 100)
    _ = slow.heard()
    hand.send("/matrix/in/0/out/0", .float(0.2), .float(1_000))
    var waiting: [Heard] = []
    for millisecond in 0..<6_000 {
      desk.advance(milliseconds: 1)
      quick.turn(at: millisecond)
      waiting += slow.heard()
      // One value in 12 ms, where about 120 come in a second.
      guard millisecond % 12 == 0, !waiting.isEmpty else { continue }
      let heard = waiting.removeFirst()
      slow.send(address: heard.address, arguments: heard.arguments)
    }
    #expect(waiting.isEmpty)
    #expect(desk.ask("/matrix/in/0/out/0") == [.float(0.2)])
  }

  @Test("A hand that has spoken is believed when it sets what it was told before")
  func meant() throws {
    let desk = try Desk()
    let x = desk.subscriber()
    let y = desk.subscriber()
    x.send("/matrix/in/5/gain", .float(0.9))
    desk.wait(milliseconds: 40)
    _ = y.heard()
    for _ in 0..<2 {
      for value in [0.25, 0.75] as [Float] {
        y.send(Self.gain, .float(value))
        desk.wait(milliseconds: 40)
      }
      #expect(x.heard().last == Heard(Self.gain, .float(0.75)))
      x.send(Self.gain, .float(0.25))
      desk.wait(milliseconds: 40)
      #expect(desk.ask(Self.gain) == [.float(0.25)])
      #expect(y.heard() == [Heard(Self.gain, .float(0.25))])
    }
    #expect(desk.hubCount("ignored_echoes") == 0)
  }

  @Test("A fade can be sent back to where it began, by whoever has seen it begin")
  func back() throws {
    let desk = try Desk()
    let x = desk.subscriber()
    let y = desk.tablet()
    x.send("/matrix/in/5/gain", .float(0.9))
    y.send(Self.gain, .float(0), .float(5_000))
    desk.wait(milliseconds: 40)
    desk.wait(milliseconds: 200)
    x.send(Self.gain, .float(1))
    desk.wait(milliseconds: 2_000)
    #expect(desk.ask(Self.gain) == [.float(1)])
    #expect(desk.ask("/matrix/in/0/now") == [.float(1)])
  }
}
