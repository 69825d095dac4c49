/// What the control thread learns from the engine, in order.
public enum EngineEvent: Equatable, Sendable {
  /// A device is ready. Control empties the ring, sends every gain and calls `Engine.go`; until
  /// then the device stands still.
  case opened(DeviceDescription)
  /// There is no device yet, and why; the engine goes on trying. Said once for each reason.
  case waiting(String)
  /// The device went away under the stream, and why; the engine tries to open it again.
  case lost(String)
  /// The device cannot be opened, and why; the engine does not try again. Only before the first
  /// device was opened: after that, whatever is wrong with one is waited for.
  case failed(String)
  /// The stream came to its end, as at the end of a file.
  case finished
  /// The audio thread runs without real-time priority, and what can be done about it. Said once.
  case priority(String)
}
