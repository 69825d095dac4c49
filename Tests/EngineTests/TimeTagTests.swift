import Testing

@Suite("Time tags in virtual time")
struct TimeTagTests {
  /// Where the changes of bundles began whose times lay 50 ms apart and that were sent 0.2 s ahead.
  private func landings(
    ppm: Double, periodFrames: Int, wakeUps: [(share: Double, microseconds: Double)], seed: UInt64
  ) -> [(seconds: Double, lateFrames: Double)] {
    let session = VirtualSession(
      ppm: ppm, periodFrames: periodFrames, wakeUps: wakeUps, seed: seed)
    session.run(seconds: 205)
    #expect(session.landings.count >= session.sentCount - 5)
    #expect(session.lateCount == 0)
    return session.landings
  }

  @Test(
    "Bundles land within a sample, on cards that are 100 ppm off, from five seconds on",
    arguments: [-100.0, 100], [32, 64, 256, 1024])
  func land(ppm: Double, periodFrames: Int) {
    for (seed, wakeUps) in [WakeUps.realTime, WakeUps.ordinary].enumerated() {
      let landings = landings(
        ppm: ppm, periodFrames: periodFrames, wakeUps: wakeUps, seed: UInt64(10 * seed + 3))
      let locked = landings.filter { $0.seconds >= 5 }
      let missed = locked.filter { abs($0.lateFrames) > 1 }
      #expect(locked.count > 3900)
      #expect(Double(missed.count) <= 0.001 * Double(locked.count))
      // What is left beside the rounding to whole frames stays far below one.
      let mean = locked.reduce(0) { $0 + $1.lateFrames } / Double(locked.count)
      let square = locked.reduce(0) { $0 + ($1.lateFrames - mean) * ($1.lateFrames - mean) }
      #expect((square / Double(locked.count)).squareRoot() < 0.35)
      #expect(abs(mean) < 0.5)
    }
  }
}
