import CPlatform
import Engine
import Handoff
import MatrixCore

/// An engine with everything around it that the control thread has.
final class EngineRig {
  let shape: MatrixShape
  let board: EngineBoard
  let ring: CommandRing
  let meters: MeterBoard
  let engine: Engine
  private(set) var events: [EngineEvent] = []

  init?(
    inputs: Int, outputs: Int, rate: Int = 48_000, periodFrames: Int = 64,
    source: any AudioDeviceSource
  ) throws {
    guard let shape = MatrixShape(inputs: inputs, outputs: outputs) else { return nil }
    self.shape = shape
    board = EngineBoard(rate: Double(rate))
    ring = CommandRing(shape: shape)
    meters = MeterBoard(shape: shape)
    meters.watch([.inputPre, .outputPost])
    engine = try Engine(
      configuration: EngineConfiguration(shape: shape, rate: rate, periodFrames: periodFrames),
      source: source, board: board, ring: ring, meters: meters)
  }

  /// Waits for the next event, at most so long.
  func nextEvent(milliseconds: Int32 = 10_000) -> EngineEvent? {
    let deadline = crosspoint_monotonic_ns() + Int64(milliseconds) * 1_000_000
    while true {
      if let event = engine.nextEvent() {
        events.append(event)
        return event
      }
      let rest = (deadline - crosspoint_monotonic_ns()) / 1_000_000
      if rest <= 0 { return nil }
      _ = crosspoint_poll(engine.eventDescriptor, -1, Int32(rest))
    }
  }

  /// Waits for the event that a device is open, past others.
  func waitUntilOpened() -> DeviceDescription? {
    while let event = nextEvent() {
      if case .opened(let description) = event { return description }
    }
    return nil
  }

  /// Does what control does when a device is open: all gains, then go.
  func go(_ gains: [GainID: Double] = [:]) {
    let startFrame = engine.startFrame
    ring.empty()
    var commands: [GainCommand] = []
    for index in 0..<Int32(shape.gainCount) {
      let gain = GainID(index: index)
      let isCrosspoint = Int(index) < shape.crosspointCount
      commands.append(
        GainCommand(
          frame: startFrame, gain: gain, endsTransaction: false, factor: 1,
          fade: Fade(steady: gains[gain] ?? (isCrosspoint ? 0 : 1))))
    }
    commands[commands.count - 1].endsTransaction = true
    _ = commands.withUnsafeBufferPointer { ring.publish($0) }
    engine.go(startFrame: startFrame)
  }

  /// Asks for the meters and waits for the answer; false when none comes in time.
  func readMeters(milliseconds: Int64 = 10_000) -> Bool {
    meters.request()
    return waitFor(milliseconds: milliseconds) { self.meters.isAnswered }
  }

  /// Looks again and again, giving the processor away in between, until something is so.
  func waitFor(milliseconds: Int64 = 10_000, _ condition: () -> Bool) -> Bool {
    let deadline = crosspoint_monotonic_ns() + milliseconds * 1_000_000
    while !condition() {
      if crosspoint_monotonic_ns() > deadline { return false }
      _ = crosspoint_poll(-1, -1, 1)
    }
    return true
  }
}
