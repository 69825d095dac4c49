import Handoff
import Testing

struct BoardTests {
  @Test("A clock reading is whole, however fast it changes")
  func readsWholeClocks() async {
    let board = EngineBoard(rate: 48_000)
    func reading(_ number: Int64) -> ClockReading {
      ClockReading(
        frame: Double(number), nanoseconds: number &* 3, nanosecondsPerFrame: Double(number) + 1)
    }
    board.setClock(reading(1))
    let last: Int64 = 300_000
    let writer = Task.detached {
      for number in 1...last { board.setClock(reading(number)) }
    }
    let reader = Task.detached { () -> Int in
      var wrong = 0
      var newest: Int64 = 0
      while newest < last {
        let clock = board.clock
        let number = Int64(clock.frame)
        if clock != reading(number) || number < newest { wrong += 1 }
        newest = number
        await Task.yield()
      }
      return wrong
    }
    await writer.value
    #expect(await reader.value == 0)
  }

  @Test("Every counter counts by itself")
  func counts() {
    let board = EngineBoard(rate: 48_000)
    for (index, counter) in EngineCounter.allCases.enumerated() {
      board.count(counter, by: UInt64(index) + 1)
      board.count(counter)
    }
    for (index, counter) in EngineCounter.allCases.enumerated() {
      #expect(board.value(of: counter) == UInt64(index) + 2)
    }
  }

  @Test("A request is answered once, with what was left for it")
  func answersMeters() {
    let meters = MeterBoard(channels: 3)
    #expect(!meters.isRequested)
    meters.request()
    #expect(meters.isRequested)
    #expect(!meters.isAnswered)
    meters.leave(channel: 1, peak: 0.5, meanSquare: 0.0625)
    meters.answer()
    #expect(meters.isAnswered)
    #expect(!meters.isRequested)
    #expect(meters.peak(of: 0) == 0)
    #expect(meters.peak(of: 1) == 0.5)
    #expect(meters.rootMeanSquare(of: 1) == 0.25)
  }

  @Test("The map between frames and time goes both ways, and stands still at the end of time")
  func mapsFrames() {
    let clock = ClockReading(frame: 1000, nanoseconds: 5_000_000, nanosecondsPerFrame: 20_000)
    #expect(clock.frame(atNanoseconds: 5_200_000) == 1010)
    #expect(clock.nanoseconds(atFrame: 990) == 4_800_000)
    #expect(clock.nanoseconds(atFrame: 1e300) > 1 << 61)
    #expect(clock.nanoseconds(atFrame: -1e300) < -(1 << 61))
    let late = ClockReading(frame: 0, nanoseconds: .max - 5, nanosecondsPerFrame: 20_000)
    #expect(late.nanoseconds(atFrame: 100) == .max)
  }

  @Test("A stream begins on a grid point that is neither before now nor before what was rendered")
  func startsOnTheGrid() {
    let clock = ClockReading(frame: 1000, nanoseconds: 0, nanosecondsPerFrame: 1000)
    #expect(clock.startFrame(atNanoseconds: 0, earliest: 0) == 1024)
    #expect(clock.startFrame(atNanoseconds: 24_000, earliest: 0) == 1024)
    #expect(clock.startFrame(atNanoseconds: 24_001, earliest: 0) == 1088)
    #expect(clock.startFrame(atNanoseconds: 0, earliest: 5000) == 5056)
    #expect(clock.startFrame(atNanoseconds: -9_000_000, earliest: 0) == 0)
    let ages = clock.startFrame(atNanoseconds: 0, earliest: 1 << 32)
    #expect(ages == 1 << 32)
  }
}
