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
        return "\(path): an event file, \(summary(try EventFile(bytes, file: path)))"
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

  private static func summary(_ file: EventFile) -> String {
    var text = counted(file.events.count, "event")
    guard file.midiLines > 0 else { return text }
    text += ", \(file.midiLines) of them MIDI with \(counted(file.midiEvents, "message"))"
    if file.strayBytes > 0 {
      text += " and \(counted(file.strayBytes, "byte")) of no whole message"
    }
    return text
  }

  private static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
