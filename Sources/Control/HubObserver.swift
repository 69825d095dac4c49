import MatrixCore

/// Somebody who is told of every change, on the control thread.
public protocol HubObserver: AnyObject {
  /// Something has another value now than before; a level is named by its `gain`, whatever face
  /// it was set by. Must not call `perform`.
  func hubChanged(_ target: Target, by source: Source)

  /// Something was set to what it reads already, on the address of `target`. Must not call
  /// `perform`.
  func hubConfirmed(_ target: Target, by source: Source)

  /// A hand has let go of a gain. Must not call `perform`.
  func hubReleased(_ gain: GainID, by source: Source)
}

extension HubObserver {
  /// Most observers do not care about what is so already.
  public func hubConfirmed(_ target: Target, by source: Source) {}

  /// Most observers do not care about hands.
  public func hubReleased(_ gain: GainID, by source: Source) {}
}
