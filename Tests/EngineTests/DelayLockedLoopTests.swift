import Engine
import Handoff
import TestSupport
import Testing

struct DelayLockedLoopTests {
  /// Wake-ups as a busy virtual machine gives them: about 37 µs rms, and now and then up to 1.6 ms.
  private struct Jitter {
    var random: SeededGenerator

    mutating func next() -> Int64 {
      if random.next() % 2000 == 0 { return Int64(random.next() % 1_600_000) }
      // Twelve even numbers add up to nearly a normal one.
      let sum = (0..<12).reduce(0.0) { sum, _ in sum + Double(random.next() % 1_000_001) * 1e-6 }
      return Int64((sum - 6) * 30_000)
    }
  }

  /// The largest error of the map, in frames, after `settled` seconds.
  private func worstError(
    ppm: Double, periodFrames: Int64, from settled: Double, startFrame: Int64 = 0,
    xrunAt xrun: Double? = nil, seed: UInt64 = 7
  ) -> Double {
    var loop = DelayLockedLoop(rate: 48_000)
    var jitter = Jitter(random: SeededGenerator(seed: seed))
    let trueFrame = 1e9 / (48_000 * (1 + ppm * 1e-6))
    let start: Int64 = 123_456_789_012_345
    var worst = 0.0
    var frame: Int64 = 0
    var lost = 0.0
    var hasLost = xrun == nil
    while Double(frame) < 48_000 * (settled + 6) {
      if let xrun, !hasLost, Double(frame) >= xrun * 48_000 {
        hasLost = true
        lost = 31_700_000
        loop.relock()
      }
      let due = start + Int64(Double(frame) * trueFrame + lost)
      let clock = loop.update(frame: startFrame + frame, nanoseconds: due + jitter.next())
      if Double(frame) >= 48_000 * settled {
        // Where the true map has the frame that the loop puts at this moment.
        let error = clock.frame(atNanoseconds: due) - Double(startFrame + frame)
        worst = max(worst, abs(error))
      }
      frame += periodFrames
    }
    return worst
  }

  @Test(
    "After five seconds the map is right within a sample, on a card that is 100 ppm off",
    arguments: [-100.0, 0, 100], [Int64(32), 64, 256, 1024])
  func locks(ppm: Double, periodFrames: Int64) {
    for seed: UInt64 in 1...5 {
      #expect(worstError(ppm: ppm, periodFrames: periodFrames, from: 5, seed: seed) < 1)
    }
  }

  @Test("It is locked again five seconds after lost samples")
  func locksAgain() {
    #expect(worstError(ppm: 100, periodFrames: 64, from: 13, xrunAt: 8) < 1)
  }

  @Test("RT-08: it locks alike where frames no longer fit 32 bits")
  func locksLateInLife() {
    let early = worstError(ppm: 100, periodFrames: 64, from: 5)
    for frame: Int64 in [1 << 31, 1 << 32, 1 << 40] {
      let late = worstError(ppm: 100, periodFrames: 64, from: 5, startFrame: frame - 1024)
      #expect(abs(late - early) < 1e-3)
    }
  }

  @Test("A step of the clock that lasts is followed, although single ones are not believed")
  func followsASteadyStep() {
    var loop = DelayLockedLoop(rate: 48_000)
    var jitter = Jitter(random: SeededGenerator(seed: 7))
    var clock = loop.update(frame: 0, nanoseconds: 0)
    for cycle: Int64 in 1...30_000 {
      let step: Int64 = cycle > 10_000 ? 3_000_000 : 0
      clock = loop.update(frame: cycle * 48, nanoseconds: cycle * 1_000_000 + step + jitter.next())
    }
    #expect(abs(clock.nanoseconds - 30_003_000_000) < 30_000)
  }

  @Test("Jitter that sets in after a quiet time is followed too")
  func followsLateJitter() {
    var loop = DelayLockedLoop(rate: 48_000)
    var jitter = Jitter(random: SeededGenerator(seed: 9))
    var clock = loop.update(frame: 0, nanoseconds: 0)
    for cycle: Int64 in 1...30_000 {
      let late = cycle > 5000 ? 200_000 + jitter.next() : 0
      clock = loop.update(frame: cycle * 48, nanoseconds: cycle * 1_000_000 + late)
    }
    #expect(abs(clock.nanoseconds - 30_000_200_000) < 20_000)
  }

  @Test("Without jitter it follows the clock exactly")
  func followsExactly() {
    var loop = DelayLockedLoop(rate: 48_000)
    for cycle: Int64 in 0..<1000 {
      let clock = loop.update(frame: cycle * 48, nanoseconds: cycle * 1_000_000)
      #expect(clock.nanoseconds == cycle * 1_000_000)
      #expect(abs(clock.nanosecondsPerFrame - 1e9 / 48_000) < 1e-6)
    }
  }

  @Test("Time that makes no sense does no lasting harm")
  func survivesNonsense() {
    var loop = DelayLockedLoop(rate: 48_000)
    _ = loop.update(frame: 0, nanoseconds: 0)
    for time: Int64 in [.max, .min, 0, .max] {
      let clock = loop.update(frame: 64, nanoseconds: time)
      #expect(clock.nanosecondsPerFrame.isFinite)
      _ = loop.update(frame: 128, nanoseconds: time)
    }
    loop.restart()
    let clock = loop.update(frame: 0, nanoseconds: 77)
    #expect(clock == ClockReading(frame: 0, nanoseconds: 77, nanosecondsPerFrame: 1e9 / 48_000))
  }
}
