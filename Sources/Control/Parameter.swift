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
  /// Whether audio runs, waits for a card, or is silenced by a panic.
  case engineState
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
  /// What a group acts on.
  case members
  /// A channel linked with its right neighbour.
  case pair
  /// The place of a level between the two outputs of a pair.
  case pan
  /// Everything as it stands into a scene.
  case sceneStore
  /// Everything as a scene has it.
  case sceneRecall
  /// Another name for a scene.
  case sceneRename
  /// The end of a scene.
  case sceneDelete
  /// Which scenes there are.
  case sceneList
  /// The scene that was last recalled or stored.
  case sceneCurrent
  /// What no recall changes.
  case sceneSafe
  /// The name of a scene, and what it is.
  case sceneInfo
  /// The end of what a hand did last.
  case undo
  /// What was undone last, again.
  case redo
  /// A client says who it is.
  case hello
  /// A client wants to be told of changes.
  case subscribe
  /// A client wants to be told no more.
  case unsubscribe
  /// A client leaves.
  case bye
  /// A client wants to be told everything once.
  case sync
  /// A client wants to be told of changes for some seconds.
  case xremote
  /// How often a client is told.
  case clientRate
  /// On which addresses a client is told levels.
  case clientFace
  /// Whether a client is told its own changes.
  case clientEcho
  /// Who the clients are.
  case clientList
  /// The configuration, read again.
  case reload
  /// A burst of noise that says which loudspeaker an output is.
  case identify
  /// What a channel's meter reads before the channel's gain.
  case meterPre
  /// What a channel's meter reads behind the channel's gain.
  case meterPost
  /// What a crosspoint's meter reads.
  case meter
  /// A client wants to be told what meters read.
  case meterSubscribe
  /// A client wants to be told no more what meters read.
  case meterUnsubscribe
  /// How a client is told what meters read.
  case meterFormat
  /// How long a client's meters hold a peak.
  case meterHold
  /// The end of held peaks and of counts.
  case meterReset

  /// Whether it is a deed and no value, and therefore is never met by a pattern.
  public var isTrigger: Bool {
    switch self {
    case .clear, .identity, .clearSolo, .panic, .resume, .reload, .identify: true
    case .sceneStore, .sceneRecall, .sceneRename, .sceneDelete, .undo, .redo: true
    case .hello, .subscribe, .unsubscribe, .bye, .sync, .xremote: true
    case .meterSubscribe, .meterUnsubscribe, .meterReset: true
    default: false
    }
  }

  /// Whether it is about the client that sends it, and means nothing from anybody else.
  package var isAboutClient: Bool {
    switch self {
    case .hello, .subscribe, .unsubscribe, .bye, .sync, .xremote: true
    case .clientRate, .clientFace, .clientEcho, .clientList: true
    case .meterSubscribe, .meterUnsubscribe, .meterFormat, .meterHold, .meterReset: true
    default: false
    }
  }

  /// Whether clients are told of its changes when it allows `access`: of what can be set and asked,
  /// unless other parameters tell the same, and of what becomes of scenes and of the engine.
  func hasFeedback(_ access: Access) -> Bool {
    switch self {
    case .touch, .row, .column, .all, .clientRate, .clientFace, .clientEcho, .meterFormat,
      .meterHold:
      false
    case .sceneCurrent, .sceneInfo, .engineState: true
    default: access == .readWrite
    }
  }

  /// Whether it is what a meter reads, which only those know who have subscribed to it.
  var isMeter: Bool {
    switch self {
    case .meterPre, .meterPost, .meter: true
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
