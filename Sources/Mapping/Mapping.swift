/// What a mapping file says: for each device, what its controls move.
///
/// A mapping knows no matrix: the same file serves every size, and lines for channels that a
/// matrix does not have are left out when it is used.
public struct Mapping: Equatable, Sendable {
  /// The lines for one device.
  public struct Section: Equatable, Sendable {
    /// Which device.
    public var device: DeviceSelector
    /// Its controls, in the order of the file.
    public var lines: [MappingLine]

    /// Whether another section does the same, wherever in their files both stand.
    public func doesSame(as other: Section) -> Bool {
      device == other.device && lines.count == other.lines.count
        && zip(lines, other.lines).allSatisfy { line, other in
          line.channel == other.channel && line.source == other.source
            && line.options == other.options
            && line.addresses.map(\.text) == other.addresses.map(\.text)
        }
    }

    /// Makes a section.
    public init(device: DeviceSelector, lines: [MappingLine]) {
      self.device = device
      self.lines = lines
    }
  }

  /// The name of the text.
  public let file: String
  /// The devices, in the order of the file, each with at least one line.
  public let sections: [Section]

  /// Makes a mapping.
  public init(file: String, sections: [Section]) {
    self.file = file
    self.sections = sections
  }
}
