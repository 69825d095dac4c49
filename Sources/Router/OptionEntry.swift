/// One row of the table of options.
package struct OptionEntry: Sendable {
  /// The option.
  package let name: OptionName
  /// What stands for the value in the usage text; empty for a flag.
  package let placeholder: String
  /// The values that it takes.
  package let kind: OptionKind
  /// The commands that take it on the command line.
  package let commands: [CommandName]
  /// Whether it may be given more than once.
  package var repeats = false
  /// Whether a configuration may contain it.
  package var isInConfiguration = true
  /// What it does, in a line, with its default.
  package let help: String

  /// The option as it is written on the command line.
  package var flag: String { "--" + name.rawValue }
}
