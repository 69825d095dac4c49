import Control
import Mapping
import TextLines

extension CommandLineTool {
  /// Reads a text file as what its name or its first word says it is, and tells what it holds.
  ///
  /// A file that ends in `.map` or begins with `device` is a mapping, one that begins as a number
  /// does an event file, any other a configuration; the mappings that a configuration asks for are read
  /// too.
  ///
  /// - Throws: an `OptionError` when the file cannot be read or has a mistake.
  package static func check(
    _ path: String, folders: MappingFolders = MappingFolders(),
    readFile: (String) throws(OptionError) -> [UInt8]
  ) throws(OptionError) -> String {
    let bytes = try readFile(path)
    var layer = OptionLayer()
    var events: EventFile?
    do throws(TextError) {
      var reader = LineReader(bytes, file: path)
      let first = try path.hasSuffix(MappingFolders.suffix) ? nil : reader.next()?.words[0].text
      if path.hasSuffix(MappingFolders.suffix) || first == "device" {
        return description(of: try Mapping(bytes, file: path))
      }
      if let letter = first?.utf8.first, "+-.0123456789".utf8.contains(letter) {
        events = try EventFile(bytes, file: path)
      } else {
        layer = try Configuration.read(bytes, file: path)
      }
    } catch {
      throw OptionError(error)
    }
    if let events { return try checkEvents(events, path) }
    let options: RunOptions
    do throws(OptionError) { options = try RunOptions(layer) } catch {
      throw OptionError("\(path): \(error.description)")
    }
    _ = try folders.read(layer.mappings, readFile: readFile)
    try suitsSome(options) { mixer throws(OptionError) in
      try StartMessages.check(options, mixer)
    }
    return "\(path): a configuration, \(counted(layer.messages.count, "address line"))"
  }

  private static func checkEvents(
    _ file: EventFile, _ path: String
  ) throws(OptionError) -> String {
    try suitsSome(try RunOptions()) { mixer throws(OptionError) in
      try StartMessages.check(file, mixer)
    }
    return "\(path): an event file, \(description(of: file))"
  }

  /// Checks against the mixers that a text may be for; one of them has to take all of it.
  private static func suitsSome(
    _ options: RunOptions, _ check: (HubConfiguration) throws(OptionError) -> Void
  ) throws(OptionError) {
    var fault: OptionError?
    for shape in options.largestShapes {
      do throws(OptionError) { return try check(options.mixer(shape)) } catch { fault = error }
    }
    if let fault { throw fault }
  }

  private static func description(of file: EventFile) -> String {
    var text = counted(file.events.count, "event")
    guard file.midiLines > 0 else { return text }
    text += ", \(file.midiLines) of them MIDI with \(counted(file.midiEvents, "message"))"
    if file.strayBytes > 0 {
      text += " and \(counted(file.strayBytes, "byte")) of no whole message"
    }
    return text
  }

  private static func description(of mapping: Mapping) -> String {
    let controls = mapping.sections.reduce(0) { $0 + $1.lines.count }
    let note = mapping.inactiveOptions.map { "\n" + $0 } ?? ""
    return "\(mapping.file): a mapping, \(counted(mapping.sections.count, "device")), "
      + "\(counted(controls, "control"))\(note)"
  }

  /// A number of things, with the noun in the plural where it belongs there.
  static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
