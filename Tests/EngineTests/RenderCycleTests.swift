import Engine
import Handoff
import MatrixCore
import TestSupport
import Testing

/// The first frame on which a row is not silent.
private func firstSound(_ row: [Float]) -> Int? { row.firstIndex { $0 != 0 } }

struct RenderCycleTests {
  @Test(
    "A command begins to move its gain on its own frame, wherever periods end",
    arguments: [[1], [7], [64], [100], [333, 1, 64], [4096]])
  func movesOnItsFrame(periods: [Int]) {
    for frame: Int64 in [0, 1, 63, 64, 65, 777] {
      let rig = CycleRig(1, 1)
      rig.publish([(rig.shape.crosspoint(input: 0, output: 0), 1)], at: frame)
      let output = rig.render(frames: 1000, periods: periods)[0]
      #expect(firstSound(output) == Int(frame))
    }
  }

  @Test("A command whose frame has passed takes effect on the next frame to be rendered")
  func takesLateCommandsNext() {
    let rig = CycleRig(1, 1)
    _ = rig.render(frames: 100, periods: [100])
    rig.publish([(rig.shape.crosspoint(input: 0, output: 0), 1)], at: 3)
    #expect(firstSound(rig.render(frames: 100, periods: [50])[0]) == 0)
    #expect(rig.board.value(of: .lateCuts) == 0)
  }

  @Test("Eight cuts fit a grid block; the ninth and all behind it wait for the next grid point")
  func holdsBackTheNinthCut() {
    for periods in [[256], [1], [5], [64], [63, 2]] {
      let rig = CycleRig(1, 12)
      for output in 0..<12 {
        let gain = rig.shape.crosspoint(input: 0, output: output)
        rig.publish([(gain, 1)], at: 64 + Int64(output) + 1)
      }
      let outputs = rig.render(frames: 256, periods: periods)
      for output in 0..<12 {
        #expect(firstSound(outputs[output]) == (output < 8 ? 64 + output + 1 : 128))
      }
      #expect(rig.board.value(of: .lateCuts) == 4)
    }
  }

  @Test("Transactions of one frame are one cut, and grid points are none")
  func countsCutsByFrame() {
    let rig = CycleRig(1, 32)
    for output in 0..<20 {
      rig.publish([(rig.shape.crosspoint(input: 0, output: output), 1)], at: 69)
    }
    for output in 20..<27 {
      let frame = 70 + Int64(output - 20)
      rig.publish([(rig.shape.crosspoint(input: 0, output: output), 1)], at: frame)
    }
    for output in 27..<32 {
      rig.publish([(rig.shape.crosspoint(input: 0, output: output), 1)], at: 128)
    }
    let outputs = rig.render(frames: 256, periods: [256])
    for output in 0..<20 { #expect(firstSound(outputs[output]) == 69) }
    for output in 20..<27 { #expect(firstSound(outputs[output]) == 70 + output - 20) }
    for output in 27..<32 { #expect(firstSound(outputs[output]) == 128) }
    #expect(rig.board.value(of: .lateCuts) == 0)
  }

  @Test("A transaction that goes round the end of the ring sounds as any other, bit for bit")
  func goesRoundTheRing() {
    func outputs(ringCapacity: Int) -> [[UInt32]] {
      let rig = CycleRig(8, 8, ringCapacity: ringCapacity)
      let gains = rig.shape.gainsInMemoryOrder
      var bits = [[UInt32]](repeating: [], count: 8)
      for round in 0..<40 {
        let frame = rig.cycle.position + 13
        let fade = Fade(
          startFrame: frame, start: 0.2, end: Double(round % 7) / 8, durationFrames: 150,
          curve: FadeCurve.allCases[round % 3])
        rig.publish(
          gains.map {
            GainCommand(
              frame: frame, gain: $0, endsTransaction: $0 == gains.last, factor: 1, fade: fade)
          })
        let output = rig.render(frames: 130, periods: [64]) { input, frame in
          Float((input + 1) * Int(frame % 11)) / 64
        }
        for channel in bits.indices { bits[channel] += output[channel].map(\.bitPattern) }
      }
      #expect(rig.ring.peek() == nil)
      return bits
    }
    // 81 commands each time: every place of an entry comes to lie on the ring's end.
    let round = outputs(ringCapacity: 128)
    let areSame = round == outputs(ringCapacity: 65_536)
    #expect(areSame)
    #expect(round[0].contains { $0 != 0 })
  }

  @Test("What waits keeps its order, also with what is due at the grid point itself")
  func keepsOrderWhileHeld() {
    let rig = CycleRig(1, 1)
    let gain = rig.shape.crosspoint(input: 0, output: 0)
    for cut in 1...8 { rig.publish([(gain, 0.1)], at: Int64(cut)) }
    rig.publish([(gain, 0.7)], at: 9)
    rig.publish([(gain, 0.5)], at: 64)
    rig.publish([(gain, 0.25)], at: 64)
    let output = rig.render(frames: 8192, periods: [4096])[0]
    #expect(output.last == 0.25)
    #expect(rig.board.value(of: .lateCuts) == 1)
  }

  @Test("Random changes sound the same, bit for bit, however frames are split into calls")
  func doesNotDependOnPeriods() {
    let expected = randomRun(periods: [4096], startFrame: 0)
    #expect(expected.lateCuts > 0)
    for periods in [[1], [7], [37], [48], [64], [333], [1024], [1, 4096, 63, 2]] {
      let other = randomRun(periods: periods, startFrame: 0)
      #expect(other.outputs == expected.outputs, "\(periods)")
      #expect(other.lateCuts == expected.lateCuts, "\(periods)")
    }
  }

  @Test("RT-08: frames around 2^31 and 2^32 sound the same, bit for bit, as those from 0")
  func doesNotDependOnTheFrame() {
    let expected = randomRun(periods: [256], startFrame: 0)
    for frame: Int64 in [1 << 31, 1 << 32] {
      let other = randomRun(periods: [256], startFrame: frame - 1024)
      #expect(other.outputs == expected.outputs)
    }
  }

  private func randomRun(
    periods: [Int], startFrame: Int64
  ) -> (outputs: [[Float]], lateCuts: UInt64) {
    let rig = CycleRig(3, 5, startFrame: startFrame)
    var random = SeededGenerator(seed: 11)
    var frame = startFrame
    while frame < startFrame + 12_000 {
      // Bursts on neighbouring frames among longer rests.
      frame += random.next() % 40 == 0 ? Int64(random.next() % 1500) : Int64(random.next() % 5)
      let fade = Fade(
        startFrame: frame, start: Double(random.next() % 100) / 100,
        end: Double(random.next() % 100) / 100,
        durationFrames: random.next() % 3 == 0 ? Double(random.next() % 3000) : 0,
        curve: FadeCurve.allCases[Int(random.next() % 3)])
      let gain = GainID(index: Int32(random.next() % UInt64(rig.shape.gainCount)))
      rig.publish([
        GainCommand(frame: frame, gain: gain, endsTransaction: true, factor: 1, fade: fade)
      ])
    }
    let outputs = rig.render(frames: 14_000, periods: periods) { input, frame in
      noise(input, Int(frame - startFrame))
    }
    return (outputs, rig.board.value(of: .lateCuts))
  }

  @Test("The frame that comes next is known before a call renders, and after it")
  func publishesTheNextFrame() {
    let rig = CycleRig(1, 1, startFrame: 640)
    #expect(rig.board.nextFrame == 640)
    rig.cycle.render(frames: 48)
    #expect(rig.board.nextFrame == 688)
    #expect(rig.board.value(of: .cycles) == 1)
    rig.cycle.render(frames: 1)
    #expect(rig.board.nextFrame == 689)
    #expect(rig.cycle.position == 689)
  }

  @Test("A panic ends in exact silence without a step, and its end lets everything sound again")
  func panics() {
    let rig = CycleRig(1, 1)
    rig.publish([(rig.shape.crosspoint(input: 0, output: 0), 1)], at: 0)
    #expect(rig.render(frames: 6400, periods: [64])[0].last == 1)
    rig.board.setPanic(true)
    let out = rig.render(frames: 6400, periods: [64])[0]
    #expect(out.last == 0)
    #expect(rig.cycle.isSilent)
    #expect(zip(out, out.dropFirst()).allSatisfy { $0 - $1 < 0.002 && $0 >= $1 })
    rig.board.setPanic(false)
    #expect(rig.render(frames: 6400, periods: [64])[0].last == 1)
    rig.cycle.close()
    #expect(rig.render(frames: 6400, periods: [64])[0].last == 0)
  }
}
