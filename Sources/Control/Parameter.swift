/// What can be controlled or asked, apart from which channel it belongs to.
///
/// The raw values are not written anywhere and may change.
public enum Parameter: UInt8, CaseIterable, Sendable {
  /// The linear gain of a crosspoint, by the crosspoint's own address.
  case crosspoint
  /// A level as linear gain.
  case gain
  /// A level in decibels.
  case decibels
  /// A level as the position of a fader.
  case fader
  /// A change of a level by decibels.
  case nudge
  /// Silence that keeps the level.
  case mute
  /// Silence for every input without it.
  case solo
  /// An input that other inputs' solo leaves alone.
  case soloSafe
  /// A stage turned down by a fixed amount.
  case dim
  /// Polarity turned over.
  case phase
  /// What people call a channel.
  case name
  /// A level where a fade has brought it so far.
  case now
  /// The end of a fade where it is.
  case stop
  /// A hand on a fader.
  case touch
  /// Several crosspoints by number.
  case set
  /// The crosspoints of an input.
  case row
  /// The crosspoints of an output.
  case column
  /// All crosspoints.
  case all
  /// All crosspoints to off.
  case clear
  /// A diagonal of ones.
  case identity
  /// The end of every solo.
  case clearSolo
  /// The numbers of inputs and outputs.
  case dimensions
  /// The table of all volumes.
  case levels
  /// A question that only asks for an answer.
  case ping
  /// Who answers here.
  case info
  /// The state of the engine and every counter.
  case status
  /// Silence at once.
  case panic
  /// The end of a panic.
  case resume
  /// By how much dim turns down.
  case dimLevel
  /// The law between fader positions and decibels.
  case taper
  /// The time constant of the default smoothing.
  case glide
  /// The configuration, read again.
  case reload

  /// Whether it acts when sent without arguments, and therefore never through a pattern.
  public var isTrigger: Bool {
    switch self {
    case .clear, .identity, .clearSolo, .panic, .resume, .reload: true
    default: false
    }
  }

  /// The face of a level that it is, if it is one.
  package var face: Face? {
    switch self {
    case .crosspoint, .gain: .gain
    case .decibels: .decibels
    case .fader: .fader
    default: nil
    }
  }
}
