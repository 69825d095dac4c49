import Messages

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
    try meet(pattern, limit: limit, useNames: useNames)
    let parameter = nodes[crossings.found[0].node].parameter
    for crossing in crossings.found where nodes[crossing.node].parameter != parameter {
      throw .mixed
    }
    append(to: &hits)
  }

  /// Appends every address that a pattern meets, of whatever kind, in the order of `collect`.
  package func collectAll(
    _ pattern: UnsafeBufferPointer<UInt8>, limit: Int, useNames: Bool = true,
    into hits: inout [Target]
  ) throws(PatternFault) {
    try meet(pattern, limit: limit, useNames: useNames)
    append(to: &hits)
  }

  /// Leaves in `crossings` what a pattern meets that has an address which patterns may meet.
  ///
  /// What it costs depends on the pattern and not on how much it meets.
  func meet(
    _ pattern: UnsafeBufferPointer<UInt8>, limit: Int, useNames: Bool
  ) throws(PatternFault) {
    find(pattern, useNames: useNames)
    crossings.keep { crossing in
      guard let parameter = nodes[crossing.node].parameter else { return false }
      return !parameter.isTrigger
    }
    guard !crossings.found.isEmpty else { throw .meetsNothing }
    guard crossings.total <= limit else { throw .tooMany }
  }

  /// Leaves in `crossings` every node that a pattern meets, whether it has an address or not.
  func find(_ pattern: UnsafeBufferPointer<UInt8>, useNames: Bool) {
    crossings.begin()
    guard let parts = PatternParts(pattern) else { return }
    walk(pattern, parts, depth: 0, Crossing(node: 0), useNames: useNames)
  }

  private func walk(
    _ pattern: UnsafeBufferPointer<UInt8>, _ parts: PatternParts, depth: Int,
    _ crossing: Crossing, useNames: Bool
  ) {
    guard depth < parts.count else { return crossings.add(crossing) }
    let part = UnsafeBufferPointer(rebasing: pattern[parts[depth]])
    var child = nodes[crossing.node].firstChild
    while child >= 0 {
      let kind = nodes[child].kind
      var next = crossing
      next.node = child
      if kind == .word {
        if matches(pattern: part, node: child) {
          walk(pattern, parts, depth: depth + 1, next, useNames: useNames)
        }
      } else {
        let list = numbers(part, at: depth, kind, useNames: useNames)
        if !crossings.lists[list].isEmpty {
          next.pass(kind, list: list)
          walk(pattern, parts, depth: depth + 1, next, useNames: useNames)
        }
      }
      child = nodes[child].nextSibling
    }
  }

  /// The list of the numbers of a kind that one part of a pattern meets.
  ///
  /// A channel is met once, whether by its number, by its name or by both. There are a thousand
  /// numbers of scenes and perhaps three scenes, so none is met by a pattern: `/scene/list` says
  /// which there are.
  private func numbers(
    _ pattern: UnsafeBufferPointer<UInt8>, at depth: Int, _ kind: Kind, useNames: Bool
  ) -> Int {
    let list = crossings.list(of: kind, at: depth)
    guard kind != .scene, crossings.beginList(list) else { return list }
    let table = names(of: kind)
    let namesMayMatch = useNames && table.count > 0
    for number in 0..<table.limit {
      if AddressPattern.matches(pattern: pattern, number: number)
        || (namesMayMatch && !table.word(number).isEmpty
          && AddressPattern.matches(pattern: pattern, text: table.word(number)))
      {
        crossings.lists[list].append(number)
      }
    }
    return list
  }

  private func names(of kind: Kind) -> NameTable {
    switch kind {
    case .input: names.inputs
    case .output: names.outputs
    case .group: names.groups
    case .scene, .word: preconditionFailure("a kind that has names")
    }
  }

  private func append(to hits: inout [Target]) {
    let found = crossings.found
    var first = 0
    while first < found.count {
      // What stands side by side is told channel by channel.
      var end = first + 1
      while end < found.count, found[end].hasSameNumbers(as: found[first]) { end += 1 }
      for input in crossings.lists[found[first].inputs] {
        for output in crossings.lists[found[first].outputs] {
          for crossing in found[first..<end] {
            let node = nodes[crossing.node]
            hits.append(
              Target(node.parameter ?? .ping, node.place, input: input, output: output))
          }
        }
      }
      first = end
    }
  }
}
