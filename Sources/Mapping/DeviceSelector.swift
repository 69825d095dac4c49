import MIDI

/// `device GLOB [port GLOB|N] [nth N]`: which ports of which devices some lines are for.
public struct DeviceSelector: Hashable, Sendable {
  /// Which port of a device is meant.
  public enum Port: Hashable, Sendable {
    /// The first that can be read.
    case first
    /// The one with this number, from 0.
    case number(Int)
    /// Those whose name this glob matches.
    case name(String)
  }

  /// A glob (`*`, `?`) on the name of the sequencer client; letter case does not count.
  public var client: String
  /// Which port of it.
  public var port: Port
  /// Which of several devices of one name, from 1; nothing where there is only one.
  public var nth: Int?

  /// Makes a selector.
  public init(client: String, port: Port = .first, nth: Int? = nil) {
    self.client = client
    self.port = port
    self.nth = nth
  }
}
