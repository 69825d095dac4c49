import Messages

/// Somebody who writes down what is applied, on the control thread.
public protocol HubRecorder: AnyObject {
  /// Something has been applied. Must not call `perform`.
  func hubApplied(_ change: AppliedChange)
}

/// A change as it was applied: sent again on the same frame to a mixer in the same state, it does
/// the same to the last bit.
public struct AppliedChange: Equatable, Sendable {
  /// The first frame that differs.
  public var frame: Int64
  /// Counts the transactions: changes of one frame and one number went to the audio side together.
  ///
  /// Nothing for what no gain does: a panic acts at the beginning of the next render call.
  public var transaction: Int?
  /// What was changed.
  public var target: Target
  /// The arguments that change it so.
  public var arguments: [Argument]

  /// Says what was applied when.
  public init(frame: Int64, transaction: Int?, target: Target, arguments: [Argument] = []) {
    self.frame = frame
    self.transaction = transaction
    self.target = target
    self.arguments = arguments
  }
}
