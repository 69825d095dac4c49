import Control
import Messages

/// Turns the lines of a section into what a connected port works with.
struct LineCompiler {
  private let hub: ControlHub
  private(set) var listeners: [(source: MappingSource, channel: UInt8?)] = []
  private(set) var controls: [MappedControl] = []
  private(set) var addresses: [MappedControl.Address] = []
  private(set) var bytes: [UInt8] = []
  private(set) var arguments: [Argument] = []
  private(set) var heldCount = 0
  private(set) var pickupCount = 0
  private(set) var absentLines = 0

  init(hub: ControlHub) {
    self.hub = hub
  }

  /// Adds a line; one that is asleep, or has nothing to move in this matrix, leaves nothing.
  mutating func add(_ line: MappingLine) {
    guard !isAsleep(line) else { return }
    var control = MappedControl(
      addresses: addresses.count..<addresses.count, hearsAnyChannel: line.channel == nil,
      highest: max(1, min(line.options.maximum ?? line.source.highest, line.source.highest)),
      firstHeld: heldCount)
    var sent = 0..<0
    if let arguments = line.options.arguments {
      sent = self.arguments.count..<self.arguments.count + arguments.count
      self.arguments += arguments
    }
    var isAbsent = false
    for address in line.addresses {
      var text = address.text
      let targets = text.withUTF8 { hub.targets(of: $0) }
      guard let first = targets.first else {
        isAbsent = true
        continue
      }
      guard let action = action(line, first, sent: sent) else { continue }
      add(address.text, of: targets, action, line, channels: control.channels)
    }
    if isAbsent { absentLines += 1 }
    control.addresses = control.addresses.lowerBound..<addresses.count
    guard !control.addresses.isEmpty else { return }
    heldCount += control.channels
    controls.append(control)
    listeners.append((line.source, line.channel))
  }

  private func isAsleep(_ line: MappingLine) -> Bool {
    switch line.source {
    case .pairedController, .nonRegistered, .registered: true
    case .controller, .note, .bend, .pressure, .program: line.options.relative != nil
    }
  }

  private mutating func add(
    _ text: String, of targets: [Target], _ action: MappedControl.Action, _ line: MappingLine,
    channels: Int
  ) {
    var address = MappedControl.Address(
      bytes: bytes.count..<bytes.count, target: targets[0], action: action, firstPickup: nil)
    if case .level = action {
      bytes += gainAddress(text, of: targets).utf8
      if [.pickup, .scale].contains(line.options.takeover) {
        address.firstPickup = pickupCount
        pickupCount += channels
      }
    } else {
      bytes += text.utf8
    }
    address.bytes = address.bytes.lowerBound..<bytes.count
    addresses.append(address)
  }

  /// The address of the same levels as linear gain.
  private func gainAddress(_ text: String, of targets: [Target]) -> String {
    guard targets[0].parameter != .crosspoint, let slash = text.lastIndex(of: "/") else {
      return text
    }
    // Wherever a level has one face, it has all, and the last part is the face's name.
    return text[...slash] + "gain"
  }

  /// What an address of a line does, or nothing where a position means nothing.
  private func action(
    _ line: MappingLine, _ target: Target, sent: Range<Int>
  ) -> MappedControl.Action? {
    let options = line.options
    guard options.arguments == nil else { return .send(arguments: sent) }
    switch target.parameter {
    case .crosspoint, .gain, .decibels, .fader:
      guard let face = target.parameter.face, hasPosition(line.source) else { return nil }
      return .level(
        LevelLaw(face: face, range: options.range, taper: options.taper, mixerTaper: hub.taper))
    case .mute, .solo, .soloSafe, .dim, .phase:
      return button(options.button ?? .toggle)
    case .touch:
      // A hand is there as long as it is there.
      return button(options.button ?? .gate)
    case .clear, .identity, .clearSolo, .panic, .resume, .stop, .ping:
      return .fire
    case .dimLevel:
      guard hasPosition(line.source) else { return nil }
      let range = ParameterTable.row(target.parameter, target.place).range ?? 0...1
      return .number(
        low: options.range?.low ?? range.lowerBound, high: options.range?.high ?? range.upperBound)
    case .nudge, .name, .now, .set, .row, .column, .all, .dimensions, .levels, .info, .status,
      .taper, .glide:
      return nil
    }
  }

  private func button(_ button: MappingOptions.Button) -> MappedControl.Action {
    switch button {
    case .gate: .gate
    case .toggle: .toggle
    case .push: .on
    }
  }

  /// Whether a source has a place between two ends: how hard a key is struck is none.
  private func hasPosition(_ source: MappingSource) -> Bool {
    switch source {
    case .note, .program: false
    case .controller, .pairedController, .nonRegistered, .registered, .bend, .pressure: true
    }
  }
}
