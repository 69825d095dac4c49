import CLibLO

/// Why a datagram was refused as a whole.
public struct PacketFault: Error, Equatable, Sendable {
  /// The reason as a clause, such as `an argument is cut off or of an unknown type`.
  public let reason: String
  /// The address in the datagram, when it has one that can be read.
  public internal(set) var path: String?

  init(_ reason: String) {
    self.reason = reason
  }

  /// Names an error of liblo.
  init(libraryError number: Int32) {
    switch number {
    case LO_ENOTYPE, LO_EBADTYPE:
      self.init("it has no type tags")
    case LO_EINVALIDPATH: self.init("an address is not terminated or padded")
    case LO_EINVALIDTYPE: self.init("the type tags are not terminated or padded")
    case LO_EINVALIDARG:
      self.init("an argument is cut off or of an unknown type")
    case LO_EINVALIDBUND: self.init("it is not a bundle")
    case LO_ESIZE: self.init("its size does not fit its contents")
    case LO_ETERM: self.init("a text in it is not terminated")
    case LO_EPAD: self.init("a text in it is not padded with zeros")
    default: self.init("it cannot be read as OSC")
    }
  }
}
