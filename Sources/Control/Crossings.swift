/// A node that a pattern meets, with the lists of the numbers on the way to it.
///
/// It stands for as many addresses as there are pairs of an input, a group or a scene and an output.
struct Crossing {
  var node: Int
  /// The list of inputs or groups; `Crossings.alone` where there is none on the way.
  var inputs = Crossings.alone
  /// The list of outputs; `Crossings.alone` where there is none on the way.
  var outputs = Crossings.alone

  /// Goes on over a node of a kind that has numbers.
  mutating func pass(_ kind: AddressTree.Kind, list: Int) {
    if kind == .output { outputs = list } else { inputs = list }
  }

  func hasSameNumbers(as other: Crossing) -> Bool {
    inputs == other.inputs && outputs == other.outputs
  }
}

/// What a pattern meets: nodes of the tree, and lists of numbers that many of them share.
///
/// So a pattern that meets everything costs no more than any other one until somebody goes through
/// all that it meets. Used again and again; the memory stays. Control thread only.
struct Crossings {
  /// The list that holds 0 alone, for what has no number.
  static let alone = 0
  /// The kinds that have numbers.
  private static let kinds = 4
  /// The lists of all numbers of a kind begin behind the first one, those of parts behind them.
  private static let firstOfParts = 1 + kinds

  private(set) var found: [Crossing] = []
  var lists: [[Int]]
  private var isListKnown: [Bool]

  init(inputs: Int, outputs: Int, groups: Int) {
    lists = [[0], Array(0..<inputs), Array(0..<outputs), Array(0..<groups), []]
    lists += [[Int]](repeating: [], count: PatternParts.most * Self.kinds)
    isListKnown = [Bool](repeating: false, count: lists.count)
  }

  /// How many addresses there are in all.
  var total: Int { found.reduce(0) { $0 + count(of: $1) } }

  /// For how many addresses a node stands.
  func count(of crossing: Crossing) -> Int {
    lists[crossing.inputs].count * lists[crossing.outputs].count
  }

  /// Forgets what another pattern has met.
  mutating func begin() {
    found.removeAll(keepingCapacity: true)
    for list in Self.firstOfParts..<isListKnown.count { isListKnown[list] = false }
  }

  mutating func add(_ crossing: Crossing) { found.append(crossing) }

  mutating func keep(_ isWanted: (Crossing) -> Bool) { found.removeAll { !isWanted($0) } }

  /// The list of all numbers of a kind.
  func list(ofAll kind: AddressTree.Kind) -> Int { 1 + place(kind) }

  /// The list of the numbers of a kind that a part of the pattern meets.
  func list(of kind: AddressTree.Kind, at depth: Int) -> Int {
    Self.firstOfParts + depth * Self.kinds + place(kind)
  }

  /// Empties a list, unless it is known for this pattern; says whether it was not.
  mutating func beginList(_ list: Int) -> Bool {
    guard !isListKnown[list] else { return false }
    isListKnown[list] = true
    lists[list].removeAll(keepingCapacity: true)
    return true
  }

  private func place(_ kind: AddressTree.Kind) -> Int {
    switch kind {
    case .input: 0
    case .output: 1
    case .group: 2
    case .scene, .word: 3
    }
  }
}

/// Where the parts of a pattern lie in its bytes.
struct PatternParts {
  /// More parts than any address has.
  static let most = 8

  // An inline array of ranges is lost here by the optimizer of Swift 6.3.
  private var starts = SIMD8<Int32>()
  private var ends = SIMD8<Int32>()
  private(set) var count = 0

  /// Cuts a pattern at its slashes; nothing when it does not begin with one or is longer than any
  /// address.
  init?(_ pattern: UnsafeBufferPointer<UInt8>) {
    var start = 0
    while start < pattern.count {
      guard pattern[start] == UInt8(ascii: "/"), count < Self.most else { return nil }
      var end = start + 1
      while end < pattern.count, pattern[end] != UInt8(ascii: "/") { end += 1 }
      starts[count] = Int32(start + 1)
      ends[count] = Int32(end)
      count += 1
      start = end
    }
  }

  subscript(depth: Int) -> Range<Int> { Int(starts[depth])..<Int(ends[depth]) }
}
