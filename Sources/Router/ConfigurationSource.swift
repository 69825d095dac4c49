import TextLines

/// A configuration and the command line that goes over it: what is needed to read it again.
package struct ConfigurationSource: Equatable, Sendable {
  /// The file.
  package var path: String
  /// The options of the command line.
  package var commandLine: OptionLayer

  /// The options that the file says now.
  ///
  /// - Throws: an `OptionError` that names the file, and the line where there is one.
  package func options(
    _ readFile: (String) throws(OptionError) -> [UInt8]
  ) throws(OptionError) -> RunOptions {
    let bytes = try readFile(path)
    let layer: OptionLayer
    do throws(TextError) {
      layer = try Configuration.read(bytes, file: path)
    } catch {
      throw OptionError(error)
    }
    var options = try RunOptions(commandLine.over(layer))
    options.source = self
    return options
  }
}
