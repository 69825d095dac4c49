import CPlatform
import Engine
import Handoff
import MatrixCore
import Synchronization

/// A device that does what a test says, and a source that opens it or refuses to.
final class ScriptedSource: AudioDeviceSource {
  /// What a device does in its `wait`.
  enum Behaviour: Int {
    /// A period each millisecond.
    case plays
    /// It is gone.
    case lost
    /// It has come to its end.
    case finished
    /// It makes no progress and says so.
    case starves
    /// It does not come back, whatever happens, while this lasts.
    case hangs
    /// It is always ready and never pauses.
    case spins
  }

  /// What `open` throws; nil for a device.
  let refusal = Guarded<DeviceError?>(nil)
  /// How often somebody has tried to open it.
  let attempts = Atomic<Int>(0)
  /// How often a device was closed.
  let closed = Atomic<Int>(0)
  /// What comes in on every input.
  let input: Float
  /// What the keeper thread does before it opens, and the audio thread before it starts and after
  /// it has ended.
  let onOpen: @Sendable () -> Void
  let onStart: @Sendable () -> Void
  let onHalt: @Sendable () -> Void
  /// The samples of the first output, as they were written.
  let heard = Guarded<[Float]>([])
  private let behaviour = Atomic<Int>(Behaviour.plays.rawValue)

  init(
    input: Float = 0.5, onOpen: @escaping @Sendable () -> Void = {},
    onStart: @escaping @Sendable () -> Void = {}, onHalt: @escaping @Sendable () -> Void = {}
  ) {
    self.input = input
    self.onOpen = onOpen
    self.onStart = onStart
    self.onHalt = onHalt
  }

  var name: String { "scripted" }

  var current: Behaviour {
    get { Behaviour(rawValue: behaviour.load(ordering: .acquiring)) ?? .plays }
    set { behaviour.store(newValue.rawValue, ordering: .releasing) }
  }

  func open(_ request: DeviceRequest) throws(DeviceError) -> any AudioDevice {
    onOpen()
    attempts.add(1, ordering: .relaxed)
    if let error = refusal.withLock({ $0 }) { throw error }
    return ScriptedDevice(request, self)
  }
}

final class ScriptedDevice: AudioDevice {
  private let request: DeviceRequest
  private let source: ScriptedSource

  init(_ request: DeviceRequest, _ source: ScriptedSource) {
    self.request = request
    self.source = source
  }

  var description: DeviceDescription {
    DeviceDescription(
      name: "scripted", rate: request.rate, periodFrames: request.periodFrames,
      outputLatencyFrames: 2 * request.periodFrames, captureChannels: request.inputs,
      playbackChannels: request.outputs)
  }

  func start() -> DeviceStep {
    source.onStart()
    return .ready(frames: request.periodFrames)
  }

  func wait(wake: Int32) -> DeviceStep {
    while source.current == .hangs { _ = crosspoint_poll(-1, -1, 5) }
    switch source.current {
    case .lost: return .lost
    case .finished: return .finished
    case .spins: return .ready(frames: request.periodFrames)
    case .starves:
      return crosspoint_poll(wake, -1, 20) != 0 ? .woken : .restarted
    case .plays, .hangs:
      return crosspoint_poll(wake, -1, 1) != 0 ? .woken : .ready(frames: request.periodFrames)
    }
  }

  func read(frames: Int, into rows: AudioRows) -> DeviceStep {
    for input in 0..<rows.inputCount {
      rows.inputs[input].update(repeating: source.input, count: frames)
    }
    return .ready(frames: frames)
  }

  func write(frames: Int, from rows: AudioRows) -> DeviceStep {
    if source.current != .spins {
      source.heard.withLock { $0 += UnsafeBufferPointer(start: rows.outputs[0], count: frames) }
    }
    return .ready(frames: frames)
  }

  func halt() { source.onHalt() }
  func lossSentence() -> String { "The scripted card has gone." }
  func close() { source.closed.add(1, ordering: .relaxed) }
}
