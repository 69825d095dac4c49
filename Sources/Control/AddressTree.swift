import MatrixCore
import Messages

/// Finds what an address means, straight from its bytes.
///
/// The tree is made of the rows of `ParameterTable`: one node per word and one for all channel
/// numbers of a kind, so it is as large, and a search as long, for 2 x 2 as for 256 x 256.
/// A search for one address allocates nothing. A channel is found by its number or by its name; a
/// word that is no number costs one look into a hash table. One thread at a time.
package final class AddressTree {
  /// What a search for one address found.
  package enum Finding: Equatable {
    /// It means this.
    case target(Target)
    /// It means nothing.
    case nothing
    /// Where the number or name of an input, an output or a group should be is none that there is,
    /// or no number that a scene can have.
    case badIndex(Place)
  }

  enum Kind: UInt8 {
    case word
    case input
    case output
    case group
    case scene
  }

  struct Node {
    var kind: Kind
    var parameter: Parameter?
    var place: Place
    var word: Range<Int>
    var firstChild: Int
    var nextSibling: Int
  }

  let shape: MatrixShape
  /// The names that may stand for numbers.
  package let names: AddressNames
  let nodes: [Node]
  let letters: [UInt8]
  /// What the pattern that was looked for last meets.
  var crossings: Crossings

  /// Makes the tree for the addresses of a matrix, in which nothing has a name yet.
  package convenience init(shape: MatrixShape) {
    self.init(shape: shape, names: AddressNames(shape: shape))
  }

  /// Makes the tree for the addresses of a matrix and the names of its channels.
  init(shape: MatrixShape, names: AddressNames) {
    self.shape = shape
    self.names = names
    crossings = Crossings(
      inputs: shape.inputs, outputs: shape.outputs, groups: MixState.groupCount)
    var builder = AddressTreeBuilder()
    for row in ParameterTable.rows { builder.add(row) }
    nodes = builder.nodes
    letters = builder.letters
  }

  /// Whether an address begins with one of our first words, or with a pattern for one.
  package func owns(_ address: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let part = part(of: address, at: 0) else { return false }
    let bytes = UnsafeBufferPointer(rebasing: address[part])
    var node = nodes[0].firstChild
    while node >= 0 {
      if spells(node, bytes) || matches(pattern: bytes, node: node) { return true }
      node = nodes[node].nextSibling
    }
    return false
  }

  /// What one address means that is no pattern.
  package func find(_ address: UnsafeBufferPointer<UInt8>) -> Finding {
    var target = Target(.ping, .mixer)
    var node = 0
    var start = 0
    while start < address.count {
      guard let part = part(of: address, at: start) else { return .nothing }
      let bytes = UnsafeBufferPointer(rebasing: address[part])
      var next = nodes[node].firstChild
      search: while next >= 0 {
        switch nodes[next].kind {
        case .word:
          if spells(next, bytes) { break search }
        case .input:
          guard let number = number(bytes, below: shape.inputs, { $0.inputs }) else {
            return .badIndex(.input)
          }
          target.input = number
          break search
        case .output:
          guard let number = number(bytes, below: shape.outputs, { $0.outputs }) else {
            return .badIndex(.output)
          }
          target.output = number
          break search
        case .group:
          guard let number = number(bytes, below: MixState.groupCount, { $0.groups }) else {
            return .badIndex(.group)
          }
          target.input = number
          break search
        case .scene:
          guard let number = index(bytes, below: SceneStore.most) else {
            // A number that is too high, or else a mistyped word.
            return bytes.allSatisfy(isDigit) ? .badIndex(.scene) : .nothing
          }
          target.input = number
          break search
        }
        next = nodes[next].nextSibling
      }
      guard next >= 0 else { return .nothing }
      node = next
      start = part.upperBound
    }
    guard let parameter = nodes[node].parameter else { return .nothing }
    target.parameter = parameter
    target.place = nodes[node].place
    return .target(target)
  }

  /// The number that a part of an address means: its own, or that of the name which it is.
  ///
  /// Numbers come first: they are what most addresses have, and cost nothing that names would.
  @inline(__always)
  func number(
    _ bytes: UnsafeBufferPointer<UInt8>, below limit: Int, _ table: (AddressNames) -> NameTable
  ) -> Int? {
    index(bytes, below: limit) ?? table(names).number(of: bytes)
  }

  /// A channel number: decimal digits without a sign, a space or leading zeros.
  @inline(__always)
  func index(_ bytes: UnsafeBufferPointer<UInt8>, below limit: Int) -> Int? {
    guard (1...3).contains(bytes.count), bytes.count == 1 || bytes[0] != UInt8(ascii: "0") else {
      return nil
    }
    var number = 0
    for byte in bytes {
      let digit = byte &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      number = number * 10 + Int(digit)
    }
    return number < limit ? number : nil
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }

  /// Where the part lies that begins with the slash at an offset, without the slash.
  @inline(__always)
  func part(of address: UnsafeBufferPointer<UInt8>, at start: Int) -> Range<Int>? {
    guard start < address.count, address[start] == UInt8(ascii: "/") else { return nil }
    var end = start + 1
    while end < address.count, address[end] != UInt8(ascii: "/") { end += 1 }
    return start + 1..<end
  }

  @inline(__always)
  func spells(_ node: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let word = nodes[node].word
    guard word.count == bytes.count else { return false }
    for offset in 0..<bytes.count where letters[word.lowerBound + offset] != bytes[offset] {
      return false
    }
    return true
  }

  func matches(pattern: UnsafeBufferPointer<UInt8>, node: Int) -> Bool {
    letters.withUnsafeBufferPointer {
      AddressPattern.matches(
        pattern: pattern, text: UnsafeBufferPointer(rebasing: $0[nodes[node].word]))
    }
  }
}
