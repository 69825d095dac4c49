import MIDI

/// A port of the sequencer, as the system lists it.
public struct SequencerPort: Equatable, Sendable {
  /// Where it is now.
  public var address: SequencerAddress
  /// The name of its client as the system gives it, perhaps with spaces at its end.
  public var clientName: String
  /// Its own name, perhaps with spaces at its end, and often cut off at 31 characters.
  public var name: String
  /// The number of the sound card that it is a part of; nothing for what programs offer.
  public var card: Int?
  /// Whether it belongs to the kernel, as those of devices do, and not to a program.
  public var isOfKernel: Bool
  /// Whether others may listen to it.
  public var isReadable: Bool
  /// Whether others may send to it.
  public var isWritable: Bool

  /// Describes a port.
  public init(
    address: SequencerAddress, clientName: String, name: String, card: Int? = nil,
    isOfKernel: Bool = true, isReadable: Bool = true, isWritable: Bool = true
  ) {
    self.address = address
    self.clientName = clientName
    self.name = name
    self.card = card
    self.isOfKernel = isOfKernel
    self.isReadable = isReadable
    self.isWritable = isWritable
  }

  /// Its names, without the client's number.
  public var portName: MIDIPortName {
    MIDIPortName(client: clientName, port: Int(address.port), portName: name)
  }
}
