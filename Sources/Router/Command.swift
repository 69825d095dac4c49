import Control
import TextLines

/// What the command line asks for.
package enum Command: Equatable, Sendable {
  /// Route audio.
  case run(RunOptions)
  /// Render a file.
  case render(RenderOptions)
  /// Show a running router.
  case monitor(MonitorOptions)
  /// List devices.
  case devices
  /// Check text files, at least one.
  case check([String])
  /// Measure the renderer, perhaps in JSON.
  case bench(json: Bool)
  /// Explain something.
  case help(HelpTopic)
  /// Say which version this is and what it was built with.
  case version

  /// What is to be explained.
  package enum HelpTopic: Equatable, Sendable {
    /// All commands.
    case overview
    /// One command.
    case command(CommandName)
    /// An OSC address.
    case address(String)
    /// The table of OSC addresses, as Markdown.
    case oscTable
  }

  /// Reads a command line, without the program's own name.
  ///
  /// - Parameters:
  ///   - arguments: the words after the program's name.
  ///   - folders: where mappings are looked for by name.
  ///   - readFile: gives the bytes of a file that an option names, or throws why it cannot.
  /// - Throws: an `OptionError` at the first mistake.
  package init(
    _ arguments: [String], folders: MappingFolders = MappingFolders(),
    readFile: (String) throws(OptionError) -> [UInt8]
  ) throws(OptionError) {
    guard let word = arguments.first else {
      throw OptionError("A command is missing; \"crosspoint help\" lists them.")
    }
    let rest = Array(arguments.dropFirst())
    switch word {
    case "--version":
      self = .version
      return
    case "--help", "-h":
      self = try Self.command(.help, rest, folders, readFile)
      return
    default:
      break
    }
    guard let name = CommandName(rawValue: word) else { throw Self.unknownCommand(word) }
    if name != .help, rest.prefix(while: { $0 != "--" }).contains(where: Self.asksForHelp) {
      self = .help(.command(name))
      return
    }
    self = try Self.command(name, rest, folders, readFile)
  }

  private static func asksForHelp(_ word: String) -> Bool { word == "--help" || word == "-h" }

  private static func command(
    _ name: CommandName, _ arguments: [String], _ folders: MappingFolders,
    _ readFile: (String) throws(OptionError) -> [UInt8]
  ) throws(OptionError) -> Command {
    let parsed = try OptionParser(name, arguments)
    switch name {
    case .run:
      try refuseOperands(parsed)
      return .run(try runOptions(parsed.layer, folders, readFile))
    case .render:
      return .render(try renderOptions(parsed, folders, readFile))
    case .monitor:
      try refuseOperands(parsed)
      return .monitor(try MonitorOptions(parsed.layer))
    case .check:
      guard !parsed.operands.isEmpty else {
        throw OptionError("check needs the name of at least one file.")
      }
      return .check(parsed.operands)
    case .bench:
      try refuseOperands(parsed)
      return .bench(json: parsed.layer.contains(.json))
    case .devices:
      try refuseOperands(parsed)
      return .devices
    case .help:
      return try help(parsed)
    }
  }

  private static func help(_ parsed: OptionParser) throws(OptionError) -> Command {
    if parsed.layer.contains(.markdown) {
      try refuseOperands(parsed)
      return .help(.oscTable)
    }
    guard let topic = parsed.operands.first else { return .help(.overview) }
    guard parsed.operands.count == 1 else {
      throw OptionError("help explains one thing at a time; ask for one command or address.")
    }
    if topic.hasPrefix("/") { return .help(.address(topic)) }
    if let command = CommandName(rawValue: topic) { return .help(.command(command)) }
    let isAddress = ParameterTable.rows.contains { $0.address == "/" + topic }
    guard isAddress else { throw unknownCommand(topic) }
    return .help(.address("/" + topic))
  }

  private static func runOptions(
    _ layer: OptionLayer, _ folders: MappingFolders,
    _ readFile: (String) throws(OptionError) -> [UInt8]
  ) throws(OptionError) -> RunOptions {
    let source = ConfigurationSource(
      path: layer.text(.config), commandLine: layer, folders: folders)
    return try source.options(readFile)
  }

  private static func renderOptions(
    _ parsed: OptionParser, _ folders: MappingFolders,
    _ readFile: (String) throws(OptionError) -> [UInt8]
  ) throws(OptionError) -> RenderOptions {
    guard parsed.operands.count == 2 else {
      throw OptionError(
        "render needs two files, IN.wav and OUT.wav, and was given \(parsed.operands.count).")
    }
    let layer = try withConfiguration(parsed.layer, readFile)
    var events: EventFile?
    if let path = parsed.layer.text(.events) {
      events = try reading(path, readFile) { bytes, file throws(TextError) in
        try EventFile(bytes, file: file)
      }
    }
    var options = try RenderOptions(
      inputPath: parsed.operands[0], outputPath: parsed.operands[1], events: events, layer)
    options.mappings = try folders.read(layer.mappings, readFile: readFile)
    return options
  }

  private static func withConfiguration(
    _ layer: OptionLayer, _ readFile: (String) throws(OptionError) -> [UInt8]
  ) throws(OptionError) -> OptionLayer {
    guard let path = layer.text(.config) else { return layer }
    return layer.over(try reading(path, readFile, Configuration.read))
  }

  private static func reading<Contents>(
    _ path: String, _ readFile: (String) throws(OptionError) -> [UInt8],
    _ read: ([UInt8], String) throws(TextError) -> Contents
  ) throws(OptionError) -> Contents {
    let bytes = try readFile(path)
    do throws(TextError) { return try read(bytes, path) } catch { throw OptionError(error) }
  }

  private static func refuseOperands(_ parsed: OptionParser) throws(OptionError) {
    guard let word = parsed.operands.first else { return }
    let command = parsed.command.rawValue
    let flags = OptionTable.entries(of: parsed.command).map(\.flag)
    let hint = nearest(to: "--" + word, among: flags).map { "; did you mean \($0)?" } ?? "."
    throw OptionError("\(command) takes only options, and found \(Word.shown(word))\(hint)")
  }

  private static func unknownCommand(_ word: String) -> OptionError {
    let hint =
      nearest(to: word, among: CommandName.allCases.map(\.rawValue))
      .map { "did you mean \($0)?" } ?? "\"crosspoint help\" lists them."
    return OptionError("There is no command \(Word.shown(word)); \(hint)")
  }
}
