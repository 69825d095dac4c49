import TextLines

/// Where options come from: a configuration, the command line that goes over it, and the mappings
/// that either names. What is needed to read them again.
package struct ConfigurationSource: Equatable, Sendable {
  /// The configuration, or nothing where the command line says everything.
  package var path: String?
  /// The options of the command line.
  package var commandLine: OptionLayer
  /// Where mappings are looked for by name.
  package var folders: MappingFolders

  /// What is read again, as a sentence names it; nothing when there is no file.
  package var subject: String? {
    path ?? (commandLine.mappings.isEmpty ? nil : "The mapping")
  }

  /// The options as the files say them now.
  ///
  /// - Throws: an `OptionError` that names the file, and the line where there is one.
  package func options(
    _ readFile: (String) throws(OptionError) -> [UInt8]
  ) throws(OptionError) -> RunOptions {
    var layer = commandLine
    if let path {
      let bytes = try readFile(path)
      do throws(TextError) {
        layer = commandLine.over(try Configuration.read(bytes, file: path))
      } catch {
        throw OptionError(error)
      }
    }
    var options = try RunOptions(layer)
    options.mappings = try folders.read(layer.mappings, readFile: readFile)
    options.source = subject == nil ? nil : self
    return options
  }
}
