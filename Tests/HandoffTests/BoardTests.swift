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

  @Test("Wishes of outputs to say which one they are are counted, and taken once")
  func takesWishes() {
    let board = EngineBoard(rate: 48_000)
    for output in [0, 63, 64, 511, 64] { board.identify(output: output) }
    #expect(board.identifyRequests == 5)
    #expect(
      (0..<8).map { board.takeIdentified(word: $0) } == [1 << 63 | 1, 1, 0, 0, 0, 0, 0, 1 << 63])
    #expect((0..<8).allSatisfy { board.takeIdentified(word: $0) == 0 })
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
