import MatrixCore

/// The names of inputs, outputs and groups, as far as addresses may use them.
///
/// A name is any text; one that is a lower-case word (`a` to `z`, then also `0` to `9`, `_` and
/// `-`) stands for its number in addresses, and therefore differs from all others of its side and
/// from every word that addresses are made of. Control thread only.
package final class AddressNames {
  /// The names of inputs.
  package let inputs: NameTable
  /// The names of outputs.
  package let outputs: NameTable
  /// The names of groups.
  package let groups: NameTable

  /// Makes the names of a matrix in which nothing has a name.
  package init(shape: MatrixShape) {
    inputs = NameTable(limit: shape.inputs)
    outputs = NameTable(limit: shape.outputs)
    groups = NameTable(limit: MixState.groupCount)
  }

  /// Whether nothing has a name that addresses may use.
  var isEmpty: Bool { inputs.count + outputs.count + groups.count == 0 }

  /// The names of a side.
  func table(_ side: Place) -> NameTable {
    switch side {
    case .input: inputs
    case .output: outputs
    case .group: groups
    case .crosspoint, .master, .mixer, .scene: preconditionFailure("a side that has names")
    }
  }

  /// Why a number may not have a name, or nothing; any text that is no lower-case word is allowed.
  func refusal(of name: String, for number: Int, of side: Place) -> Refusal? {
    guard Self.isWord(name) else { return nil }
    guard !ParameterTable.words.contains(name) else {
      let capital = name.prefix(1).uppercased() + name.dropFirst()
      return Refusal(
        .value, "\(name) is a word that addresses are made of; as a name it can be \(capital)")
    }
    guard let other = holder(of: name, side), other != number else { return nil }
    return Refusal(
      .value, "\(side.noun) \(other) is called \(name) already; lower-case words must differ")
  }

  /// Gives a number a name; one that addresses may not use, or that is refused, leaves it without.
  ///
  /// Gives the word that it had for a name before, to be given back.
  @discardableResult
  func set(_ name: String, for number: Int, of side: Place) -> String {
    let table = table(side)
    let before = String(decoding: table.word(number), as: UTF8.self)
    let isUsed = Self.isWord(name) && refusal(of: name, for: number, of: side) == nil
    let word = isUsed ? name : ""
    if word != before { table.set(word, of: number) }
    return before
  }

  /// The number of groups.
  package static let groupCount = GroupTable.count

  /// Whether a part of an address can be a name: a lower-case word that addresses do not have.
  package static func canBeName(_ part: [UInt8]) -> Bool {
    let word = String(decoding: part, as: UTF8.self)
    return isWord(word) && !ParameterTable.words.contains(word)
  }

  /// Whether a name is a lower-case word.
  static func isWord(_ name: some StringProtocol) -> Bool {
    guard let first = name.utf8.first, isLetter(first), name.utf8.count <= Level.longestNameBytes
    else { return false }
    return name.utf8.allSatisfy {
      isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }

  private func holder(of name: String, _ side: Place) -> Int? {
    var name = name
    return name.withUTF8 { table(side).number(of: $0) }
  }
}
