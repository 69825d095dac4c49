/// The texts of `crosspoint help`, made from the tables of commands and options.
package enum CommandLineUsage {
  /// All commands.
  package static var overview: String {
    var text = "Crosspoint routes audio through a matrix of gains that OSC moves.\n\n"
    for command in CommandName.allCases {
      let head = [command.rawValue, command.operands].filter { !$0.isEmpty }
      text += row("crosspoint " + head.joined(separator: " "), command.summary)
    }
    text += row("crosspoint --version", "say which version this is")
    text += "\n\"crosspoint help COMMAND\" lists the options of a command.\n"
    text += "Exit codes: 0 stopped, 2 usage or configuration, 3 port or socket, 4 audio device.\n"
    return text
  }

  /// One command and its options.
  package static func text(of command: CommandName) -> String {
    let entries = OptionTable.entries(of: command)
    let options = entries.isEmpty ? [] : ["[OPTION]..."]
    let head = (["crosspoint", command.rawValue, command.operands] + options)
      .filter { !$0.isEmpty }
    var text = "\(head.joined(separator: " "))\n\n\(capitalized(command.summary)).\n"
    if !entries.isEmpty { text += "\n" }
    for entry in entries {
      let value = entry.placeholder.isEmpty ? "" : " " + entry.placeholder
      text += row(entry.flag + value, entry.help)
    }
    return text
  }

  private static func row(_ name: String, _ meaning: String) -> String {
    let column = 26
    let indented = "  " + name
    if indented.count + 2 > column {
      return "\(indented)\n\(String(repeating: " ", count: column))\(meaning)\n"
    }
    return indented + String(repeating: " ", count: column - indented.count) + meaning + "\n"
  }

  private static func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }
}
