import Messages
import TextLines

/// What a monitor knows of a router: all that it has been told.
package struct MonitorModel {
  /// A channel, as far as it has been told.
  struct Channel {
    var name = ""
    var gain: Float = 1
    var isMuted = false
    /// Peak, average and held peak in dB, before and behind its gain.
    var pre = Levels()
    var post = Levels()
    /// How many samples were clipped.
    var clips: Int32 = 0
    /// The highest peak since the last line of levels: of inputs before their gain, of outputs behind.
    var lineDB: Float = -120
  }

  /// What one meter reads, in dB.
  struct Levels {
    var peak: Float = -120
    var average: Float = -120
    var held: Float = -120
  }

  /// Somebody that the router lists.
  struct Client {
    var name: String
    var place: String
    var hz: Int
    var patterns: Int
    var silenceSeconds: Int
  }

  /// The most changes that are remembered.
  private static let mostEvents = 64
  /// The most channels a side, so that nobody makes us take more memory than a router has.
  private static let mostChannels: Int32 = 512

  /// The router in a line, once it has said what it is.
  private(set) var title = ""
  private(set) var inputs: [Channel] = []
  private(set) var outputs: [Channel] = []
  private(set) var masterGain: Float = 1
  private(set) var isMasterMuted = false
  private(set) var clients: [Client] = []
  /// The last changes, the latest at the end.
  private(set) var events: [String] = []
  /// Whether meters have been told since the last line of levels.
  private(set) var hasLevels = false
  private var known: [String: [Argument]] = [:]
  private var dumps = 0
  private var lastAddress = ""

  /// Knows nothing.
  package init() {}

  /// Takes a message; gives a line when it says something new that is no meter.
  package mutating func take(_ address: String, _ arguments: [Argument]) -> String? {
    switch address {
    case "/welcome": return welcome(arguments)
    case "/client/list": listClients(arguments)
    case "/pong", "/error": break
    case "/sync/begin": dumps += 1
    case "/sync/end": dumps = max(0, dumps - 1)
    default:
      let parts = address.split(separator: "/")
      if parts.count == 5, parts[3] == "meter" {
        meter(parts, arguments)
        return nil
      }
      return change(address, parts, arguments)
    }
    return nil
  }

  private mutating func welcome(_ arguments: [Argument]) -> String? {
    guard arguments.count >= 5, case .string(let name) = arguments[0],
      case .string(let version) = arguments[1], case .int32(let inputs) = arguments[2],
      case .int32(let outputs) = arguments[3], case .int32(let rate) = arguments[4],
      (1...Self.mostChannels).contains(inputs), (1...Self.mostChannels).contains(outputs)
    else { return nil }
    let title = TerminalText.clean("\(name) \(version): \(inputs) x \(outputs), \(rate) Hz")
    guard title != self.title else { return nil }
    self.title = title
    self.inputs = Array(repeating: Channel(), count: Int(inputs))
    self.outputs = Array(repeating: Channel(), count: Int(outputs))
    known = [:]
    return title
  }

  private mutating func listClients(_ arguments: [Argument]) {
    clients = []
    var rest = arguments.dropFirst()
    while rest.count >= 6 {
      let values = Array(rest.prefix(6))
      rest = rest.dropFirst(6)
      guard case .string(let name) = values[0], case .string(let place) = values[1],
        case .int32(let hz) = values[2], case .int32(let patterns) = values[4],
        case .int32(let silence) = values[5]
      else { return }
      clients.append(
        Client(
          name: TerminalText.clean(name), place: TerminalText.clean(place), hz: Int(hz),
          patterns: Int(patterns),
          silenceSeconds: Int(silence)))
    }
  }

  private mutating func meter(_ parts: [Substring], _ arguments: [Argument]) {
    guard arguments.count >= 4, let number = Int(parts[2]), case .float(let peak) = arguments[0],
      case .float(let average) = arguments[1], case .float(let held) = arguments[2],
      case .int32(let clips) = arguments[3]
    else { return }
    // A level that is no number, from whoever sent it, is as bad as a level can be.
    func bounded(_ level: Float) -> Float { level.isNaN ? 120 : min(max(level, -120), 120) }
    let levels = Levels(peak: bounded(peak), average: bounded(average), held: bounded(held))
    let isPre = parts[4] == "pre"
    switch parts[1] {
    case "in" where inputs.indices.contains(number):
      if isPre { inputs[number].pre = levels } else { inputs[number].post = levels }
      inputs[number].clips = clips
      if isPre { inputs[number].lineDB = max(inputs[number].lineDB, levels.peak) }
    case "out" where outputs.indices.contains(number):
      if isPre { outputs[number].pre = levels } else { outputs[number].post = levels }
      outputs[number].clips = clips
      if !isPre { outputs[number].lineDB = max(outputs[number].lineDB, levels.peak) }
    default: return
    }
    hasLevels = true
  }

  private mutating func change(
    _ address: String, _ parts: [Substring], _ arguments: [Argument]
  ) -> String? {
    keep(parts, arguments)
    let before = known.updateValue(arguments, forKey: address)
    // A dump tells what has been so all the time; only what differs from what we knew is a change.
    guard before != arguments, dumps == 0 || before != nil else { return nil }
    let line = TerminalText.clean(TextMessage.text(address: address, arguments: arguments))
    // A hand on a fader is one line that moves.
    if address == lastAddress, !events.isEmpty { events.removeLast() }
    lastAddress = address
    events.append(line)
    if events.count > Self.mostEvents { events.removeFirst() }
    return line
  }

  private mutating func keep(_ parts: [Substring], _ arguments: [Argument]) {
    guard let value = arguments.first else { return }
    if parts.count == 3, parts[1] == "master" {
      if parts[2] == "gain", let gain = value.number { masterGain = Float(gain) }
      if parts[2] == "mute", let mute = value.number { isMasterMuted = mute >= 0.5 }
      return
    }
    guard parts.count == 4, parts[0] == "matrix", let number = Int(parts[2]) else { return }
    switch parts[1] {
    case "in" where inputs.indices.contains(number): Self.set(parts[3], value, &inputs[number])
    case "out" where outputs.indices.contains(number): Self.set(parts[3], value, &outputs[number])
    default: break
    }
  }

  private static func set(_ word: Substring, _ value: Argument, _ channel: inout Channel) {
    switch (word, value) {
    case ("gain", .float(let gain)): channel.gain = gain
    case ("mute", .int32(let mute)): channel.isMuted = mute != 0
    case ("name", .string(let name)): channel.name = TerminalText.clean(name)
    default: break
    }
  }

  /// The peaks since the last such line, in whole dB; `-` for silence.
  package mutating func levelsLine() -> String? {
    guard hasLevels else { return nil }
    hasLevels = false
    func text(_ level: Float) -> String { level <= -120 ? "-" : String(Int(level.rounded())) }
    let line =
      "in " + inputs.map { text($0.lineDB) }.joined(separator: " ") + " | out "
      + outputs.map { text($0.lineDB) }.joined(separator: " ") + " dBFS"
    for number in inputs.indices { inputs[number].lineDB = -120 }
    for number in outputs.indices { outputs[number].lineDB = -120 }
    return line
  }
}
