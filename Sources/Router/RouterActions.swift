/// The actions of the shipped program.
struct RouterActions: CommandActions {
  func run(_ options: RunOptions) -> ExitCode { notInThisBuild("run") }
  func render(_ options: RenderOptions) -> ExitCode { notInThisBuild("render") }
  func devices() -> ExitCode { notInThisBuild("devices") }
  func bench(json: Bool) -> ExitCode { notInThisBuild("bench") }
  func oscTable() -> String { "" }
  func help(onAddress address: String) throws(OptionError) -> String {
    throw OptionError("\(address) is not an address of this build.")
  }
  var version: String { "crosspoint 0.1.0" }

  private func notInThisBuild(_ command: String) -> ExitCode {
    CommandLineFiles.complain("\(command) is not part of this build.")
    return .usage
  }
}
