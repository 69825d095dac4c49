/// Somebody who is told of every change, on the control thread.
public protocol HubObserver: AnyObject {
  /// Something has another value now than before; a level is named by its `gain`, whatever face
  /// it was set by. Must not call `perform`.
  func hubChanged(_ target: Target, by source: Source)
}
