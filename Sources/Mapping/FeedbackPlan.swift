import Control

/// What each lamp, ring and motor of a port shows, worked out beforehand for the hub's matrix.
struct FeedbackPlan: Sendable {
  /// How something becomes a value that is sent.
  enum Law: Equatable, Sendable {
    /// A level as a position, 0...`highest`.
    case level(LevelLaw, highest: Int)
    /// A level as lights of a ring, 0...`highest`, with the bits that say how.
    case ring(LevelLaw, highest: Int, style: Int)
    /// A number as a position, 0...`highest`.
    case number(NumberLaw, highest: Int)
    /// A switch as one of two values; of a mute that is off, a third while something else silences
    /// what it is at.
    case toggle(off: Int, on: Int, blink: Int? = nil)
  }

  /// One thing of the device that shows one thing of the mixer.
  struct Indicator: Sendable {
    /// What is shown; of a pattern or of several addresses, the first that this matrix has.
    var target: Target
    /// How.
    var law: Law
    /// What is sent.
    var destination: MappingSource
    /// On which channel, 1...16; nothing means where the control was heard.
    var channel: UInt8?
    /// The control whose line it is, or -1 where that only shows.
    var control: Int
    /// Whether what is sent moves the control itself, so that its hand says what it shows.
    var isOwn: Bool
  }

  /// The indicators, those of a line one after the other.
  private(set) var indicators: [Indicator] = []
  /// What the indicators show, as numbers in rising order, and whose it is.
  private var keys: [UInt64] = []
  private var owners: [Int32] = []
  private var ranges: [Range<Int>] = []
  private var ofControl: [Int: Range<Int>] = [:]
  /// The indicators that show more than the one thing that is theirs.
  private var blinking: [Int] = []

  /// Adds what a line shows; `control` is its number among the controls that can be moved.
  mutating func add(_ line: MappingLine, control: Int?, hub: ControlHub) {
    guard line.shows, let target = Self.target(of: line, hub: hub) else { return }
    let start = indicators.count
    for feedback in line.options.feedback {
      let destination: MappingSource
      switch feedback.destination {
      case .none: continue
      case .same: destination = line.source
      case .source(let source): destination = source
      }
      guard let law = Self.law(line, feedback, destination, target, hub) else { continue }
      let isSame =
        destination == line.source
        && (feedback.channel == nil || feedback.channel == line.channel)
      if case .toggle(_, _, .some) = law { blinking.append(indicators.count) }
      indicators.append(
        Indicator(
          target: target, law: law, destination: destination,
          channel: feedback.channel ?? line.channel, control: control ?? -1,
          isOwn: isSame && line.options.relative == nil))
    }
    if let control { ofControl[control] = start..<indicators.count }
  }

  /// Makes it ready to be asked, once all lines are there.
  mutating func finish(controls: Int) {
    ranges = (0..<controls).map { ofControl[$0] ?? 0..<0 }
    let sorted = indicators.indices.map { (Self.key(indicators[$0].target), Int32($0)) }
      .sorted { $0 < $1 }
    keys = sorted.map(\.0)
    owners = sorted.map(\.1)
  }

  /// How many controls there are.
  var controlCount: Int { ranges.count }

  /// The indicators of a control's line.
  func indicators(of control: Int) -> Range<Int> { ranges[control] }

  /// Does something with the number of each indicator that shows a target, of a level on any face.
  @inline(__always)
  func eachIndicator(of target: Target, _ body: (Int) -> Void) {
    guard !keys.isEmpty else { return }
    if !blinking.isEmpty, target.silencesOthers { blinking.forEach(body) }
    let key = Self.key(target)
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    while low < keys.count, keys[low] == key {
      body(Int(owners[low]))
      low += 1
    }
  }

  /// A number for what a target is, whatever the face of a level.
  private static func key(_ target: Target) -> UInt64 {
    let parameter = target.parameter.face == nil ? target.parameter : .gain
    return UInt64(parameter.rawValue) << 48 | UInt64(target.place.rawValue) << 40
      | UInt64(target.input) << 20 | UInt64(target.output)
  }

  private static func target(of line: MappingLine, hub: ControlHub) -> Target? {
    for address in line.addresses {
      var text = address.text
      if let first = text.withUTF8({ hub.targets(of: $0) }).first { return first }
    }
    return nil
  }

  private static func law(
    _ line: MappingLine, _ feedback: MappingOptions.Feedback, _ destination: MappingSource,
    _ target: Target, _ hub: ControlHub
  ) -> Law? {
    let options = line.options
    // A control that was calibrated ends there for what it is sent, too.
    let highest =
      destination == line.source
      ? max(1, min(options.maximum ?? destination.highest, destination.highest))
      : destination.highest
    let row = ParameterTable.row(target.parameter, target.place)
    switch AddressKind(row) {
    case .level(let face):
      guard destination.showsPositions else { return nil }
      let law = LevelLaw(
        face: face, range: options.range, taper: options.taper, mixerTaper: hub.taper)
      guard let ring = feedback.ring else { return .level(law, highest: highest) }
      guard case .controller = destination else { return nil }
      return .ring(law, highest: ring.lights, style: ring.style)
    case .setting:
      guard destination.showsPositions, [.pan, .dimLevel].contains(target.parameter) else {
        return nil
      }
      return .number(NumberLaw(row, options.range), highest: highest)
    case .toggle:
      guard let values = feedback.values else {
        return .toggle(off: 0, on: destination.highest)
      }
      let blinks = values.count > 2 && target.parameter == .mute && target.place != .group
      return .toggle(off: values[0], on: values[1], blink: blinks ? values[2] : nil)
    case .touch, .nudge, .trigger, .text, .list, nil:
      return nil
    }
  }
}

extension MappingLine {
  /// Whether it says that something is shown: what a press sends has no state of its own.
  var shows: Bool { !options.feedback.isEmpty && options.arguments == nil }
}

extension Target {
  /// Whether a change of it can silence something else, or let it be heard again.
  fileprivate var silencesOthers: Bool {
    place == .group || parameter == .solo || parameter == .soloSafe
  }
}

extension MappingSource {
  /// Whether it can be sent a position.
  var showsPositions: Bool {
    if case .program = self { return false }
    return true
  }
}

// The rings of Mackie Control and of what speaks as it does: the lower four bits are the number of
// lights, the two above them the style. Source: NicoG60/TouchMCU, doc/mackie_control_protocol.md.
extension MappingOptions.Ring {
  /// The bits that say how the lights are counted.
  var style: Int {
    switch self {
    case .single: 0x00
    case .pan, .trim: 0x10
    case .fan: 0x20
    case .spread: 0x30
    }
  }

  /// How many lights, or pairs of them, it has.
  var lights: Int { self == .spread ? 6 : 11 }
}
