/// Something that a surface wants the user to know.
public struct SurfaceNote: Equatable, Sendable {
  /// What kind of thing it is; the log limits each kind by itself.
  public enum Cause: String, CaseIterable, Sendable {
    /// A datagram that is not OSC.
    case malformed
    /// A message that was understood and refused.
    case refused
    /// Somebody who sends more than can be done.
    case flood
    /// A MIDI device has come or gone.
    case device
    /// Something about MIDI is not as it should be.
    case midi
  }

  /// The kind.
  public var cause: Cause
  /// One sentence.
  public var text: String
}
