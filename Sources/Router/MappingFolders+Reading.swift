import Mapping
import TextLines

extension MappingFolders {
  /// Reads the mappings that were asked for, in order.
  ///
  /// - Throws: an `OptionError` at the first that is not found, cannot be read, has a mistake, or
  ///   is asked for twice.
  package func read(
    _ choices: [MappingChoice], readFile: (String) throws(OptionError) -> [UInt8]
  ) throws(OptionError) -> [Mapping] {
    var mappings: [Mapping] = []
    for choice in choices {
      let path = try path(of: choice)
      guard !mappings.contains(where: { $0.file == path }) else {
        throw OptionError("\(choice.origin): \(path) is asked for twice; once is enough.")
      }
      let bytes = try bytes(of: path, choice, readFile)
      do throws(TextError) {
        mappings.append(try Mapping(bytes, file: path))
      } catch {
        throw OptionError(error)
      }
    }
    return mappings
  }

  private func path(of choice: MappingChoice) throws(OptionError) -> String {
    if let path = choice.path { return path }
    let known = known
    if let found = known.first(where: { $0.name == choice.word }) { return found.path }
    let names = known.map(\.name)
    let wayOut =
      if let name = nearest(to: choice.word, among: names) {
        "did you mean \(name)?"
      } else if names.isEmpty {
        "a file is named with a slash, or with \(Self.suffix) at its end."
      } else {
        "there are \(listed(names))."
      }
    throw OptionError(
      "\(choice.origin): there is no mapping \(Word.shown(choice.word)) in "
        + "\(listed(folders)); \(wayOut)")
  }

  private func bytes(
    of path: String, _ choice: MappingChoice, _ readFile: (String) throws(OptionError) -> [UInt8]
  ) throws(OptionError) -> [UInt8] {
    do throws(OptionError) {
      return try readFile(path)
    } catch {
      // Whoever has seen the folder writes the name with its end.
      let name = choice.word.dropLast(Self.suffix.count)
      let isKnown = known.contains { $0.name == name }
      let wayOut = isKnown ? "; the name \(name) alone would find one." : "."
      throw OptionError("\(choice.origin): \(error.description.dropLast())\(wayOut)")
    }
  }

  private func listed(_ words: [String]) -> String {
    guard words.count > 1, let last = words.last else { return words.first ?? "any folder" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }
}
