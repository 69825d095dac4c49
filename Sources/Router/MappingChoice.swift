/// A mapping as it was asked for, by name or as a file.
package struct MappingChoice: Equatable, Sendable {
  /// What stood behind `map`.
  package var word: String
  /// Where it was asked for, to begin an error about it.
  package var origin: String
  /// The folder that relative files count from, with a slash at its end; empty for the current one.
  package var folder: String

  /// Makes a choice.
  package init(_ word: String, origin: String, folder: String = "") {
    self.word = word
    self.origin = origin
    self.folder = folder
  }

  /// The path of the file that is meant, or nothing when a name is meant.
  package var path: String? {
    guard word.contains("/") || word.hasSuffix(MappingFolders.suffix) else { return nil }
    return word.hasPrefix("/") ? word : folder + word
  }
}
