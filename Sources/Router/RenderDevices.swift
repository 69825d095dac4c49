import Control
import Mapping
import Messages

/// The MIDI devices that an event file names, connected to the mappings that are for them.
package struct RenderDevices {
  private let ports: [String: [(port: MappedPort, source: Source)]]
  private var batch = MessageBatch()
  /// How many events met no line of a mapping.
  package private(set) var unheardEvents = 0
  /// What of the mappings this matrix does not have, in a sentence for each of them.
  package let notes: [String]

  /// Connects every client that a file names.
  package init(_ file: EventFile?, mappings: [Mapping], hub: ControlHub) {
    var ports: [String: [(port: MappedPort, source: Source)]] = [:]
    var absentLines: [(file: String, count: Int)] = mappings.map { ($0.file, 0) }
    for event in file?.events ?? [] {
      guard case .midi(let line) = event.action, ports[line.client] == nil else { continue }
      var connected: [(port: MappedPort, source: Source)] = []
      for (number, mapping) in mappings.enumerated() {
        var absent = 0
        for section in mapping.sections where section.device.matches(writtenClient: line.client) {
          let port = MappedPort(section, hub: hub)
          absent += port.absentLines
          connected.append((port, .device(ports.count)))
        }
        absentLines[number].count = max(absentLines[number].count, absent)
      }
      ports[line.client] = connected
    }
    self.ports = ports
    notes = absentLines.filter { $0.count > 0 }.map(Self.note)
  }

  /// Hands what a device has sent to the hub, one event after the other.
  package mutating func play(_ line: EventFile.MIDILine, atFrame frame: Int64, to hub: ControlHub) {
    for event in line.events {
      var isHeard = false
      for (port, source) in ports[line.client] ?? [] {
        batch.removeAll()
        if port.take(event, at: .frame(frame), into: &batch) { isHeard = true }
        if !batch.isEmpty { hub.perform(batch, at: .frame(frame), from: source) }
      }
      if !isHeard { unheardEvents += 1 }
    }
  }

  private static func note(file: String, lines: Int) -> String {
    lines == 1
      ? "1 line of \(file) is for channels that this matrix does not have."
      : "\(lines) lines of \(file) are for channels that this matrix does not have."
  }
}
