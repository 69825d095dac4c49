import Glibc

/// What a monitor shows in a terminal: as many lines as it has, none longer than it is wide.
package struct MonitorScreen {
  /// The lines of the terminal.
  package let height: Int
  /// The columns of the terminal.
  package let width: Int

  /// The size of the terminal behind standard output, or of an old one where it has none.
  init() {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_row > 0
    height = isKnown ? Int(size.ws_row) : 24
    width = isKnown ? max(1, Int(size.ws_col)) : 80
  }

  /// A size of one's own.
  package init(height: Int, width: Int) {
    self.height = height
    self.width = width
  }

  /// The lines of a model.
  package func lines(of model: MonitorModel) -> [String] {
    var lines = [head(of: model), ""]
    let clients = model.clients.suffix(max(1, height / 6))
    let events = model.events.suffix(max(2, height / 5))
    let room = max(1, height - lines.count - clients.count - events.count - 4)
    let channels = max(model.inputs.count, model.outputs.count)
    let shown = channels <= room ? channels : room - 1
    for number in 0..<max(0, shown) {
      lines.append(
        side(model.inputs, number, "in", isInput: true) + "  "
          + side(model.outputs, number, "out", isInput: false))
    }
    if shown < channels { lines.append("… and \(channels - shown) more; a higher window has room") }
    lines.append("")
    lines.append("Changes")
    lines += events.map { "  " + $0 }
    lines.append("Clients")
    lines += clients.map {
      "  \($0.name.isEmpty ? "-" : $0.name)  \($0.place)  \($0.hz) Hz, "
        + "\(CommandLineTool.counted($0.patterns, "pattern")), heard \($0.silenceSeconds) s ago"
    }
    return lines.prefix(height - 1).map { TerminalText.prefix($0, columns: width) }
  }

  private func head(of model: MonitorModel) -> String {
    guard !model.title.isEmpty else { return "Waiting for the router … (Ctrl-C ends)" }
    return "\(model.title)\(Self.state(model.engineState))"
      + "  master \(Self.decibels(ofGain: model.masterGain))"
      + (model.isMasterMuted ? " MUTE" : "") + "  (Ctrl-C ends)"
  }

  /// What the engine does, loud where there is no sound.
  private static func state(_ state: String) -> String {
    switch state {
    case "": ""
    case "panic": "  PANIC: silent until /engine/resume"
    case "waiting": "  WAITING for the sound card"
    default: "  \(state)"
    }
  }

  /// One channel: its number and name, its level, what its meter reads, and how often it clipped.
  private func side(
    _ channels: [MonitorModel.Channel], _ number: Int, _ word: String, isInput: Bool
  ) -> String {
    let half = (width - 2) / 2
    guard channels.indices.contains(number) else { return String(repeating: " ", count: half) }
    let channel = channels[number]
    let levels = isInput ? channel.pre : channel.post
    let label = Self.padded("\(word) \(number) \(channel.name)", 12)
    let gain = channel.isMuted ? "  mute" : Self.right(Self.decibels(ofGain: channel.gain), 6)
    let peak = Self.right(levels.peak <= -120 ? "-" : Self.tenths(levels.peak), 6)
    let clip = channel.clips > 0 ? "!" : " "
    let bar = Self.bar(levels, max(4, half - 12 - 6 - 6 - 1 - 4))
    return Self.padded("\(label) \(gain) \(bar) \(peak)\(clip)", half)
  }

  /// The average as `=`, the peak as `-`, the held peak as `|`, from -60 to 0 dBFS.
  private static func bar(_ levels: MonitorModel.Levels, _ width: Int) -> String {
    func place(_ level: Float) -> Int {
      Int((min(max(level + 60, 0), 60) / 60 * Float(width)).rounded())
    }
    let average = place(levels.average)
    let peak = place(levels.peak)
    let held = place(levels.held)
    var text = ""
    for column in 1...width {
      text += column == held ? "|" : column <= average ? "=" : column <= peak ? "-" : " "
    }
    return text
  }

  private static func decibels(ofGain gain: Float) -> String {
    gain > 0 ? tenths(20 * log10f(gain)) : "off"
  }

  private static func tenths(_ number: Float) -> String {
    guard number.isFinite else { return "-" }
    let tenths = Int((min(max(abs(number), 0), 999) * 10).rounded())
    return (number < 0 && tenths > 0 ? "-" : "") + "\(tenths / 10).\(tenths % 10)"
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    TerminalText.padded(text, columns: width)
  }
}
