import MatrixCore

/// Which gains belong to which groups.
///
/// A gain knows its groups as a set of bits, so that what they do to it costs nothing where there
/// are none and a few multiplications where there are some. Control thread only.
final class GroupTable {
  /// The number of groups; they are all there from the start.
  static let count = 64
  /// The most addresses and patterns that a group's members are written with.
  static let mostWords = 512
  /// The most bytes of one of them.
  static let longestWordBytes = 100

  private let memberships: UnsafeMutablePointer<UInt64>
  private let gainCount: Int
  private var words = [[String]](repeating: [], count: GroupTable.count)
  private var members = [[GainID]](repeating: [], count: GroupTable.count)

  /// Makes groups without members.
  init(shape: MatrixShape) {
    gainCount = shape.gainCount
    memberships = .allocate(capacity: gainCount)
    memberships.initialize(repeating: 0, count: gainCount)
  }

  deinit {
    memberships.deallocate()
  }

  /// The groups of a gain: bit g is set for group g.
  @inline(__always)
  func groups(of gain: GainID) -> UInt64 {
    let place = Int(gain.index)
    precondition(place >= 0 && place < gainCount, "a gain of this matrix")
    return memberships[place]
  }

  /// The gains of a group.
  func members(of group: Int) -> [GainID] { members[group] }

  /// The addresses and patterns that a group's members were given as.
  func words(of group: Int) -> [String] { words[group] }

  /// Gives a group other members; gives the gains that have left it and those that have joined.
  func set(_ gains: [GainID], as words: [String], of group: Int) -> [GainID] {
    let bit: UInt64 = 1 << UInt64(group)
    let before = members[group]
    for gain in before { memberships[Int(gain.index)] &= ~bit }
    self.words[group] = words
    var now: [GainID] = []
    now.reserveCapacity(gains.count)
    for gain in gains where memberships[Int(gain.index)] & bit == 0 {
      memberships[Int(gain.index)] |= bit
      now.append(gain)
    }
    members[group] = now
    let stayed = Set(before).intersection(now)
    return (before + now).filter { !stayed.contains($0) }
  }
}
