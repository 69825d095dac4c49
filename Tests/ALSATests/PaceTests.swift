import Engine
import Testing

@Suite("The pace of a device")
struct PaceTests {
  @Test("RT-02: a device that is ready for ever is held to 1.1 times its rate")
  func readyForEver() {
    var pace = ALSADevicePace(stepFrames: 64, bufferFrames: 128, rate: 48000)
    var now: Int64 = 1_000_000_000
    var slept: Int64 = 0
    let steps = 7500
    for _ in 0..<steps {
      let rest = Int64(pace.restMilliseconds(now: now)) * 1_000_000
      slept += rest
      // A cycle itself takes 20 µs.
      now += rest + 20_000
      pace.step(now: now)
    }
    let seconds = Double(now - 1_000_000_000) * 1e-9
    let ideal = Double(steps) * 64 / 48000 / 1.1
    #expect(abs(seconds - ideal) < 0.01)
    #expect(slept > 0)
  }

  @Test(
    "RT-02: a card is never held back, though its clock be fast and the machine wake up late",
    arguments: [0.995, 1.0, 1.005])
  func card(speed: Double) {
    var pace = ALSADevicePace(stepFrames: 64, bufferFrames: 192, rate: 48000)
    var now: Int64 = 0
    for step in 1...200_000 {
      let due = Int64(Double(step) * 64 / 48000 / speed * 1e9)
      // Every thousandth wake-up is three periods late, and the card has two more ready.
      now = max(now, due + (step % 1000 == 0 ? 4_000_000 : 30_000))
      #expect(pace.restMilliseconds(now: now) == 0)
      pace.step(now: now)
    }
  }
}
