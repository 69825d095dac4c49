/// Grows the nodes of an `AddressTree` out of rows of the table.
struct AddressTreeBuilder {
  private(set) var nodes: [AddressTree.Node] = []
  private(set) var letters: [UInt8] = []

  /// Begins with the root alone.
  init() {
    _ = append(kind: .word, word: "")
  }

  /// Adds what is missing for a row's address.
  mutating func add(_ row: ParameterRow) {
    var node = 0
    for part in row.address.split(separator: "/") { node = child(String(part), of: node) }
    precondition(nodes[node].parameter == nil, "one row for an address")
    nodes[node].parameter = row.parameter
    nodes[node].place = row.place
  }

  private mutating func child(_ part: String, of parent: Int) -> Int {
    let kind: AddressTree.Kind =
      switch part {
      case "{i}": .input
      case "{o}": .output
      case "{g}": .group
      case "{n}": .scene
      default: .word
      }
    var last = -1
    var node = nodes[parent].firstChild
    while node >= 0 {
      let isSame = nodes[node].kind == kind
      if isSame, kind != .word || letters[nodes[node].word].elementsEqual(part.utf8) { return node }
      last = node
      node = nodes[node].nextSibling
    }
    let made = append(kind: kind, word: kind == .word ? part : "")
    if last >= 0 { nodes[last].nextSibling = made } else { nodes[parent].firstChild = made }
    return made
  }

  private mutating func append(kind: AddressTree.Kind, word: String) -> Int {
    let start = letters.count
    letters.append(contentsOf: word.utf8)
    nodes.append(
      AddressTree.Node(
        kind: kind, parameter: nil, place: .mixer, word: start..<letters.count, firstChild: -1,
        nextSibling: -1))
    return nodes.count - 1
  }
}
