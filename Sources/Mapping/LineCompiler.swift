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
      // A name may be given to another channel while the line stays where it is.
      let isPattern = text.withUTF8 { AddressPattern.isPattern($0) }
      let used = isPattern ? text : ParameterTable.address(of: first)
      add(used, of: targets, action, line, channels: control.channels)
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
    let row = ParameterTable.row(target.parameter, target.place)
    switch AddressKind(row) {
    case .level(let face):
      guard hasPosition(line.source) else { return nil }
      return .level(
        LevelLaw(face: face, range: options.range, taper: options.taper, mixerTaper: hub.taper))
    case .setting:
      guard hasPosition(line.source) else { return nil }
      return .number(NumberLaw(row, options.range))
    case .toggle:
      return button(options.button ?? .toggle)
    case .touch:
      // A hand is there as long as it is there.
      return button(options.button ?? .gate)
    case .trigger:
      return .fire
    case .nudge, .text, .list, nil:
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

extension NumberLaw {
  /// The law of a line that moves a number of the table.
  init(_ row: ParameterRow, _ range: MappingRange?) {
    let whole = row.range ?? 0...1
    self.init(
      low: range?.low ?? whole.lowerBound, high: range?.high ?? whole.upperBound,
      restsInMiddle: row.parameter == .pan)
  }
}
