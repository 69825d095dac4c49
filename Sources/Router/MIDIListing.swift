import ALSA
import Mapping
import Surfaces
import TextLines

/// What `crosspoint devices` prints about MIDI.
package enum MIDIListing {
  /// The ports of this machine that can be listened to, with the mappings that fit them; or a
  /// sentence that there are none, or why.
  package static func text(folders: MappingFolders) -> String {
    let (mappings, mistakes) = read(folders)
    do throws(SequencerError) {
      let ports = try Sequencer(name: "Crosspoint devices").ports()
      return text(of: DeviceChoice.eligible(ports), mappings: mappings) + mistakes
    } catch {
      return "\(error.sentence)\n\(mistakes)"
    }
  }

  /// A line for each port, with the names of the mappings that fit it.
  package static func text(
    of ports: [SequencerPort], mappings: [(name: String, mapping: Mapping)]
  ) -> String {
    guard !ports.isEmpty else {
      return "No MIDI device was found; one that is plugged in later is found as well.\n"
    }
    let heads = ports.map { "MIDI \"\($0.clientName)\" port \($0.address.port) \"\($0.name)\"" }
    let width = heads.map(\.count).max() ?? 0
    return zip(ports, heads).map { port, head in
      let names = mappings.filter { fits($0.mapping, port, of: ports) }.map(\.name)
      let padding = String(repeating: " ", count: width + 2 - head.count)
      return "\(head)\(padding)"
        + (names.isEmpty ? "no mapping fits" : "--map \(names.joined(separator: " or "))") + "\n"
    }.joined()
  }

  private static func fits(
    _ mapping: Mapping, _ port: SequencerPort, of ports: [SequencerPort]
  ) -> Bool {
    let isFirst = !ports.contains {
      $0.address.client == port.address.client && $0.address.port < port.address.port
    }
    return mapping.sections.contains { section in
      section.device.matches(client: port.clientName)
        && section.device.matches(port: port.portName, isFirst: isFirst)
    }
  }

  /// Every mapping that can be named, and a line for each that has a mistake.
  private static func read(
    _ folders: MappingFolders
  ) -> (mappings: [(name: String, mapping: Mapping)], mistakes: String) {
    var mappings: [(name: String, mapping: Mapping)] = []
    var mistakes = ""
    for (name, path) in folders.known {
      do throws(OptionError) {
        let bytes = try CommandLineFiles.read(path)
        do throws(TextError) {
          mappings.append((name, try Mapping(bytes, file: path)))
        } catch {
          mistakes += "\(OptionError(error).description)\n"
        }
      } catch {
        mistakes += "\(error.description)\n"
      }
    }
    return (mappings, mistakes)
  }
}
