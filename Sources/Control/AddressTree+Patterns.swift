import Messages

/// Which channels one part of a pattern meets, found once and used for many addresses.
///
/// A channel is met once, whether by its number, by its name or by both.
struct IndexMatches {
  private(set) var numbers: [Int] = []
  private var part: Range<Int>?

  mutating func forget() { part = nil }

  mutating func find(
    _ part: Range<Int>, in address: UnsafeBufferPointer<UInt8>, _ names: NameTable,
    useNames: Bool
  ) {
    guard self.part != part else { return }
    self.part = part
    numbers.removeAll(keepingCapacity: true)
    let pattern = UnsafeBufferPointer(rebasing: address[part])
    let namesMayMatch = useNames && names.count > 0
    for number in 0..<names.limit {
      if AddressPattern.matches(pattern: pattern, number: number)
        || (namesMayMatch && !names.word(number).isEmpty
          && AddressPattern.matches(pattern: pattern, text: names.word(number)))
      {
        numbers.append(number)
      }
    }
  }
}

extension AddressTree {
  /// Why a pattern is refused.
  package enum PatternFault: Error {
    /// It meets nothing.
    case meetsNothing
    /// It meets parameters of different kinds.
    case mixed
    /// It meets more than the limit.
    case tooMany
  }

  /// Appends every address that a pattern meets, in the order of the table, inputs before outputs.
  ///
  /// Triggers are never met. At most `limit` addresses. `useNames` says whether a channel may be
  /// met by its name.
  package func collect(
    _ pattern: UnsafeBufferPointer<UInt8>, limit: Int, useNames: Bool = true,
    into hits: inout [Target]
  ) throws(PatternFault) {
    let before = hits.count
    try collectAll(pattern, limit: limit, useNames: useNames, into: &hits)
    let parameter = hits[before].parameter
    for hit in hits[before...] where hit.parameter != parameter { throw .mixed }
  }

  /// Appends every address that a pattern meets, of whatever kind, in the order of `collect`.
  package func collectAll(
    _ pattern: UnsafeBufferPointer<UInt8>, limit: Int, useNames: Bool = true,
    into hits: inout [Target]
  ) throws(PatternFault) {
    forgetMatches(useNames: useNames)
    let before = hits.count
    try walk(pattern, from: 0, node: 0, Target(.ping, .mixer), limit: before + limit, &hits)
    guard hits.count > before else { throw .meetsNothing }
  }

  private func walk(
    _ pattern: UnsafeBufferPointer<UInt8>, from start: Int, node: Int, _ target: Target,
    limit: Int, _ hits: inout [Target]
  ) throws(PatternFault) {
    var target = target
    guard start < pattern.count else {
      guard let parameter = nodes[node].parameter, !parameter.isTrigger else { return }
      guard hits.count < limit else { throw .tooMany }
      target.parameter = parameter
      target.place = nodes[node].place
      hits.append(target)
      return
    }
    guard let part = part(of: pattern, at: start) else { return }
    var child = nodes[node].firstChild
    while child >= 0 {
      switch nodes[child].kind {
      case .word:
        if matches(pattern: UnsafeBufferPointer(rebasing: pattern[part]), node: child) {
          try walk(pattern, from: part.upperBound, node: child, target, limit: limit, &hits)
        }
      case .input, .output, .group, .scene:
        for number in numbers(part, of: pattern, kind: nodes[child].kind) {
          target.set(number, of: nodes[child].kind)
          try walk(pattern, from: part.upperBound, node: child, target, limit: limit, &hits)
        }
      }
      child = nodes[child].nextSibling
    }
  }

  /// Begins with another pattern; `useNames` says whether a channel may be met by its name.
  func forgetMatches(useNames: Bool) {
    inputMatches.forget()
    outputMatches.forget()
    groupMatches.forget()
    matchesNames = useNames
  }

  /// Which of a kind that has numbers one part of a pattern meets.
  ///
  /// There are a thousand numbers of scenes and perhaps three scenes, so none is met by a pattern:
  /// `/scene/list` says which there are.
  func numbers(
    _ part: Range<Int>, of pattern: UnsafeBufferPointer<UInt8>, kind: Kind
  ) -> [Int] {
    switch kind {
    case .input:
      inputMatches.find(part, in: pattern, names.inputs, useNames: matchesNames)
      return inputMatches.numbers
    case .output:
      outputMatches.find(part, in: pattern, names.outputs, useNames: matchesNames)
      return outputMatches.numbers
    case .group:
      groupMatches.find(part, in: pattern, names.groups, useNames: matchesNames)
      return groupMatches.numbers
    case .scene, .word:
      return []
    }
  }

  /// How many there are of a kind that patterns meet.
  func count(of kind: Kind) -> Int {
    switch kind {
    case .input: shape.inputs
    case .output: shape.outputs
    case .group: MixState.groupCount
    case .scene, .word: 0
    }
  }
}

extension Target {
  /// Says which of a kind is meant.
  mutating func set(_ number: Int, of kind: AddressTree.Kind) {
    if kind == .output { output = number } else { input = number }
  }
}
