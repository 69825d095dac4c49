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
    /// Give a group the members in the payload.
    case enroll
    /// Link a channel with its right neighbour or take the two apart.
    case pair
    /// Share a level out between the outputs of a pair.
    case pan
    /// Do what an address of scenes or of undo does, with the payload.
    case scene
    /// Hand on what a client asks for itself.
    case client
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
  /// Whether a level goes along with those that are linked with it, as its own address means, or
  /// is one gain by itself, as in a list.
  var isLinked = false
  /// Whether the sender is told what was taken.
  var corrects = false
  /// How many values an answer has at most.
  var count = Int.max
  /// Where names and echoed arguments lie in the transaction's payload; of what is answered or
  /// corrected, the address that was used where it is not made of numbers.
  var payload = 0..<0
  /// For how many changes it counts in the bounds of a datagram and of what may wait.
  var weight: Int32 = 1

  /// Whether it is a gesture by itself, however soon it comes after others of the same hand.
  var isWholeGesture: Bool {
    switch target.parameter {
    case .clear, .identity, .sceneRecall, .undo, .redo: true
    default: false
    }
  }

  /// Whether its source knows the outcome, because it has said it.
  var saysValue: Bool {
    switch verb {
    case .level, .toggle, .rename, .setting, .enroll, .pair, .pan: true
    default: false
    }
  }
}
