/// The program behind the command line.
public enum CommandLineTool {
  /// Reads a command line, program name first, does what it asks, and gives the exit code.
  public static func run(_ arguments: [String]) -> Int32 {
    CommandLineFiles.openMissingStreams()
    CommandLineFiles.surviveFileLimit()
    return run(arguments, actions: RouterActions()).rawValue
  }

  /// Reads a command line, program name first, and hands it to the actions.
  package static func run(_ arguments: [String], actions: some CommandActions) -> ExitCode {
    do throws(OptionError) {
      let command = try Command(
        Array(arguments.dropFirst()), folders: .standard(), readFile: CommandLineFiles.read)
      return try perform(command, actions)
    } catch {
      CommandLineFiles.complain(error.description)
      return .usage
    }
  }

  private static func perform(
    _ command: Command, _ actions: some CommandActions
  ) throws(OptionError) -> ExitCode {
    switch command {
    case .run(let options): return actions.run(options)
    case .render(let options): return actions.render(options)
    case .monitor(let options): return actions.monitor(options)
    case .devices: return actions.devices()
    case .bench(let json): return actions.bench(json: json)
    case .check(let paths): return checkAll(paths)
    case .version: CommandLineFiles.print(actions.version + "\n")
    case .help(.overview): CommandLineFiles.print(CommandLineUsage.overview)
    case .help(.command(let name)): CommandLineFiles.print(CommandLineUsage.text(of: name))
    case .help(.oscTable): CommandLineFiles.print(actions.oscTable())
    case .help(.address(let address)):
      CommandLineFiles.print(try actions.help(onAddress: address) + "\n")
    }
    return .success
  }

  private static func checkAll(_ paths: [String]) -> ExitCode {
    var result = ExitCode.success
    for path in paths {
      do throws(OptionError) {
        let finding = try check(path, folders: .standard(), readFile: CommandLineFiles.read)
        CommandLineFiles.print(finding + "\n")
      } catch {
        CommandLineFiles.complain(error.description)
        result = .usage
      }
    }
    return result
  }
}
