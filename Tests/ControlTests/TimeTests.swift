import Control
import Handoff
import MatrixCore
import Messages
import Testing

@Suite struct TimeTests {
  private let crosspoint = "/matrix/in/0/out/1"

  @Test("BT-02: tags that have passed, and the tags that mean at once, act at once")
  func past() throws {
    let rig = try Rig()
    rig.bundle([(crosspoint, [.float(0.1)])], time: rig.tag(-10))
    #expect(rig.level(0, 1) == Double(Float(0.1)))
    rig.bundle([(crosspoint, [.float(0.2)])], time: .immediate)
    #expect(rig.level(0, 1) == Double(Float(0.2)))
    rig.bundle([(crosspoint, [.float(0.3)])], time: rig.tag(0))
    #expect(rig.level(0, 1) == Double(Float(0.3)))
    #expect(rig.hub.counters.lateTransactions == 2)
    #expect(rig.hub.queuedTransactions == 0)
    #expect(rig.commands().map(\.fade.end) == [Double(Float(0.3))])
  }

  @Test("BT-03: the parts of a nested bundle act at their own times")
  func nested() throws {
    let rig = try Rig()
    var batch = MessageBatch()
    batch.append(address: crosspoint, arguments: [.float(0.1)])
    batch.append(address: crosspoint, arguments: [.float(0.2)], time: rig.tag(0.5))
    rig.perform(batch)
    #expect(rig.level(0, 1) == Double(Float(0.1)))
    #expect(rig.commands().map(\.frame) == [0])
    rig.advance(seconds: 0.4)
    #expect(rig.commands().isEmpty)
    #expect(rig.level(0, 1) == Double(Float(0.1)))
    rig.advance(seconds: 0.099)
    let commands = rig.commands()
    #expect(commands.map(\.frame) == [24_000])
    #expect(rig.level(0, 1) == Double(Float(0.2)))
  }

  @Test("BT-05: equal times keep the order of arrival", arguments: 0..<100)
  func order(run: Int) throws {
    let rig = try Rig()
    let values = (1...9).map { Float($0) / 10 }
    let tag = rig.tag(0.3)
    if run.isMultiple(of: 2) {
      rig.bundle(values.map { (crosspoint, [.float($0)]) }, time: tag)
    } else {
      for value in values { rig.bundle([(crosspoint, [.float(value)])], time: tag) }
    }
    // Others wait too, so that the queue has something to get wrong.
    for other in 0..<run {
      rig.bundle(
        [("/matrix/in/2/out/2", [.float(0.5)])], time: rig.tag(0.1 + Double(other) / 300))
    }
    rig.advance(seconds: 0.6)
    _ = rig.commands()
    #expect(rig.level(0, 1) == Double(Float(0.9)))
    #expect(rig.hub.queuedTransactions == 0)
  }

  @Test("BT-05: the earlier of two times acts first, whichever came first")
  func earlierFirst() throws {
    let rig = try Rig()
    for delay in [0.5, 0.1, 0.9, 0.3, 0.7] {
      rig.bundle([(crosspoint, [.double(delay)])], time: rig.tag(delay))
    }
    var seen: [Double] = []
    for _ in 0..<100 {
      rig.advance(seconds: 0.01)
      seen += rig.commands().map(\.fade.end)
    }
    #expect(seen == [0.1, 0.3, 0.5, 0.7, 0.9])
  }

  @Test("BT-06: a bundle of one is a message")
  func single() throws {
    let rig = try Rig()
    rig.bundle([(crosspoint, [.float(0.4)])])
    #expect(rig.level(0, 1) == Double(Float(0.4)))
  }

  @Test("BT-07: tags around the turn of the era are near, not 136 years away")
  func era() throws {
    let rig = try Rig()
    rig.wall = 2_085_978_496_000_000_000
    rig.bundle([(crosspoint, [.float(0.1)])], time: .ntp(10 << 32))
    #expect(rig.hub.queuedTransactions == 1)
    rig.bundle([(crosspoint, [.float(0.2)])], time: .ntp(0xFFFF_FFF0 << 32))
    #expect(rig.level(0, 1) == Double(Float(0.2)))
    rig.bundle([(crosspoint, [.float(0.3)])], time: .ntp(100 << 32))
    #expect(rig.errorCode() == "time")
    rig.advance(seconds: 10)
    _ = rig.commands()
    #expect(rig.level(0, 1) == Double(Float(0.1)))
  }

  @Test("BT-08: a step of the wall's clock moves nothing that waits")
  func step() throws {
    let rig = try Rig()
    rig.bundle([(crosspoint, [.float(0.5)])], time: rig.tag(1))
    rig.wall -= 3_600_000_000_000
    rig.advance(seconds: 0.5)
    #expect(rig.commands().isEmpty)
    rig.wall += 7_200_000_000_000
    rig.advance(seconds: 0.4)
    #expect(rig.commands().isEmpty)
    rig.advance(seconds: 0.1)
    let commands = rig.commands()
    #expect(commands.map(\.frame) == [48_000])
    rig.advance(seconds: 10)
    #expect(rig.commands().isEmpty)
  }

  @Test(
    "RT-08: a bundle is on time where milliseconds or frames no longer fit 32 bits",
    arguments: [(0, 0), (1 << 32, 1 << 31), (1 << 31, 1 << 32), (1 << 33, 1 << 40)])
  func longRunning(milliseconds: Int64, frames: Int64) throws {
    let rig = try Rig()
    // Half a second before the count runs over, with the tag half a second behind it.
    rig.now = max(0, milliseconds - 500) * 1_000_000
    let start = max(0, frames - 24_000)
    rig.board.setClock(
      ClockReading(
        frame: Double(start), nanoseconds: rig.now, nanosecondsPerFrame: 1e9 / 48_000))
    rig.board.setNextFrame(start)
    rig.bundle([(crosspoint, [.float(0.5)])], time: rig.tag(1))
    rig.now += 990_000_000
    #expect(rig.commands().isEmpty)
    rig.now += 8_000_000
    #expect(rig.commands().map(\.frame) == [start + 48_000])
  }

  @Test("A time tag becomes the frame whose rendering covers it, ahead of time")
  func frames() throws {
    let rig = try Rig()
    let clock = ClockReading(
      frame: 1_000.5, nanoseconds: rig.now, nanosecondsPerFrame: 1e9 / 48_004.8)
    rig.board.setClock(clock)
    rig.board.setNextFrame(1_064)
    rig.bundle([(crosspoint, [.float(0.5)])], time: rig.tag(0.25))
    #expect(rig.hub.nextDeadline == rig.now + 250_000_000 - 3_000_000 - 1_333_333)
    rig.now += 246_000_000
    #expect(rig.commands().map(\.frame) == [1_000 + 12_002])
  }

  @Test("An untimed change waits behind a timed one that is on its way, and no frame goes back")
  func frameOrder() throws {
    let rig = try Rig()
    rig.board.setNextFrame(0)
    rig.bundle([(crosspoint, [.float(0.5)])], time: rig.tag(0.004))
    rig.send("/matrix/in/2/out/2", .float(0.5))
    rig.send(crosspoint, .float(0.25))
    let commands = rig.commands()
    #expect(commands.map(\.frame) == [192, 192])
    #expect(rig.level(0, 1) == 0.25)
    rig.board.setNextFrame(128)
    rig.send(crosspoint, .float(0.75))
    #expect(rig.commands().map(\.frame) == [192])
    rig.board.setNextFrame(256)
    rig.send(crosspoint, .float(0.5))
    #expect(rig.commands().map(\.frame) == [256])
  }

  @Test("A question in a bundle is answered at the bundle's time")
  func timedQuestion() throws {
    let rig = try Rig()
    rig.bundle(
      [(crosspoint, [.float(0.5)]), (crosspoint, []), ("/ping", [.int32(7)])], time: rig.tag(0.1))
    #expect(rig.replies().isEmpty)
    rig.advance(seconds: 0.1)
    _ = rig.commands()
    #expect(rig.replies().map(\.arguments) == [[.float(0.5)], [.int32(7)]])
  }

  @Test("More than a minute ahead, or more than the queue holds, is refused and counted")
  func bounds() throws {
    let rig = try Rig(inputs: 2, outputs: 2)
    var batch = MessageBatch()
    batch.append(address: "/matrix/in/0/out/0", arguments: [.float(0.1)])
    batch.append(address: "/matrix/in/0/out/0", arguments: [.float(0.2)], time: rig.tag(60.001))
    rig.perform(batch)
    #expect(rig.errorCode() == "time")
    #expect(rig.level(0, 0) == 0)
    for _ in 0..<4_096 {
      rig.bundle([("/matrix/in/0/out/0", [.float(0.2)])], time: rig.tag(59))
    }
    #expect(rig.replies().isEmpty)
    #expect(rig.hub.queuedTransactions == 4_096)
    rig.bundle([("/matrix/in/0/out/0", [.float(0.2)])], time: rig.tag(59))
    #expect(
      refusal(rig)
        == "4096 bundles of yours with 4096 changes wait for their time already, and 4096 bundles "
        + "with 16402 changes are the most for one sender, fewer while those of others wait; send "
        + "the rest nearer to its time")
    // What is meant for now is not held up.
    rig.send("/matrix/in/0/out/0", .float(0.3))
    #expect(rig.level(0, 0) == Double(Float(0.3)))
    rig.advance(seconds: 59)
    _ = rig.commands()
    #expect(rig.hub.queuedTransactions == 0)
  }

  @Test("Who fills the queue leaves room for everybody else")
  func fairQueue() throws {
    let rig = try Rig(inputs: 2, outputs: 2)
    func queue(_ count: Int, of client: Int) -> Int {
      var accepted = 0
      for _ in 0..<count {
        var batch = MessageBatch()
        batch.append(
          address: "/matrix/in/0/out/0", arguments: [.float(0.2)], time: rig.tag(59))
        rig.perform(batch, from: .client(client))
        if rig.replies().isEmpty { accepted += 1 }
      }
      return accepted
    }
    // The first takes half, each of the next half of what is left, and all have a little.
    #expect(queue(5_000, of: 1) == 4_096)
    #expect(queue(5_000, of: 2) == 2_048)
    for client in 3...40 { #expect(queue(100, of: client) >= 64) }
    #expect(queue(1, of: 1) == 0)
    rig.advance(seconds: 59)
    rig.hub.tick(now: rig.now)
    #expect(rig.hub.queuedTransactions == 0)
    #expect(queue(4_096, of: 1) == 4_096)
  }

  @Test("The queue is bounded by what it holds, not by the number of bundles alone")
  func heavyBundles() throws {
    let rig = try Rig(inputs: 16, outputs: 16)
    var accepted = 0
    for _ in 0..<200 {
      rig.bundle([("/matrix/in/*/out/*", [.float(0.2)])], time: rig.tag(59))
      if rig.replies().isEmpty { accepted += 1 }
    }
    #expect(accepted == (2 * rig.shape.gainCount + 16_384) / 256)
  }

  @Test("Offline, a change begins on exactly the frame that is named, whatever its tag says")
  func offline() throws {
    let rig = try Rig()
    var batch = MessageBatch()
    batch.append(address: crosspoint, arguments: [.float(0.5), .int32(10)], time: rig.tag(5))
    rig.hub.perform(batch, at: .frame(12_345), from: .local)
    batch.removeAll()
    batch.append(address: "/matrix/master/mute", arguments: [.bool(true)])
    rig.hub.perform(batch, at: .frame(12_345), from: .local)
    rig.hub.perform(batch, at: .frame(12_346), from: .local)
    batch.removeAll()
    batch.append(address: "/matrix/master/mute", arguments: [.bool(false)])
    rig.hub.perform(batch, at: .frame(12_400), from: .local)
    let commands = rig.commands()
    #expect(commands.map(\.frame) == [12_345, 12_345, 12_400])
    #expect(commands.map(\.endsTransaction) == [false, true, true])
    #expect(commands[0].fade.startFrame == 12_345)
    #expect(commands[0].fade.durationFrames == 480)
  }
}
