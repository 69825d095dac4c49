import MatrixCore
import Messages

/// Groups: levels and mutes that act on the factors of others.
extension ControlHub {
  /// Lists a gain for the audio thread, or what a group's level acts on.
  @inline(__always)
  func list(_ gain: GainID) {
    guard let group = state.groupNumber(of: gain) else { return outbox.add(gain) }
    for member in state.groupTable.members(of: group) { outbox.add(member) }
  }

  /// Gives a group the members that the texts name.
  func enroll(_ target: Target, _ arguments: ArraySlice<Argument>, _ source: Source) {
    let words = arguments.compactMap { argument in
      if case .string(let word) = argument { return word }
      return nil
    }
    guard setMembers(words, of: target.input) else { return confirmed(source) }
    changed(target, by: source)
  }

  /// Gives a group members; says whether they are others than before.
  func setMembers(_ words: [String], of group: Int) -> Bool {
    guard words != state.groupTable.words(of: group) else { return false }
    let gains = words.flatMap { draft.tree.memberGains(of: $0) }
    for gain in state.groupTable.set(gains, as: words, of: group) { outbox.add(gain) }
    return true
  }

  /// What a query of a group's members answers: an empty text where there are none.
  func members(of group: Int) -> [Argument] {
    let words = state.groupTable.words(of: group)
    return words.isEmpty ? [.string("")] : words.map { .string($0) }
  }
}
