/// What of a device a line of a mapping listens to.
public enum MappingSource: Hashable, Sendable {
  /// `cc N`: a controller of 7 bits.
  case controller(UInt8)
  /// `cc14 MSB/LSB`: two controllers that make one of 14 bits.
  case pairedController(high: UInt8, low: UInt8)
  /// `nrpn N`: a non-registered parameter, 0...16383.
  case nonRegistered(UInt16)
  /// `rpn N`: a registered parameter, 0...16383.
  case registered(UInt16)
  /// `note N`: a key or pad.
  case note(UInt8)
  /// `bend`: the pitch wheel, 14 bits.
  case bend
  /// `pressure`: the pressure of the channel.
  case pressure
  /// `program N`: the choice of a program.
  case program(UInt8)

  /// The highest position that it has when it is not calibrated: 127 or 16383.
  public var highest: Int {
    switch self {
    case .controller, .note, .pressure, .program: 127
    case .pairedController, .nonRegistered, .registered, .bend: 16_383
    }
  }
}
