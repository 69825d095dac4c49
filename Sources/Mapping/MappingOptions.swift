import Control
import Messages

/// What may follow the addresses of a mapping line.
public struct MappingOptions: Equatable, Sendable {
  /// What happens when hand and level stand at different places.
  public enum Takeover: String, CaseIterable, Sendable {
    /// The level jumps to the hand.
    case jump
    /// Nothing moves until the hand has come to where the level is.
    case pickup
    /// The level moves with the hand, scaled so that both reach the ends together.
    case scale
  }

  /// How a button acts.
  public enum Button: String, CaseIterable, Sendable {
    /// On while it is held.
    case gate
    /// Each press turns over what was.
    case toggle
    /// A press acts, letting go does nothing.
    case push
  }

  /// How an endless encoder tells its steps.
  public enum Relative: String, CaseIterable, Sendable {
    /// Two's complement: 1 is one up, 127 one down.
    case twos
    /// Around 64: 65 is one up, 63 one down.
    case offset64
    /// Sign and magnitude: 1 is one up, 65 one down.
    case signmag
    /// Sign and magnitude turned over: 65 is one up, 1 one down.
    case signmagInverted = "signmag-inv"
  }

  /// How a ring of lights around an encoder shows a level.
  public enum Ring: String, CaseIterable, Sendable {
    /// One light, as a pointer.
    case single
    /// From the middle to the level.
    case pan
    /// From the left end to the level.
    case fan
    /// From the middle to both sides.
    case spread
    /// From the middle, for what is hardly ever moved.
    case trim
  }

  /// `feedback`: where a change is shown on the device.
  public struct Feedback: Equatable, Sendable {
    /// What is sent.
    public enum Destination: Equatable, Sendable {
      /// The line's own source.
      case same
      /// Another source.
      case source(MappingSource)
      /// Nothing.
      case none
    }

    /// What is sent.
    public var destination: Destination
    /// `ch N`: the channel that it is sent on, 1...16; nothing means the line's.
    public var channel: UInt8?
    /// `values OFF ON [BLINK]`: what is sent for a switch.
    public var values: [Int]?
    /// `ring MODE`: the style of a ring of lights.
    public var ring: Ring?

    /// Makes a destination.
    public init(
      _ destination: Destination, channel: UInt8? = nil, values: [Int]? = nil, ring: Ring? = nil
    ) {
      self.destination = destination
      self.channel = channel
      self.values = values
      self.ring = ring
    }
  }

  /// `bank NAME COUNT`: which of several layers a line belongs to.
  public struct Bank: Equatable, Sendable {
    /// The name of the bank.
    public var name: String
    /// How many channels it shows at a time.
    public var count: Int

    /// Makes a bank.
    public init(name: String, count: Int) {
      self.name = name
      self.count = count
    }
  }

  /// `range LO HI`: the values at position 0 and at the highest; LO may be above HI.
  public var range: MappingRange?
  /// `taper NAME`: the law of the position, instead of the mixer's.
  public var taper: Taper?
  /// `max N`: the highest position that the device really sends.
  public var maximum: Int?
  /// `jump`, `pickup` or `scale`; nothing is jump.
  public var takeover: Takeover?
  /// `gate`, `toggle` or `push`; nothing is what fits the address.
  public var button: Button?
  /// `relative MODE`.
  public var relative: Relative?
  /// `step X`: what one step of an encoder changes.
  public var step: Double?
  /// `bank NAME COUNT`.
  public var bank: Bank?
  /// `feedback …`, as often as there are destinations.
  public var feedback: [Feedback] = []
  /// `set ARG…`: what a press sends.
  public var arguments: [Argument]?

  /// Makes options with nothing said.
  public init() {}
}

/// The values at both ends of a control.
public struct MappingRange: Equatable, Sendable {
  /// The value at position 0.
  public var low: Double
  /// The value at the highest position.
  public var high: Double

  /// Makes a range.
  public init(low: Double, high: Double) {
    self.low = low
    self.high = high
  }
}
