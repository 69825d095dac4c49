import Messages
import TextLines

/// One control of a device and what it moves, `<a-b>` stepped through already.
public struct MappingLine: Equatable, Sendable {
  /// An address that a line moves; `{a,b}`, `[a-b]` and `*` in it are patterns.
  public struct Address: Equatable, Sendable {
    /// The address.
    public var text: String
    /// Where it stands.
    public var position: TextPosition

    /// Makes an address.
    public init(text: String, position: TextPosition) {
      self.text = text
      self.position = position
    }
  }

  /// The name of the text, for errors.
  public var file: String
  /// Where the line's source stands.
  public var position: TextPosition
  /// The channel, 1...16; nothing means any.
  public var channel: UInt8?
  /// What it listens to.
  public var source: MappingSource
  /// What it moves, at least one.
  public var addresses: [Address]
  /// How it moves it.
  public var options: MappingOptions

  /// Makes a line.
  public init(
    file: String, position: TextPosition, channel: UInt8?, source: MappingSource,
    addresses: [Address], options: MappingOptions
  ) {
    self.file = file
    self.position = position
    self.channel = channel
    self.source = source
    self.addresses = addresses
    self.options = options
  }

  /// Where it was written, to begin an error about it: `FILE:LINE:COLUMN`.
  public var origin: String { "\(file):\(position.line):\(position.column)" }
}
