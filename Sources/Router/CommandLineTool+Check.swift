import TextLines

extension CommandLineTool {
  /// Reads a text file as what its first line says it is, and tells what it holds.
  ///
  /// A text that begins with a number is an event file, any other a configuration.
  ///
  /// - Throws: an `OptionError` when the file cannot be read or has a mistake.
  package static func check(
    _ path: String, readFile: (String) throws(OptionError) -> [UInt8]
  ) throws(OptionError) -> String {
    let bytes = try readFile(path)
    let layer: OptionLayer
    do throws(TextError) {
      var reader = LineReader(bytes, file: path)
      if try reader.next()?.words[0].number != nil {
        let events = try EventFile(bytes, file: path).events
        return "\(path): an event file, \(counted(events.count, "event"))"
      }
      layer = try Configuration.read(bytes, file: path)
    } catch {
      throw OptionError(error)
    }
    do throws(OptionError) { _ = try RunOptions(layer) } catch {
      throw OptionError("\(path): \(error.description)")
    }
    return "\(path): a configuration, \(counted(layer.messages.count, "address line"))"
  }

  private static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
