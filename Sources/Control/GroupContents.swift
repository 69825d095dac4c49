/// Groups and pairs as they are saved: a plain value, whatever the matrix that it came from.
public struct GroupContents: Equatable, Sendable {
  /// A group that is not as it starts.
  public struct Group: Equatable, Sendable {
    /// Its number, 0...63.
    public var number: Int
    /// Its level, or where that is on its way to, as linear gain, 0...`Level.maximum`.
    public var level: Double
    /// Whether it is muted.
    public var isMuted: Bool
    /// Its name.
    public var name: String
    /// The addresses and patterns of its members, with numbers and not names.
    public var members: [String]

    /// Makes a group; what is left out is as it starts.
    public init(
      number: Int, level: Double = 1, isMuted: Bool = false, name: String = "",
      members: [String] = []
    ) {
      self.number = number
      self.level = level
      self.isMuted = isMuted
      self.name = name
      self.members = members
    }
  }

  /// The pan of a level to a pair of outputs that is off, where its gains cannot tell it.
  public struct Pan: Equatable, Sendable {
    /// The input.
    public var input: Int
    /// The left output of the pair.
    public var output: Int
    /// The pan, -1...1.
    public var pan: Double

    /// Makes a pan.
    public init(input: Int, output: Int, pan: Double) {
      self.input = input
      self.output = output
      self.pan = pan
    }
  }

  /// The groups that are not as they start, by number.
  public var groups: [Group]
  /// The left inputs of pairs, ascending.
  public var inputPairs: [Int]
  /// The left outputs of pairs, ascending.
  public var outputPairs: [Int]
  /// Pans that cannot be told from gains, by input and output.
  public var pans: [Pan]

  /// Makes contents; without any they are those of the start.
  public init(
    groups: [Group] = [], inputPairs: [Int] = [], outputPairs: [Int] = [], pans: [Pan] = []
  ) {
    self.groups = groups
    self.inputPairs = inputPairs
    self.outputPairs = outputPairs
    self.pans = pans
  }
}
