import MIDI

/// Which devices a selector means. Any thread.
extension DeviceSelector {
  /// Whether the glob matches the name of a client; spaces around it and letter case do not count.
  public func matches(client name: String) -> Bool {
    Glob(client).matches(name)
  }

  /// Whether a port is the one, or one of those, that is meant.
  ///
  /// `first` is whether it is the first port of its device that can be read.
  public func matches(port name: MIDIPortName, isFirst first: Bool) -> Bool {
    switch port {
    case .first: first
    case .number(let number): name.port == number
    case .name(let glob): Glob(glob).matches(name.portName)
    }
  }

  /// Whether events that are written in a text under the name of a client are meant.
  ///
  /// A text knows no second device of one name and no port but the first, which has the number 0
  /// and no name.
  public func matches(writtenClient name: String) -> Bool {
    guard nth ?? 1 == 1, matches(client: name) else { return false }
    return matches(port: MIDIPortName(client: name, port: 0), isFirst: true)
  }
}
