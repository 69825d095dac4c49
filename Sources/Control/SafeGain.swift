/// What of a gain no recall changes, apart from how large a matrix is.
public struct SafeGain: Equatable, Sendable {
  /// The input, from 0, of a crosspoint or an input; else nothing.
  public var input: Int?
  /// The output, from 0, of a crosspoint or an output; else nothing.
  ///
  /// The master has neither.
  public var output: Int?
  /// The group, from 0, if it is one.
  public var group: Int?
  /// What is left alone: 128 the level, 1 mute, 2 phase, 8 solosafe, or a sum of them.
  public var parts: UInt8

  /// Says what of a gain is left alone.
  public init(input: Int? = nil, output: Int? = nil, group: Int? = nil, parts: UInt8) {
    self.input = input
    self.output = output
    self.group = group
    self.parts = parts & StoredParts.all.rawValue
  }
}
