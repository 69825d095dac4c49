import TextLines

extension AddressTree {
  /// The most bytes of an unknown address that a hint is worth the time for.
  private static var longestHintedAddress: Int { 256 }

  /// What an unknown address may have been meant to be, as the end of a sentence, or nothing.
  package func hint(for address: UnsafeBufferPointer<UInt8>) -> String {
    guard address.count <= Self.longestHintedAddress else { return "" }
    guard address.first == UInt8(ascii: "/") else { return "; an address begins with a slash" }
    var node = 0
    var start = 0
    while start < address.count {
      guard let part = part(of: address, at: start) else { return "" }
      let bytes = UnsafeBufferPointer(rebasing: address[part])
      guard let next = literalChild(of: node, bytes) else {
        let word = String(decoding: bytes, as: UTF8.self)
        guard let known = nearest(to: word, among: words(below: node)) else { return "" }
        let before = String(decoding: address[..<part.lowerBound], as: UTF8.self)
        let after = String(decoding: address[part.upperBound...], as: UTF8.self)
        let isWhole = exists(before + known + after)
        return "; did you mean \(before)\(known)\(isWhole ? after : after.isEmpty ? "" : "/…")?"
      }
      node = next
      start = part.upperBound
    }
    let more = words(below: node)
    return more.isEmpty ? "" : "; it goes on with \(more.joined(separator: ", "))"
  }

  private func exists(_ address: String) -> Bool {
    let finding = Array(address.utf8).withUnsafeBufferPointer { find($0) }
    if case .nothing = finding { return false }
    return true
  }

  private func literalChild(of node: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var child = nodes[node].firstChild
    while child >= 0 {
      switch nodes[child].kind {
      case .word: if spells(child, bytes) { return child }
      case .input: if number(bytes, below: shape.inputs, { $0.inputs }) != nil { return child }
      case .output: if number(bytes, below: shape.outputs, { $0.outputs }) != nil { return child }
      case .group:
        if number(bytes, below: MixState.groupCount, { $0.groups }) != nil { return child }
      case .scene: if index(bytes, below: SceneStore.most) != nil { return child }
      }
      child = nodes[child].nextSibling
    }
    return nil
  }

  private func words(below node: Int) -> [String] {
    var words: [String] = []
    var child = nodes[node].firstChild
    while child >= 0 {
      switch nodes[child].kind {
      case .word: words.append(String(decoding: letters[nodes[child].word], as: UTF8.self))
      case .input: words.append("0 to \(shape.inputs - 1)")
      case .output: words.append("0 to \(shape.outputs - 1)")
      case .scene: words.append("0 to \(SceneStore.most - 1)")
      case .group: words.append("0 to \(MixState.groupCount - 1)")
      }
      child = nodes[child].nextSibling
    }
    return words
  }

  /// What is wrong where the number or name of a channel or group should be, in a sentence.
  package func badIndex(_ side: Place, in address: UnsafeBufferPointer<UInt8>) -> String {
    let table = names.table(side)
    let numbers = "\(side.noun)s have the numbers 0 to \(table.limit - 1)"
    guard let word = firstUnknown(in: address), AddressNames.isWord(word.lowercased()) else {
      return numbers
    }
    let meant =
      nearest(to: word.lowercased(), among: table.words).map { "did you mean \($0)?" } ?? numbers
    return "no \(side.noun) is called \(word); \(meant)"
  }

  private func firstUnknown(in address: UnsafeBufferPointer<UInt8>) -> String? {
    guard address.count <= Self.longestHintedAddress else { return nil }
    var node = 0
    var start = 0
    while let part = part(of: address, at: start) {
      let bytes = UnsafeBufferPointer(rebasing: address[part])
      guard let next = literalChild(of: node, bytes) else {
        return String(decoding: bytes, as: UTF8.self)
      }
      node = next
      start = part.upperBound
    }
    return nil
  }
}
