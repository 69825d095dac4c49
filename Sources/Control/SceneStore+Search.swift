import TextLines

extension SceneStore {
  /// The most bytes of an unknown name that a hint is worth the time for.
  private static var longestHintedName: Int { 24 }

  /// The number of the scene with a name; no scene is found by having none.
  func number(named name: String) -> Int? {
    guard !name.isEmpty else { return nil }
    return slots.firstIndex { $0?.name == name }
  }

  /// The lowest number without a scene.
  func firstFree() throws(Refusal) -> Int {
    if let number = slots.firstIndex(where: { $0 == nil }) { return number }
    guard slots.count < Self.most else {
      throw Refusal(
        .scene,
        "there are \(Self.most) scenes, which is the most: delete one, or store over one by its "
          + "number or name")
    }
    return slots.count
  }

  /// Which scene may have been meant, as the end of a sentence.
  func hint(for name: String) -> String {
    guard name.utf8.count <= Self.longestHintedName,
      let known = nearest(to: name, among: slots.compactMap { $0?.name }.filter { !$0.isEmpty })
    else { return listing }
    return "; did you mean \"\(known)\"?"
  }

  /// Which scene may have been meant, as the end of a sentence.
  func hint(for number: Int) -> String {
    let known = numbers.min { abs($0 - number) < abs($1 - number) }
    guard let known else { return listing }
    let name = self[known]?.name ?? ""
    return "; the nearest is \(known)" + (name.isEmpty ? "" : ", \"\(name)\"")
  }

  private var listing: String {
    numbers.isEmpty ? "; none is stored yet" : "; /scene/list tells which there are"
  }
}
