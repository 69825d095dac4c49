import MatrixCore

/// One change or question, checked and ready to be applied.
struct Operation {
  /// What is to be done.
  enum Verb: UInt8 {
    /// Answer what the target reads, on its address.
    case answer
    /// Take a level to `number`.
    case level
    /// Change a level by `number` dB.
    case nudge
    /// Turn a switch on or off.
    case toggle
    /// Put a hand on a gain or take it off.
    case touch
    /// End a fade where it is.
    case stop
    /// Give a channel the name in the payload.
    case rename
    /// Do what the trigger does.
    case trigger
    /// Set a parameter of the mixer to `number`.
    case setting
    /// Answer `/pong` with the payload.
    case echo
  }

  var verb: Verb
  var target: Target
  /// The level as linear gain, the change in dB, or the switch as 0 and 1.
  var number = 0.0
  /// The number as it came, 32 bits wide: what a query must answer for it to change nothing.
  var reading: Float = 0
  /// The level's number as it came, on the face that it came by; what a record needs.
  var asSent = 0.0
  var durationFrames = 0.0
  var curve = FadeCurve.decibels
  /// Whether the sender is told what was taken.
  var corrects = false
  /// How many values an answer has at most.
  var count = Int.max
  /// Where names and echoed arguments lie in the transaction's payload.
  var payload = 0..<0
}
