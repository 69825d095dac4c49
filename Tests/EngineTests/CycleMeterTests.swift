import Engine
import Handoff
import MatrixCore
import TestSupport
import Testing

@Suite("Meters and noise in a render cycle")
struct CycleMeterTests {
  @Test("Meters answer what was gathered since the last answer, once for each request")
  func answers() {
    let rig = CycleRig(1, 1)
    rig.meters.watch([.inputPre, .outputPost])
    rig.publish([(rig.shape.crosspoint(input: 0, output: 0), 0.5)], at: 0)
    _ = rig.render(frames: 8000, periods: [100]) { _, frame in frame == 50 ? -0.75 : 0.25 }
    #expect(!rig.meters.isRequested)
    rig.meters.request()
    _ = rig.render(frames: 100, periods: [100]) { _, _ in 0.25 }
    #expect(rig.meters.isAnswered)
    #expect(rig.meters.peak(.inputPre, 0) == 0.75)
    rig.meters.request()
    _ = rig.render(frames: 100, periods: [100]) { _, _ in 0.25 }
    #expect(rig.meters.isAnswered)
    #expect(rig.meters.peak(.inputPre, 0) == 0.25)
    #expect(rig.meters.peak(.outputPost, 0) == 0.125)
    #expect(abs(rig.meters.rootMeanSquare(.outputPost, 0) - 0.125) < 1e-6)
  }

  @Test("Points and crosspoints come and go with what the reader watches")
  func followsTheReader() throws {
    let rig = CycleRig(2, 2)
    let gains = [(0, 0, 0.5), (1, 0, 0.25), (1, 1, 1)].map {
      (rig.shape.crosspoint(input: $0.0, output: $0.1), $0.2)
    }
    rig.publish(gains + [(rig.shape.input(1), 0.5), (rig.shape.output(0), 0.5)], at: 0)
    _ = rig.render(frames: 6400, periods: [64])
    func read() {
      rig.meters.request()
      _ = rig.render(frames: 300, periods: [100])
      #expect(rig.meters.isAnswered)
    }
    read()
    #expect(rig.meters.answeredPoints == [])
    #expect(rig.meters.crosspoint(at: 0) == nil)

    rig.meters.watch([.inputPost, .outputPre], crosspoints: [gains[1].0, gains[0].0])
    read()
    #expect(rig.meters.answeredPoints == [.inputPost, .outputPre])
    #expect([0, 1].map { rig.meters.peak(.inputPost, $0) } == [1, 0.5])
    #expect([0, 1].map { rig.meters.peak(.outputPre, $0) } == [0.625, 0.5])
    #expect(rig.meters.peak(.outputPost, 0) == 0)
    let first = try #require(rig.meters.crosspoint(at: 0))
    #expect(first == (gains[1].0, 0.125, 0.125))
    let second = try #require(rig.meters.crosspoint(at: 1))
    #expect(second == (gains[0].0, 0.5, 0.5))
    #expect(rig.meters.crosspoint(at: 2) == nil)

    rig.meters.watch(.outputPost, crosspoints: [gains[2].0])
    read()
    #expect([0, 1].map { rig.meters.peak(.outputPost, $0) } == [0.3125, 0.5])
    #expect(rig.meters.peak(.inputPost, 0) == 0)
    #expect(try #require(rig.meters.crosspoint(at: 0)) == (gains[2].0, 0.5, 0.5))
    #expect(rig.meters.crosspoint(at: 1) == nil)

    // A stream that begins anew meters what was watched before.
    rig.cycle.restart(atFrame: rig.cycle.position)
    read()
    #expect(rig.meters.answeredPoints == .outputPost)
    #expect(rig.meters.crosspoint(at: 0)?.gain == gains[2].0)
  }

  @Test("Faults are there when somebody comes to look, and counted from a reset on")
  func latches() {
    let rig = CycleRig(2, 2)
    rig.publish([(rig.shape.crosspoint(input: 1, output: 0), 1)], at: 0)
    let play = { (frames: Int) in
      _ = rig.render(frames: frames, periods: [100]) { input, frame in
        input == 1 && frame % 1000 == 999 ? 2 : 0.5
      }
    }
    play(10_000)
    rig.meters.request()
    play(100)
    #expect(rig.meters.faults(ofInput: 1) == SampleFaults(clipped: 10))
    #expect(rig.meters.faults(ofInput: 0) == SampleFaults())
    // The first few lie in the glide.
    #expect((5...10).contains(rig.meters.faults(ofOutput: 0).clipped))
    rig.meters.resetFaults(ofInput: 1)
    rig.meters.resetFaults(ofOutput: 0)
    play(1900)
    rig.meters.request()
    play(1000)
    #expect(rig.meters.faults(ofInput: 1) == SampleFaults(clipped: 2))
    #expect(rig.meters.faults(ofOutput: 0) == SampleFaults(clipped: 2))
    #expect(rig.meters.faults(ofOutput: 1) == SampleFaults())
  }

  @Test("An output that is asked says which one it is, though its gain and the master are down")
  func identifies() {
    for output in [0, 63, 64, 69] {
      let rig = CycleRig(1, 70)
      rig.publish([(rig.shape.output(output), 0), (rig.shape.master, 0)], at: 0)
      _ = rig.render(frames: 640, periods: [64])
      rig.board.identify(output: output)
      let outputs = rig.render(frames: 12_000, periods: [100])
      for other in 0..<70 {
        #expect(outputs[other].contains { abs($0) > 0.03 } == (other == output))
      }
    }
  }

  @Test("A panic silences it, and what is wished for in a panic or without a stream is forgotten")
  func identifiesNothingInPanic() {
    let rig = CycleRig(1, 2)
    rig.board.identify(output: 0)
    #expect(rig.render(frames: 9600, periods: [64])[0].contains { $0 != 0 })
    rig.board.setPanic(true)
    #expect(rig.render(frames: 9600, periods: [64])[0][6400...].allSatisfy { $0 == 0 })
    #expect(rig.cycle.isSilent)
    rig.board.identify(output: 1)
    #expect(rig.render(frames: 960, periods: [64])[1].allSatisfy { $0 == 0 })
    rig.board.setPanic(false)
    #expect(rig.render(frames: 9600, periods: [64]).joined().allSatisfy { $0 == 0 })
    rig.board.identify(output: 1)
    rig.cycle.restart(atFrame: rig.cycle.position)
    #expect(rig.render(frames: 9600, periods: [64]).joined().allSatisfy { $0 == 0 })
    rig.board.identify(output: 1)
    #expect(rig.render(frames: 9600, periods: [64])[1].contains { $0 != 0 })
  }
}
