import Handoff
import MatrixCore
import Testing

struct MeterBoardTests {
  private func board(_ inputs: Int, _ outputs: Int) throws -> MeterBoard {
    MeterBoard(shape: try #require(MatrixShape(inputs: inputs, outputs: outputs)))
  }

  @Test("A request is answered once, with what was left for it")
  func answers() throws {
    let meters = try board(2, 1)
    #expect(!meters.isRequested)
    meters.request()
    #expect(meters.isRequested)
    #expect(!meters.isAnswered)
    meters.leave(.inputPre, 1, peak: 0.5, meanSquare: 0.0625)
    meters.answer(.inputPre)
    #expect(meters.isAnswered)
    #expect(!meters.isRequested)
    #expect(meters.peak(.inputPre, 0) == 0)
    #expect(meters.peak(.inputPre, 1) == 0.5)
    #expect(meters.rootMeanSquare(.inputPre, 1) == 0.25)
  }

  @Test("Every channel of every point, and every crosspoint, has cells of its own")
  func keepsApart() throws {
    let meters = try board(3, 2)
    var level: Float = 1
    func next() -> Float {
      level += 1
      return level
    }
    for point in MeterPoint.allCases {
      for channel in 0..<(point.isOfInputs ? 3 : 2) {
        let peak = next()
        meters.leave(point, channel, peak: peak, meanSquare: peak * peak * 4)
      }
    }
    for place in 0..<64 {
      let peak = next()
      meters.leave(
        crosspoint: GainID(index: Int32(place % 6)), at: place, peak: peak,
        meanSquare: peak * peak * 4)
    }
    meters.answer([.inputPre, .inputPost, .outputPre, .outputPost])
    level = 1
    for point in MeterPoint.allCases {
      for channel in 0..<(point.isOfInputs ? 3 : 2) {
        let peak = next()
        #expect(meters.peak(point, channel) == peak)
        #expect(meters.rootMeanSquare(point, channel) == 2 * peak)
      }
    }
    for place in 0..<64 {
      let peak = next()
      let crosspoint = try #require(meters.crosspoint(at: place))
      #expect(crosspoint.gain.index == Int32(place % 6))
      #expect(crosspoint.peak == peak && crosspoint.rootMeanSquare == 2 * peak)
    }
  }

  @Test("A point that the answer is not about reads as silence, whatever was there before")
  func forgetsPoints() throws {
    let meters = try board(1, 1)
    meters.leave(.inputPost, 0, peak: 1, meanSquare: 1)
    meters.answer(.inputPost)
    #expect(meters.peak(.inputPost, 0) == 1)
    meters.answer(.outputPost)
    #expect(meters.answeredPoints == .outputPost)
    #expect(meters.peak(.inputPost, 0) == 0)
    #expect(meters.rootMeanSquare(.inputPost, 0) == 0)
    #expect(meters.crosspoint(at: 5) == nil)
  }

  @Test("What is watched is one number that changes with every wish")
  func watches() throws {
    let meters = try board(4, 4)
    #expect(meters.points(of: meters.watchState) == [])
    var states: Set<UInt64> = [meters.watchState]
    let all = (0..<16).map { GainID(index: Int32($0)) }
    for count in [0, 1, 1, 16, 3] {
      meters.watch([.inputPre, .outputPost], crosspoints: Array(all.suffix(count)))
      let state = meters.watchState
      #expect(states.insert(state).inserted)
      #expect(meters.points(of: state) == [.inputPre, .outputPost])
      #expect(meters.watchedPoints == [.inputPre, .outputPost])
      #expect(meters.crosspointCount(of: state) == count)
      for place in 0..<count {
        #expect(meters.wantedCrosspoint(at: place) == all[16 - count + place])
      }
    }
  }

  @Test("Faults are counted from their reset on, each channel by itself")
  func latches() throws {
    let meters = try board(2, 2)
    let found = SampleFaults(clipped: 10, notANumber: 20, infinite: 30)
    meters.leave(found, ofInput: 1)
    meters.leave(SampleFaults(clipped: 1), ofOutput: 0)
    #expect(meters.faults(ofInput: 1) == found)
    #expect(meters.faults(ofInput: 0) == SampleFaults())
    #expect(meters.faults(ofOutput: 0) == SampleFaults(clipped: 1))
    meters.resetFaults(ofInput: 1)
    #expect(meters.faults(ofInput: 1) == SampleFaults())
    #expect(meters.faults(ofOutput: 0) == SampleFaults(clipped: 1))
    meters.leave(SampleFaults(clipped: 11, notANumber: 20, infinite: 33), ofInput: 1)
    #expect(meters.faults(ofInput: 1) == SampleFaults(clipped: 1, infinite: 3))
    meters.resetFaults(ofOutput: 0)
    #expect(meters.faults(ofOutput: 0) == SampleFaults())
  }
}
