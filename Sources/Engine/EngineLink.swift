import CPlatform
import Synchronization

/// What the control thread, the keeper and the audio thread say to each other about the engine
/// itself: start here, stop, this has happened.
final class EngineLink: Sendable {
  private static let none = Int64.min

  private let events = Guarded<[EngineEvent]>([])
  private let eventWake: Wake
  private let startFrame = Atomic<Int64>(EngineLink.none)
  private let stopDeadline = Atomic<Int64>(EngineLink.none)
  /// Wakes the keeper.
  let keeperWake: Wake
  /// Wakes the audio thread.
  let audioWake: Wake

  init() throws(DeviceError) {
    eventWake = try Wake()
    keeperWake = try Wake()
    audioWake = try Wake()
  }

  // MARK: Events, from the keeper to control

  var eventDescriptor: Int32 { eventWake.descriptor }

  func report(_ event: EngineEvent) {
    events.withLock {
      $0.append(event)
      eventWake.signal()
    }
  }

  func nextEvent() -> EngineEvent? {
    events.withLock {
      if $0.count <= 1 { eventWake.clear() }
      return $0.isEmpty ? nil : $0.removeFirst()
    }
  }

  // MARK: Go, from control to the keeper

  func go(startFrame frame: Int64) {
    startFrame.store(frame, ordering: .releasing)
    keeperWake.signal()
  }

  /// The frame to start at, once.
  func takeStartFrame() -> Int64? {
    let frame = startFrame.exchange(Self.none, ordering: .acquiringAndReleasing)
    return frame == Self.none ? nil : frame
  }

  // MARK: Stop, from control to both

  /// Asks for the end; the stream may sound until the deadline, in monotonic nanoseconds.
  func stop(deadline: Int64) {
    stopDeadline.store(deadline, ordering: .releasing)
    keeperWake.signal()
    audioWake.signal()
  }

  /// When the stream has to be over, or nothing while nobody wants it to be.
  var deadline: Int64? {
    let deadline = stopDeadline.load(ordering: .acquiring)
    return deadline == Self.none ? nil : deadline
  }

  var isStopping: Bool { deadline != nil }
}
