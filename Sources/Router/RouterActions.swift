import Bench
import Control
import Engine
import MatrixCore

/// The actions of the shipped program.
struct RouterActions: CommandActions {
  func run(_ options: RunOptions) -> ExitCode {
    guard isInstructionSetSound else { return .usage }
    do throws(DeviceError) {
      let writer = try LineWriter()
      guard let thread = EngineThread(name: "writer", body: { writer.run() }) else {
        throw DeviceError("The system refuses another thread for the log.")
      }
      let code = route(options, writer)
      // A pipe that nobody reads keeps the thread for ever; the end does not wait for it.
      writer.end()
      _ = thread.join(milliseconds: 100)
      return code
    } catch {
      CommandLineFiles.complain(error.sentence)
      return .device
    }
  }

  private func route(_ options: RunOptions, _ writer: LineWriter) -> ExitCode {
    do throws(StartError) {
      return try RouterSession(options, writer: writer).run()
    } catch {
      CommandLineFiles.complain(error.sentence)
      return error.code
    }
  }

  func render(_ options: RenderOptions) -> ExitCode {
    guard isInstructionSetSound else { return .usage }
    for note in options.mappings.compactMap(\.inactiveOptions) { CommandLineFiles.complain(note) }
    do throws(StartError) {
      let command = try RenderCommand(options)
      for note in command.notes { CommandLineFiles.complain(note) }
      let summary = try command.run()
      if command.writesToStandardOutput {
        CommandLineFiles.complain(summary)
      } else {
        CommandLineFiles.print(summary + "\n")
      }
      return .success
    } catch {
      CommandLineFiles.complain(error.sentence)
      return error.code
    }
  }

  func monitor(_ options: MonitorOptions) -> ExitCode {
    do throws(StartError) {
      return try MonitorSession(options).run()
    } catch {
      CommandLineFiles.complain(error.sentence)
      return error.code
    }
  }

  func devices() -> ExitCode {
    CommandLineFiles.print(DeviceListing.text() + MIDIListing.text(folders: .standard()))
    return .success
  }

  func bench(json: Bool) -> ExitCode {
    guard isInstructionSetSound else { return .usage }
    runBench(json: json) { CommandLineFiles.print($0 + "\n") }
    return .success
  }

  func oscTable() -> String { ParameterTable.markdown }

  func help(onAddress address: String) throws(OptionError) -> String {
    do {
      return try ParameterTable.help(for: address)
    } catch {
      throw OptionError(ended(error.text))
    }
  }

  var version: String { Version.text }

  /// Whether the environment asks for instructions that this processor has; says so if not.
  private var isInstructionSetSound: Bool {
    do {
      _ = try InstructionSet.selected()
      return true
    } catch {
      CommandLineFiles.complain(error.description)
      return false
    }
  }
}
