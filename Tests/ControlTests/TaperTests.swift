import Control
import Testing

@Suite struct TaperTests {
  @Test("Every taper is off at 0, +10 dB at 1, and rises", arguments: Taper.allCases)
  func ends(taper: Taper) {
    #expect(taper.gain(atPosition: 0) == 0)
    #expect(taper.gain(atPosition: -1) == 0)
    #expect(taper.gain(atPosition: 1) == Level.maximum)
    #expect(taper.gain(atPosition: 2) == Level.maximum)
    #expect(taper.position(ofGain: 0) == 0)
    #expect(taper.position(ofGain: .nan) == 0)
    #expect(taper.position(ofGain: Level.maximum) == 1)
    var last = 0.0
    for step in 1...4_096 {
      let gain = taper.gain(atPosition: Double(step) / 4_096)
      #expect(gain > last)
      last = gain
    }
  }

  @Test("Positions come back from gains", arguments: Taper.allCases)
  func inverse(taper: Taper) {
    for step in 0...16_383 {
      let position = Double(step) / 16_383
      let back = taper.position(ofGain: taper.gain(atPosition: position))
      #expect(abs(back - position) < 1e-12)
    }
  }

  @Test("Unity is exact where the laws have it")
  func unity() {
    #expect(Taper.x32.gain(atPosition: 0.75) == 1)
    #expect(Taper.x32.position(ofGain: 1) == 0.75)
    #expect(Taper.db.gain(atPosition: 0.875) == 1)
    #expect(Taper.db.position(ofGain: 1) == 0.875)
    #expect(abs(Taper.linear.position(ofGain: 1) - 0.316_227_766) < 1e-9)
  }

  @Test("The x32 law goes through its corners")
  func corners() {
    for (position, decibels) in [(0.0625, -60.0), (0.25, -30), (0.5, -10), (0.75, 0), (1, 10)] {
      #expect(
        Face.decibels.reading(of: Taper.x32.gain(atPosition: position), taper: .x32)
          == Float(decibels))
    }
  }

  @Test("Ardour's law agrees with its own figures, scaled to +10 dB at the top")
  func ardour() {
    // control_math.h: 0 dB at 0.7818, -6 dB at 0.607, -20 dB at 0.325, -40 dB at 0.1215 of +6 dB.
    let scale = Level.maximum / 2
    for (gain, position) in [(1.0, 0.7818), (0.501_187, 0.607), (0.1, 0.325), (0.01, 0.1215)] {
      #expect(abs(Taper.ardour.position(ofGain: gain * scale) - position) < 1e-3)
    }
  }
}
