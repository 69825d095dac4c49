import CPlatform
import Engine
import Handoff
import MatrixCore
import Testing

@Suite(.serialized) struct VirtualDeviceTests {
  @Test("A constant at one input comes out of the output that it is routed to, and of no other")
  func routesAConstant() throws {
    let rig = try #require(
      try EngineRig(inputs: 2, outputs: 2, source: VirtualDeviceSource(signal: .constant(0.5))))
    try rig.engine.start()
    let description = try #require(rig.waitUntilOpened())
    #expect(description.name == "virtual")
    #expect(description.periodFrames == 64)
    rig.go([rig.shape.crosspoint(input: 0, output: 1): 0.5])
    // By then every glide has ended; what the meters gathered before is thrown away.
    let settled = rig.board.nextFrame + 22 * 240 + 128
    #expect(rig.waitFor { rig.board.nextFrame > settled })
    #expect(rig.readMeters())
    #expect(rig.readMeters())
    #expect(rig.meters.peak(.inputPre, 0) == 0.5)
    #expect(rig.meters.peak(.inputPre, 1) == 0.5)
    #expect(rig.meters.peak(.outputPost, 0) == 0)
    #expect(rig.meters.peak(.outputPost, 1) == 0.25)
    #expect(rig.engine.stop())
    #expect(!rig.board.isRunning)
  }

  @Test("The engine starts and stops a hundred times, and every stream begins on a later frame")
  func startsAndStops() throws {
    var lastFrame: Int64 = -1
    let shape = try #require(MatrixShape(inputs: 2, outputs: 2))
    let board = EngineBoard(rate: 48_000)
    let ring = CommandRing(shape: shape)
    let meters = MeterBoard(shape: shape)
    for _ in 0..<100 {
      let engine = try Engine(
        configuration: EngineConfiguration(shape: shape, tauSeconds: 0.001, periodFrames: 32),
        source: VirtualDeviceSource(), board: board, ring: ring, meters: meters)
      try engine.start()
      var isOpen = false
      while !isOpen {
        _ = crosspoint_poll(engine.eventDescriptor, -1, 10_000)
        if case .opened = engine.nextEvent() { isOpen = true }
      }
      let frame = engine.startFrame
      #expect(frame % 64 == 0)
      #expect(frame > lastFrame)
      lastFrame = frame
      let cycles = board.value(of: .cycles)
      engine.go(startFrame: frame)
      while board.value(of: .cycles) == cycles { _ = crosspoint_poll(-1, -1, 1) }
      #expect(engine.stop())
      #expect(!board.isRunning)
    }
    #expect(board.value(of: .openedCards) == 100)
  }

  @Test("A file plays once to its end, or again and again, and a wrong one is refused")
  func playsAFile() throws {
    let data = (0..<960).map { UInt8($0 % 2 * 0x40) }
    let file = ScratchFile(WAVBytes(data: data).all)
    let once = try #require(
      try EngineRig(
        inputs: 2, outputs: 1,
        source: VirtualDeviceSource(signal: .file(path: file.path, isRepeated: false))))
    try once.engine.start()
    _ = try #require(once.waitUntilOpened())
    once.go()
    while once.events.last != .finished, once.nextEvent() != nil {}
    #expect(once.events.last == .finished)
    #expect(once.engine.stop())
    // Its 480 frames and what fills the last period.
    #expect(once.board.value(of: .cycles) == 8)

    let again = try #require(
      try EngineRig(
        inputs: 2, outputs: 1,
        source: VirtualDeviceSource(signal: .file(path: file.path, isRepeated: true))))
    try again.engine.start()
    _ = try #require(again.waitUntilOpened())
    again.go()
    #expect(again.waitFor { again.board.value(of: .cycles) > 50 })
    #expect(again.readMeters())
    #expect(again.readMeters())
    #expect(again.meters.peak(.inputPre, 0) == 0.5)
    #expect(abs(again.meters.rootMeanSquare(.inputPre, 0) - 0.5) < 1e-6)
    #expect(again.meters.peak(.inputPre, 1) == 0)
    #expect(again.engine.stop())

    let wrong = try #require(
      try EngineRig(
        inputs: 2, outputs: 1, rate: 44_100,
        source: VirtualDeviceSource(signal: .file(path: file.path, isRepeated: true))))
    try wrong.engine.start()
    #expect(
      wrong.nextEvent()
        == .failed("\(file.path) has 48000 Hz, not 44100; start with --rate."))
    #expect(wrong.engine.stop())
  }
}
