/// Where on its way through the mixer a signal is metered.
///
/// The set of Apple's AUMatrixMixer: before and after the volume of each input and output.
/// Crosspoints, which are metered after their volume, are watched one by one.
public enum MeterPoint: CaseIterable, Sendable {
  /// An input as it comes in.
  case inputPre
  /// An input after its own gain; what a crosspoint gets.
  case inputPost
  /// The sum of an output, before its own gain and the master.
  case outputPre
  /// An output as it goes out, after every gain.
  case outputPost

  /// The most crosspoints that are metered at once.
  public static var maximumCrosspoints: Int { @_noLocks @_noAllocation get { 64 } }

  /// The place among all points, from 0.
  public var index: Int {
    @_noLocks @_noAllocation get {
      switch self {
      case .inputPre: 0
      case .inputPost: 1
      case .outputPre: 2
      case .outputPost: 3
      }
    }
  }

  /// Whether the channels of this point are inputs; else they are outputs.
  public var isOfInputs: Bool {
    @_noLocks @_noAllocation get { index < 2 }
  }
}

/// A set of meter points.
public struct MeterPoints: OptionSet, Sendable, BitwiseCopyable {
  /// A bit for each point, by its index.
  public let rawValue: UInt8

  /// Makes a set of bits.
  @_noLocks @_noAllocation
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Makes a set of one point.
  @_noLocks @_noAllocation
  public init(_ point: MeterPoint) {
    rawValue = 1 << UInt8(truncatingIfNeeded: point.index)
  }

  /// Inputs as they come in.
  public static let inputPre = MeterPoints(.inputPre)
  /// Inputs after their gain.
  public static let inputPost = MeterPoints(.inputPost)
  /// Outputs before their gain.
  public static let outputPre = MeterPoints(.outputPre)
  /// Outputs as they go out.
  public static let outputPost = MeterPoints(.outputPost)

  /// Whether a point is in the set.
  @_noLocks @_noAllocation
  public func has(_ point: MeterPoint) -> Bool {
    rawValue & (1 << UInt8(truncatingIfNeeded: point.index)) != 0
  }
}
