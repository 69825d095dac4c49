/// A port of a MIDI device, by the names that it is known by and without any number of the system.
public struct MIDIPortName: Hashable, Sendable {
  /// The name of the device: of ALSA's sequencer client, which for USB is the product's name.
  public var client: String
  /// The number of the port within the device, from 0.
  public var port: Int
  /// The name of the port.
  public var portName: String

  /// Names a port.
  public init(client: String, port: Int = 0, portName: String = "") {
    self.client = client
    self.port = port
    self.portName = portName
  }
}
