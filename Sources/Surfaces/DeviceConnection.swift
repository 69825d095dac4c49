import ALSA

/// A port that a section of a mapping listens to.
package struct DeviceConnection: Equatable, Sendable {
  /// Where the port is.
  package var address: SequencerAddress
  /// The section, counted through all mappings.
  package var section: Int
  /// The name of the client, without spaces around it.
  package var clientName: String
  /// The name of the port, without spaces around it.
  package var portName: String

  /// Describes a connection.
  package init(address: SequencerAddress, section: Int, clientName: String, portName: String) {
    self.address = address
    self.section = section
    self.clientName = clientName
    self.portName = portName
  }
}

extension SequencerPort {
  /// The name of its client without the spaces around it, which nobody sees.
  var trimmedClientName: String { Self.trimmed(clientName) }

  /// Its own name without the spaces around it.
  var trimmedName: String { Self.trimmed(name) }

  /// A text without the spaces around it.
  static func trimmed(_ text: String) -> String {
    var rest = Substring(text)
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
